"""Settings of the property tests: no clock, no files left behind."""

from hypothesis import settings

settings.register_profile("haibun", database=None, deadline=None)
settings.load_profile("haibun")
