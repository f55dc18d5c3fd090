"""Engines that decide obligations on a transition system."""
