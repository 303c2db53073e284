"""Points and places, one pure table a game. Nothing here knows of streams, Redis or callers."""
