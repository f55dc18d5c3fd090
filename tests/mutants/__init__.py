"""Faults seeded into the checker: the tests have to notice every one."""
