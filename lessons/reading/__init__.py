"""The format of lesson files: one Markdown file of data, of which no text is ever executed."""
