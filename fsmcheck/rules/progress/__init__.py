"""Rules about going on: which transitions are taken, what stops a run, how often a loop turns."""
