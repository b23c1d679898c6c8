"""Plots as shapes: a kit of axes, bars and curves, and what is plotted along a run."""
