"""What a user's questions ask for, and what masking leaves of the answers.

questions       reads questions, and the words of their answers
asked_entities  finds the entities that stand in answers, which cost more to mask
answers_left    counts which answers a release still holds, and what took the others
"""
