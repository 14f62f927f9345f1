"""The package itself: stubs from the tables, the tutorial, the metadata of the wheel."""
import pathlib
import runpy
import sys

import pytest

import rnnalf
from conftest import ROOT
from rnnalf import _stubs


def test_the_stubs_are_made_from_the_tables_as_they_are():
    written = (ROOT / "adapters" / "python" / "rnnalf" / "__init__.pyi").read_text()
    assert written == _stubs.stubs(), "run: python3 -m rnnalf._stubs > adapters/python/rnnalf/__init__.pyi"


def test_every_public_name_is_documented():
    for name in rnnalf.__all__:
        if not name.startswith("__"):
            assert getattr(rnnalf, name).__doc__, name


def test_the_tutorial_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RNNALF_TUTORIAL", "test")
    runpy.run_path(str(ROOT / "examples" / "python" / "tutorial.py"))


def test_the_wheel_says_what_it_is(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "adapters" / "python" / "packaging"))
    import backend
    assert backend.version() == rnnalf.__version__
    lines = backend.metadata().splitlines()
    assert "Name: rnnalf" in lines and "Requires-Dist: numpy" in lines
