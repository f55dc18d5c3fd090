"""The outline of a spec: its parts in words, and the guard matrix of each state."""
