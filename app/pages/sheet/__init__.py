"""The sheet: controls, map, step, why."""
