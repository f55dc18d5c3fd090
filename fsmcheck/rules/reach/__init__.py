"""Rules about what is reached: states, values, terminal states."""
