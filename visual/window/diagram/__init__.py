"""The space-time diagram's pane: scrolling, actions and menu."""
