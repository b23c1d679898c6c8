"""Themes, scenarios and icons."""
