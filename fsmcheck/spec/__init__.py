"""Specs: the model and how a file becomes one."""
