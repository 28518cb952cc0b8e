"""Mentions → risk → plan, and what policies demand of the plan.

scoring         computes risks, plan, and the risks that remain
generalization  decides which values are masked or written coarser by rule
rare_values     counts values as a release shows them, where rare terms mask them
regulation      computes what policies demand of entities, and in which style
"""
