"""Repair: the edits that findings offer are made, and every round of them is judged again before it counts."""
