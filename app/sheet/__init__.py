"""What can be said of a run, ready for JSON: steps, why, slopes, comparisons."""
