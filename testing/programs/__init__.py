"""Random compute shaders: `program` makes one."""
from .program import program

__all__ = ["program"]
