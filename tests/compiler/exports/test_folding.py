"""A picture that would be too wide is laid out in rows, as a long line of text is folded."""

from __future__ import annotations

from newel.compiler.exports.dot import dot
from newel.compiler.exports.folding import WIDEST, rows
from newel.compiler.exports.layout import layout
from newel.compiler.exports.picture import FULL_EFFORT, picture
from newel.compiler.exports.svg import svg, svgs
from tests.compiler.exports.boards import chain, office, program


def test_what_fits_is_left_as_it_is() -> None:
    shown = picture(program(office()), office())
    assert rows(shown, layout(dot(shown))) == ()


def test_a_row_of_sixty_steps_is_folded_in_the_order_it_is_read() -> None:
    """Every step is in one row; rows begin where the one before ended, and stand below it."""
    shown = picture(program(chain(60)), chain(60))
    found = rows(shown, layout(dot(shown)))
    assert [key for row in found for key in row] == [f"step-{number}" for number in range(60)]
    folded = layout(dot(shown, found))
    assert folded.width <= WIDEST
    tops = [min(y for _, y in folded.drawn[f"step-{row[0]}"].shapes[0].points) for row in found]
    assert tops == sorted(tops)


def test_all_steps_and_arrows_of_a_folded_picture_are_drawn() -> None:
    text = svg(picture(program(chain(60)), chain(60)))
    shown = picture(program(chain(60)), chain(60))
    assert text.count('<a href="#step-') == 60
    assert text.count('<g class="arrow') == len(shown.arrows)


def test_what_takes_long_is_laid_out_once() -> None:
    shown = picture(program(chain(FULL_EFFORT)), chain(FULL_EFFORT))
    assert rows(shown, layout(dot(shown))) == ()


def test_pictures_that_are_laid_out_together_are_those_laid_out_alone() -> None:
    """In their order, whichever of them are folded."""
    shown = [picture(program(each), each) for each in (chain(3), chain(30), office(), chain(5), chain(40))]
    assert svgs(shown) == [svg(each) for each in shown]
