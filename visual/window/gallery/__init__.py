"""The gallery of scenarios, algorithms and labs."""
