"""The graph panes: drawing, editing, inspector and legend."""
