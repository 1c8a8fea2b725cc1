"""The storyboard's board: zoom, scrolling, and the names that stay in view."""

import re

import boards
import pytest
from playwright.sync_api import expect


def test_the_board_is_zoomed_by_buttons_keys_and_wheel(board):
    page = board("/storyboard/mystica")
    expect(boards.zoom(page)).to_have_text("24%")
    page.get_by_test_id("storyboard.zoom.in").click()
    expect(boards.zoom(page)).to_have_text("50%")
    page.keyboard.press("+")
    expect(boards.zoom(page)).to_have_text("100%")
    page.keyboard.press("+")
    expect(boards.zoom(page)).to_have_text("100%")
    for step in ["50%", "24%", "12%", "12%"]:
        page.keyboard.press("-")
        expect(boards.zoom(page)).to_have_text(step)
    boards.turn_wheel(page, -60)
    expect(boards.zoom(page)).to_have_text("16%")


def test_the_board_is_fitted_to_the_width_or_as_a_whole(board):
    page = board("/storyboard/bob")

    def shown_parts():
        """How much of the window the board's width and height take."""
        return page.evaluate("""() => {
            const viewport = document.querySelector('[data-viewport]');
            const box = document.querySelector('[data-canvas]').getBoundingClientRect();
            return [box.width / viewport.clientWidth, box.height / viewport.clientHeight];
        }""")

    for fit_width, fit_all in [
        (lambda: page.keyboard.press("w"), lambda: page.keyboard.press("0")),
        (
            page.get_by_test_id("storyboard.zoom.width").click,
            page.get_by_test_id("storyboard.zoom.fit").click,
        ),
    ]:
        fit_width()
        width, height = shown_parts()
        assert 0.9 < width <= 1 and height > 2
        fit_all()
        width, height = shown_parts()
        assert width < 1 and 0.6 < height <= 1


def test_fitting_the_width_keeps_the_row(board):
    page = board("/storyboard/bob?zoom=50")
    row = boards.tile(page, "login.failure.login.1")
    row.evaluate("it => it.closest('.board-tile').scrollIntoView({ block: 'start' })")
    page.keyboard.press("w")
    expect(row).to_be_in_viewport()


def test_zooming_keeps_the_point_under_the_pointer(board):
    page = board("/storyboard/clarity?zoom=50")
    page.evaluate("document.querySelector('[data-viewport]').scrollTo(900, 900)")
    before = page.evaluate(
        "document.elementFromPoint(700, 500).closest('.board-column')"
        ".querySelector('h2').textContent"
    )
    boards.turn_wheel(page, 50)
    expect(boards.zoom(page)).not_to_have_text("50%")
    after = page.evaluate(
        "document.elementFromPoint(700, 500).closest('.board-column')"
        ".querySelector('h2').textContent"
    )
    assert before == after


def test_a_reload_keeps_zoom_and_scroll_position(board):
    page = board("/storyboard/clarity")
    page.keyboard.press("+")
    page.evaluate("document.querySelector('[data-viewport]').scrollTo(640, 480)")
    page.reload()
    expect(boards.zoom(page)).to_have_text("50%")
    assert boards.scroll_position(page) == [640, 480]


def test_the_url_contains_the_zoom(board):
    page = board("/storyboard/clarity")
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile(r"\?zoom=50$"))
    boards.turn_wheel(page, 60)
    expect(page).to_have_url(re.compile(r"\?zoom=37$"))
    boards.tile(page, "login.default").click()
    expect(page).to_have_url(re.compile(r"at=login%2Fdefault&zoom=37$"))
    address = page.url.split("/storyboard/", 1)[1]

    other = board("/storyboard/" + address)
    expect(boards.zoom(other)).to_have_text("37%")
    expect(boards.title(other)).to_have_text("login, Default")
    box = other.locator(".board-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((393 + 28) * 0.37)
    other.keyboard.press("-")
    expect(boards.zoom(other)).to_have_text("24%")
    expect(other).not_to_have_url(re.compile("zoom="))


def test_the_board_is_scrolled_by_dragging(board):
    page = board("/storyboard/clarity")
    empty_spot = page.evaluate("""() => {
        for (let y = 300; y < 800; y += 8) for (let x = 300; x < 1100; x += 8) {
            const there = document.elementFromPoint(x, y);
            if (there.closest('[data-viewport]') && !there.closest('[data-tile]'))
                return [x, y];
        }
    }""")
    box = boards.tile(page, "login.default").bounding_box()
    for start in [empty_spot, (box["x"] + 60, box["y"] + 90)]:
        page.evaluate("document.querySelector('[data-viewport]').scrollTo(0, 0)")
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] - 120, start[1] - 80, steps=3)
        page.mouse.up()
        assert boards.scroll_position(page) == [120, 80]
        expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    boards.tile(page, "login.default").click()
    expect(boards.title(page)).to_have_text("login, Default")


