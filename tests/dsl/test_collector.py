"""The garbage collector stands still while a tree is made, and runs again afterwards."""

from __future__ import annotations

import gc

import pytest

from newel.dsl import parse
from newel.dsl.collector import paused


def test_it_stands_still_inside_and_runs_afterwards() -> None:
    with paused():
        assert not gc.isenabled()
        with paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_runs_again_after_an_error() -> None:
    with pytest.raises(KeyError), paused():
        raise KeyError
    assert gc.isenabled()


def test_where_it_is_off_it_stays_off() -> None:
    gc.disable()
    try:
        parse("placeholder x")
        assert not gc.isenabled()
    finally:
        gc.enable()
