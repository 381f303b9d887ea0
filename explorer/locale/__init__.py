"""Every sentence a user reads, one module a language; `LANGUAGES` lists them."""

from types import ModuleType

from . import en

LANGUAGES: tuple[ModuleType, ...] = (en,)
