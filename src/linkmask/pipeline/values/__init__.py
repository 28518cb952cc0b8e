"""The values of a run, with all their spellings.

run_value           one value, and what was computed from its spellings
run_values          gathers the values of a run, or brings those of the last edition on
earlier_masks       finds the values that an earlier run masked in the run of today
possible_spellings  finds the spellings that can stand in some texts
"""
