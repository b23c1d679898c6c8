"""Analyses of a run, worked out from its timeline: studies, histories, causes, tokens, the wait-for graph.

Nothing here knows the window, draws a shape or makes a sentence, and nothing moves a timeline for good.
"""
