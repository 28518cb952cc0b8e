"""Train a sentence model further to tell which texts are one person's: a stronger attacker.

    python training/sentence_attacker.py texts FILE
    python training/sentence_attacker.py train FILE --model FOLDER --out FOLDER [--leave-out NAME …]

The first command writes what is learned from: the corpora of `training/linker_corpora.py` and, of
`../shared/data`, judgments (tab), case reports (maccrobat), encyclopedia articles (wikigold),
visits (aci_bench) and clinical notes by patient (synthea). Each corpus is written as it is, masked
by preset `insurance`, and with everything masked that is detected. Texts of one person, or pieces
of one text, form a group.

The second command needs torch, transformers and tokenizers, and a GPU to end within minutes. It
trains all weights of the model so that the nearest text of a batch is one of the same group (the
supervised contrastive loss of Khosla et al. 2020, with the sum inside the logarithm). A batch comes
from one corpus masked in one way. Corpora that are left out are not learned from; the share of
their texts whose nearest is of the same group is printed before and after.

The model is not shipped. `benchmarks/transfer.py --other FOLDER` attacks with it.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

WAYS = ("std", "clam", "mask-all")
SETS = {
    "tab": ("tab_dev", "", 90, 4),
    "maccrobat": ("maccrobat_dev", "", 60, 4),
    "wikigold": ("wikigold", "", 50, 4),
    "aci_bench": ("aci_bench_dev", "visit", 90, 3),
    "synthea": ("synthea_dev", "patient", 60, 1),
}
"""Further sets: file; the field of `meta` that names whose a text is (without one each text is a
group of its own); words of a piece; most pieces of a text."""
MOST = 8
"""Texts of a group that are written."""
WORDS = 40
"""Words that the texts of a group have at least, together."""
STEPS, GROUPS, RATE, SHARPNESS, LONGEST = 100, 48, 2e-5, 20.0, 192
"""Batches; groups of a batch; learning rate; factor of a cosine; word pieces of a text."""
DROPPED = 0.1
"""Share of words that a batch leaves out at random, so that no single word decides."""
NEAR = 0.9
"""Weight of the running mean of the loss that is printed."""


class Masked(NamedTuple):
    """A corpus masked in one way: its texts by group."""

    corpus: str
    way: str
    groups: list[list[str]]


def write(path: Path) -> None:
    """Write every corpus in every way, a line each."""
    from linker_corpora import CORPORA, PIECES, ROOT, cut
    from linkmask.testbench.corpus import BenchCorpus, read_corpus

    corpora: dict[str, BenchCorpus] = {
        Path(name).name: read_corpus(ROOT / name) for name in CORPORA
    }
    corpora |= {name: cut(name) for name in PIECES} | {name: grouped(name) for name in SETS}
    with path.open("w", encoding="utf-8") as file:
        for name, corpus in corpora.items():
            for masked in ways_of(name, corpus):
                file.write(json.dumps(masked._asdict(), ensure_ascii=False) + "\n")
                print(f"{masked.corpus}, {masked.way}: {len(masked.groups)} groups", flush=True)


def grouped(name: str) -> Any:
    """Return a set of `../shared/data` as a corpus of groups."""
    from linker_corpora import DATA, pieces
    from linkmask.records import Document
    from linkmask.testbench.corpus import corpus_of
    from linkmask.testbench.datasets import HiddenPerson, PersonCluster

    file, field, size, most = SETS[name]
    rng = random.Random(name)
    lines = (DATA / name / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = sorted(
        ((row["meta"].get(field, row["id"]), row["text"]) for row in map(json.loads, lines)),
        key=lambda row: row[0],
    )
    clusters = []
    for owner, texts in groupby(rows, key=lambda row: row[0]):
        parts = [part for _, text in texts for part in pieces(text, size, most, rng)]
        some = rng.sample(parts, min(MOST, len(parts)))
        if len(some) > 1:
            documents = tuple(Document(f"{owner}-{at}", text) for at, text in enumerate(some))
            clusters.append(PersonCluster(owner, "HIGH", "", documents, HiddenPerson(()), ()))
    return corpus_of(name, clusters)


def ways_of(name: str, corpus: Any) -> Iterator[Masked]:
    """Yield a corpus masked in every way, without the masks."""
    from linkmask.graph.linkage.terms import placeholders
    from linkmask.testbench.defences import DefenceBuilder, defence

    builder = DefenceBuilder(corpus)
    for way in WAYS:
        groups: dict[int, list[str]] = {}
        for person, text in zip(corpus.cluster, defence(way).make(builder).texts, strict=True):
            groups.setdefault(person, []).append(placeholders().sub(" ", text))
        yield Masked(name, way, [some for some in groups.values() if len(some) > 1])


class Trained:
    """A sentence model in torch: it embeds by the mean of its pieces' vectors."""

    def __init__(self, folder: Path) -> None:
        import torch
        from tokenizers import Tokenizer
        from transformers import AutoModel

        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.words = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.words.enable_truncation(LONGEST)
        self.words.enable_padding()
        self.model = AutoModel.from_pretrained(folder, local_files_only=True)
        self.model = self.model.float().to(self.device)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return vectors of length 1, a row each."""
        read = self.words.encode_batch(list(texts))
        numbers = self.torch.tensor([one.ids for one in read], device=self.device)
        seen = self.torch.tensor([one.attention_mask for one in read], device=self.device)
        with self.torch.autocast(self.device, dtype=self.torch.bfloat16):
            vectors = self.model(input_ids=numbers, attention_mask=seen).last_hidden_state
        mean = (vectors.float() * seen[..., None]).sum(1) / seen.sum(1, keepdim=True)
        return self.torch.nn.functional.normalize(mean, dim=1)

    def loss(self, texts: Sequence[str], group: Sequence[int]) -> Any:
        """Return by how much texts are nearer to those of other groups, in nats."""
        vectors = self.embed(texts)
        owner = self.torch.tensor(group, device=self.device)
        itself = self.torch.eye(len(group), dtype=self.torch.bool, device=self.device)
        near = (vectors @ vectors.T * SHARPNESS).masked_fill(itself, float("-inf"))
        own = near.masked_fill(owner[:, None] != owner[None, :], float("-inf"))
        return (near.logsumexp(1) - own.logsumexp(1)).mean()

    def found(self, masked: Masked) -> float:
        """Return the share of texts whose nearest is of the same group."""
        texts = [text for group in masked.groups for text in group]
        owner = self.torch.tensor([at for at, group in enumerate(masked.groups) for _ in group])
        self.model.eval()
        with self.torch.no_grad():
            parts = [self.embed(texts[at : at + 128]) for at in range(0, len(texts), 128)]
            near = self.torch.cat(parts) @ self.torch.cat(parts).T
        nearest = near.fill_diagonal_(-2).argmax(1).cpu()
        return float((owner[nearest] == owner).float().mean())


def batches(corpora: Sequence[Masked], rng: random.Random) -> Iterator[tuple[list[str], list[int]]]:
    """Yield texts with the number of their group, without end; larger corpora come more often."""
    weights = [len(one.groups) ** 0.5 for one in corpora]
    while True:
        groups = rng.choices(corpora, weights)[0].groups
        texts, owner = list[str](), list[int]()
        for at, group in enumerate(rng.sample(groups, min(GROUPS, len(groups)))):
            for text in rng.sample(group, min(3, len(group))):
                texts.append(shortened(text, rng))
                owner.append(at)
        yield texts, owner


def shortened(text: str, rng: random.Random) -> str:
    """Return a text without a share of its words."""
    return " ".join(word for word in text.split() if rng.random() >= DROPPED)


def train(rows: Sequence[Masked], folder: Path, out: Path, left_out: Sequence[str]) -> None:
    """Train a model, write its folder, and print what it finds in corpora that were left out."""
    import torch
    from safetensors.torch import save_file

    known = [row for row in rows if row.corpus not in left_out]
    unseen = [row for row in rows if row.corpus in left_out]
    torch.manual_seed(0)
    model = Trained(folder)
    before = [model.found(row) for row in unseen]
    steps = torch.optim.AdamW(model.model.parameters(), lr=RATE, weight_decay=0.01)
    rates = torch.optim.lr_scheduler.LambdaLR(
        steps, lambda step: min(1.0, step / 50) * max(0.0, 1 - step / STEPS)
    )
    model.model.train()
    mean = 0.0
    for step, (texts, group) in zip(range(STEPS), batches(known, random.Random(0)), strict=False):
        loss = model.loss(texts, group)
        steps.zero_grad()
        loss.backward()
        steps.step()
        rates.step()
        mean = NEAR * mean + (1 - NEAR) * loss.item()
        if step % 25 == 24:
            shown = [model.found(row) for row in unseen]
            model.model.train()
            print(f"{step + 1} batches: loss {mean:.3f}; {_cells(shown)}", flush=True)
    for row, old in zip(unseen, before, strict=True):
        print(f"| {row.corpus}, {row.way} | {old:.2f} | {model.found(row):.2f} |", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "vocab.txt", "tokenizer.json"):
        shutil.copy(folder / name, out / name)
    save_file(
        {
            name: one.to(torch.float16).contiguous()
            for name, one in model.model.state_dict().items()
        },
        str(out / "model.safetensors"),
    )


def _cells(shares: Sequence[float]) -> str:
    return " ".join(f"{one:.2f}" for one in shares)


def main() -> None:
    """Write the texts, or train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("texts").add_argument("file", type=Path)
    training = commands.add_parser("train")
    training.add_argument("file", type=Path)
    training.add_argument("--model", type=Path, required=True, help="folder of a BERT model")
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--leave-out", nargs="*", default=[])
    given = parser.parse_args()
    if given.command == "texts":
        write(given.file)
        return
    lines = given.file.read_text(encoding="utf-8").splitlines()
    train([Masked(**json.loads(line)) for line in lines], given.model, given.out, given.leave_out)


if __name__ == "__main__":
    main()
