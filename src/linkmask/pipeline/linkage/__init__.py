"""Words that are no entity, but by which an attacker links a person's texts.

background        words that lead to public texts about a person
linking_words     adds all that the settings ask for
surprising_words  words that a language uses least
rare_terms        rare words that link a person's documents; `related_documents`: which belong
                  together; `shared_words`: where each is masked; `common_words`: what is not rare
topic_words       words by which a sentence model links them; `embedding`: loads that model
limit_words       words that keep a document above the limit for linking
left_texts        reads texts as the plan leaves them
readable_words    reads the words that rules leave readable, and adds some to the mentions
certificate       estimates how often attackers find another document of a person
public_certificate  measures how often they find the public text about a person
"""
