"""Search of whole layers at once, with NumPy: each configuration a number, a frontier a sorted array of them.

For systems whose configurations are too many to be searched one by one, and whose sets have no small decision diagrams.
"""
