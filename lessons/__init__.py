"""The labs, which reproduce the papers' tables and figures."""
