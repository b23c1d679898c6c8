"""Shapes, fonts, themes, and what paints them on a surface or writes them as SVG. Knows no run."""
