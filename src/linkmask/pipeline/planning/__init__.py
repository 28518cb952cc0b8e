"""Mentions → risk → plan, and what persons and policies demand of the plan.

correcting      applies what persons said of entities to the mentions of a run
scoring         computes risks, plan, and the risks that remain
generalization  decides which values are masked or written coarser by rule
regulation      computes what policies demand of entities, and in which style
"""
