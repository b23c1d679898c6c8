"""Decks of slides as files: PowerPoint, HTML and PDF."""
