"""From a scenario to a computed trace."""
