"""Analyses that programs print to be read by people."""
