"""What stands beside the step: a scenario that is pinned, the slopes of a cell, and the numbers before the edits."""

from dataclasses import dataclass

from app.pages.sheet.comparison import Contrast, make_contrast
from app.pages.sheet.request import SheetRequest
from app.sheet.changes import Changes, find_changes
from app.sheet.slopes import SlopeSummary, make_slope_summary


@dataclass(frozen=True, slots=True)
class BesidePanel:
    """Other numbers that the numbers of the step are read against."""

    contrast: Contrast | None
    """What is pinned beside it, where something is."""
    moved: SlopeSummary | None
    """What is said of the cell whose slopes are shown."""
    changes: Changes
    """What was before the edits; beside a pinned run it gives way to what is there."""


def make_beside(page: SheetRequest) -> BesidePanel:
    """Compare the run with what is pinned, or with itself before the edits."""
    run, place, words, influence = page.run, page.place, page.words, page.influence
    contrast = make_contrast(page.pinned, run, place, words, influence) if page.pinned else None
    return BesidePanel(
        contrast=contrast,
        moved=make_slope_summary(influence, place.step, place.index, words) if influence else None,
        changes=Changes({}, {}) if contrast else find_changes(run),
    )
