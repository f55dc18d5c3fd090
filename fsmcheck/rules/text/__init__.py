"""Rules decided on the text of a spec, without running it."""
