"""The kinds of tasks: predictions, being a node, challenges, orders, experiments, repairs, and telling steps."""
