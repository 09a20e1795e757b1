"""Pictures of a run: matrices, heatmaps, thumbnails, diagrams, points; colours and formulas."""
