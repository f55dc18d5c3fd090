"""Layered drawings of directed graphs, after Sugiyama, Tagawa and Toda (1981): geometry only, no pictures.

Cycles are broken, nodes are put in layers, crossings between layers are reduced, places are found, edges are routed.
Labels are nodes of layers of their own, so that nothing lies on them.
"""
