"""The symbolic transition system of a spec."""
