"""Plots as shapes: axes, bars and curves, and the plots of a run."""
