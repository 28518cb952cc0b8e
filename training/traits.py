"""What is said of made-up people: where they are from, their work, their illnesses and drugs."""

from __future__ import annotations

from functools import cache
from random import Random

from training.made import LISTS, lines

NATIONS = (
    "French German Polish Kenyan Chilean Danish Greek Indian Irish Korean Thai Welsh Spanish "
    "Saudi Turkish Russian Mexican Brazilian English Dutch Swedish Finnish Iraqi Pakistani "
    "Cuban Somali American Canadian Australian Italian Austrian Swiss Belgian Norwegian Chinese "
    "Japanese Nepali Vietnamese Nigerian Ghanaian Ethiopian Egyptian Moroccan Algerian Israeli "
    "Syrian Lebanese Afghan Ukrainian Romanian Hungarian Czech Serbian Croatian Albanian "
    "Latvian Estonian Peruvian Bolivian Colombian Argentine Filipino Malaysian Indonesian "
    "Scottish British Portuguese Iranian Jordanian"
).split()
TRADES = (
    "Systems Sales Human-resources Laboratory Property Leasing Science Traffic Loan Quality "
    "Payroll Marketing Network Research Product Insurance Training Data Warehouse Security "
    "Fleet Facilities"
).split()
POSTS = (
    "administrator technician manager clerk operator consultant installer director analyst "
    "officer specialist coordinator supervisor engineer assistant adviser inspector "
    "representative planner"
).split()
JOBS = (
    "Engineer Nurse Buyer Surveyor Librarian Actuary Chemist Plumber Broker Geologist Welder "
    "Baker Teacher Carpenter Electrician Architect Economist Translator Photographer Paralegal "
    "Roofer Florist Midwife Dietitian Optician Cashier Butcher Journalist Hairdresser Pilot "
    "Astronomer Statistician"
).split()
TRADES_FR = (
    "infirmier infirmière menuisier comptable boulangère chauffeur enseignante maçon avocate "
    "plombier coiffeuse notaire agricultrice électricien caissière architecte libraire "
    "photographe secrétaire"
).split()

CARS = (
    "Ford Focus|Ford Mondeo|Ford Transit|Toyota Corolla|Toyota Yaris|Honda Civic|Honda Accord|"
    "Volkswagen Golf|VW Passat|VW Polo|Renault Clio|Renault Mégane|Peugeot 208|Peugeot Partner|"
    "Citroën Berlingo|Dacia Duster|Dacia Sandero|Opel Astra|Opel Corsa|Vauxhall Zafira|Skoda Fabia|"
    "Skoda Octavia|Seat Ibiza|Fiat Punto|Fiat Panda|Audi A4|BMW X3|Mercedes Sprinter|Mini Cooper|"
    "Nissan Micra|Nissan Qashqai|Mazda MX-5|Hyundai Tucson|Kia Picanto|Kia Sportage|Volvo V60|"
    "Subaru Forester|Subaru Outback|Jeep Cherokee|Jeep Wrangler|Dodge Durango|Chevy Tahoe|"
    "Chevrolet Malibu|Tesla Model Y|Suzuki Swift|Land Rover|Range Rover|Harley|Vespa|Kawasaki"
).split("|")


def job(r: Random, lang: str = "en") -> str:
    """Return what somebody does for a living, in a word or several."""
    if lang == "fr":
        return r.choice(TRADES_FR)
    if r.random() < 0.4:
        return r.choice(JOBS)
    before = r.choice(("", "", "Assistant ", "Senior ", "Deputy ", "Chief "))
    name = f"{before}{r.choice(TRADES).replace('-', ' ')} {r.choice(POSTS)}"
    return name.capitalize() if r.random() < 0.7 else name.title()


def car(r: Random, _: str = "en") -> str:
    """Return a make of car with its model, or one of the two."""
    name = r.choice(CARS)
    return r.choice((name, name, name.split()[0], name.split()[-1]))


@cache
def diseases() -> list[str]:
    """Return names of diseases, of a few words each."""
    rows = (LISTS / "medical/diseases_en.tsv").read_text("utf-8").splitlines()
    names = [row.split("\t")[1] for row in rows]
    return [name for name in names if len(name.split()) < 5 and name[-1].isalpha()]


@cache
def drugs(lang: str) -> list[str]:
    """Return names of drugs."""
    name = "medical/drugs_fr.tsv" if lang == "fr" else "medical/drugs_ch.txt"
    return sorted({one for one in lines(name) if len(one) > 4 and one.replace(" ", "").isalpha()})


def drug(r: Random, lang: str) -> str:
    """Return a drug, in any case, now and then with its dose."""
    name = r.choice(drugs(lang)).lower()
    form = r.choice((str, str.capitalize, str.upper))
    dose = r.choice(("", "", f" {r.choice((5, 10, 20, 40, 50, 100, 250, 500))} mg"))
    return form(name) + dose
