"""Analyses that programs print for people to read."""
