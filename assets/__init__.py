"""Themes, scenarios, talks, templates and the player of pages, as data."""
