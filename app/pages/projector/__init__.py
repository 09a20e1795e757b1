"""The projector: one step of the sheet on a whole screen, measured so that it fits without scrolling."""

from app.pages.projector.screen import Projection, project

__all__ = ["Projection", "project"]
