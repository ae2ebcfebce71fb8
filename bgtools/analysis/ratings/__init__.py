"""Ratings, a module each: the formula, which decisions it counts and why, and what it calls the result.

They differ mostly in what they count, so every decision carries what each of them says of it, with the reason.
"""
