"""The shared stepping engine. Standard library only: it will also have to run in a browser's Python."""
