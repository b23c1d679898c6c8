"""The course, with its tasks, questions and marks, and the labs, which reproduce papers' tables and figures."""
