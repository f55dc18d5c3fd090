"""Rules about the age of answers: whether a loop asks anew, and what becomes of what was answered."""
