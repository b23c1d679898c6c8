"""Shapes, fonts and themes, painted on a surface or written as SVG, PDF, films and slides. Knows no run."""
