"""Presenting: questions at markers, panels on the stage, tools to point with, talks, the presenter's window."""
