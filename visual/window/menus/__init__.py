"""Menus and their text fields."""
