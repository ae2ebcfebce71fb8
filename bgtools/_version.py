"""The version, alone in its module so that `bgtools --version` reads nothing else."""

__version__ = "0.1.0"
