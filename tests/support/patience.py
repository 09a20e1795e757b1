"""How long tests wait for what must happen. Only a failure takes so long; a busy machine may need a part of it."""

SECONDS = 90.0
MILLISECONDS = 1000 * SECONDS