@pytest.mark.parametrize("button", ["left", "middle"])
def test_the_board_is_dragged_with_space_or_the_middle_button(board, button):
    page = board("/storyboard/clarity")
    box = boards.tile(page, "login.default").bounding_box()
    start = (box["x"] + 60, box["y"] + 90)
    page.mouse.move(*start)
    if button == "left":
        page.keyboard.down(" ")
        # Without a movement it selects nothing either.
        page.mouse.click(*start)
        expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.mouse.down(button=button)
    page.mouse.move(start[0] - 120, start[1] - 80, steps=3)
    page.mouse.up(button=button)
    page.keyboard.up(" ")
    assert boards.scroll_position(page) == [120, 80]
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    assert len(page.context.pages) == 1
    page.mouse.click(*start)
    expect(page.get_by_test_id("storyboard.panel")).to_be_visible()


def test_space_presses_a_focused_button(board):
    page = board("/storyboard/clarity")
    page.mouse.move(700, 500)
    page.get_by_test_id("storyboard.kind").focus()
    page.keyboard.press(" ")
    expect(page.get_by_test_id("storyboard.kind.failure")).to_be_visible()


def test_two_fingers_zoom_the_board_around_their_middle(board):
    page = board("/storyboard/clarity", has_touch=True)
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    middle = (700, 500)
    column = "([x, y]) => document.elementFromPoint(x, y).closest('[data-column]')?.innerText"
    before = page.evaluate(column, middle)
    touch("touchStart", (650, 500), (750, 500))
    for distance in [60, 70, 80, 90, 100]:
        touch("touchMove", (700 - distance, 500), (700 + distance, 500))
    touch("touchEnd")
    expect(boards.zoom(page)).to_have_text("48%")
    assert page.evaluate(column, middle) == before
    assert page.evaluate("visualViewport.scale") == 1
    expect(page).to_have_url(re.compile("zoom=48"))


def test_the_names_of_compared_apps_stay_in_view(board):
    page = board("/storyboard/mystica?compare=wall&zoom=50")
    scroll = "([x, y]) => document.querySelector('[data-viewport]').scrollTo(x, y)"
    view = page.get_by_test_id("storyboard.viewport").bounding_box()
    width = page.get_by_test_id("storyboard.board.mystica").bounding_box()["width"]
    # In the middle of the first app, then in that of the second.
    for left, name in [(width / 3, "Mystica"), (width * 1.1, "Anonymous Wall")]:
        page.evaluate(scroll, [left, 700])
        head = page.locator(".board-name", has_text=name)
        expect(head).to_be_in_viewport()
        page.wait_for_function(
            "([name, x, y]) => { const head = [...document.querySelectorAll('.board-name')]"
            ".find((it) => it.textContent.includes(name));"
            "const glyph = head.querySelector('.glyph').getBoundingClientRect();"
            "return Math.abs(head.getBoundingClientRect().top - y) < 2"
            "  && glyph.left >= x && glyph.left < x + 40; }",
            arg=[name, view["x"], view["y"]],
        )


def test_column_headings_stay_in_view(board):
    page = board("/storyboard/clarity")
    page.evaluate("document.querySelector('[data-viewport]').scrollTo(0, 2000)")
    head = page.locator(".column-head", has_text="register")
    expect(head).to_be_in_viewport()
    board_box = page.get_by_test_id("storyboard.viewport").bounding_box()
    page.wait_for_function(
        "(top) => Math.abs(document.querySelector('.column-head')"
        ".getBoundingClientRect().top - top) < 2",
        arg=board_box["y"],
    )
