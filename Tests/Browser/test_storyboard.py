"""The storyboard: every screen of an app in every state on one board."""

import itertools
import re

import acting
import pytest
from playwright.sync_api import expect


def replace_tiles(page, body=""):
    """Replaces the tiles by empty ones or by `body`, so that no state is rendered."""
    tile = "<!doctype html><title>A tile</title>" + body
    page.route("**/frame?*", lambda route: route.fulfill(content_type="text/html", body=tile))


@pytest.fixture
def board(browsers, foyer):
    """Opens a board, by default without rendering its tiles."""

    def open_board(address, tiles=False, **options):
        page = browsers.device(foyer, reduced_motion="reduce", **options)
        if not tiles:
            replace_tiles(page)
        page.goto(foyer.base + address)
        return page

    return open_board


def tile(page, name):
    return page.get_by_test_id(f"storyboard.tile.{name}")


def zoom(page):
    return page.get_by_test_id("storyboard.zoom")


def title(page):
    return page.get_by_test_id("storyboard.panel.title")


def scroll_position(page):
    return page.locator("[data-viewport]").evaluate("it => [it.scrollLeft, it.scrollTop]")


def turn_wheel(page, delta):
    """Zooms in the middle of the board."""
    # Without the page's listener the browser would zoom the page itself.
    acting.wait_for_frame(page)
    page.mouse.move(700, 500)
    page.keyboard.down("Control")
    page.mouse.wheel(0, delta)
    page.keyboard.up("Control")


def test_a_tile_is_selected_by_keyboard(board):
    page = board("/storyboard/mystica")
    tile(page, "splash.default").focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page, "login.default")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(tile(page, "login.error.email")).to_be_focused()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("login, Field error: email address")
    expect(tile(page, "login.error.email")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"at=login%2Ferror\.email"))
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    expect(tile(page, "login.error.email")).to_be_focused()
    # Only one of the tiles is a tab stop.
    assert page.locator("[data-tile][tabindex='0']").count() == 1


def test_moving_to_a_shorter_column_focuses_its_last_tile(board):
    page = board("/storyboard/mystica")
    tile(page, "verify.toast.resend").focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page, "map.default")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(tile(page, "settings.loading.logout")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(tile(page, "settings.loading.logout")).to_be_focused()


def test_back_and_forward_restore_the_selection(board):
    page = board("/storyboard/mystica")
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, Default")
    tile(page, "verify.default").click()
    expect(title(page)).to_have_text("verify, Default")
    page.go_back()
    expect(title(page)).to_have_text("login, Default")
    expect(page.locator(".board-tile.is-selected")).to_have_count(1)
    page.go_back()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.go_forward()
    expect(title(page)).to_have_text("login, Default")


@pytest.mark.full_browser
def test_a_tile_is_opened_by_its_url(board):
    page = board("/storyboard/clarity?at=settings/confirm.delete")
    expect(title(page)).to_have_text("settings, Confirmation: Delete Account")
    expect(tile(page, "settings.confirm.delete")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.copy").click()
    expect(page.locator(".toast")).to_be_visible()


def test_the_board_is_zoomed_by_buttons_keys_and_wheel(board):
    page = board("/storyboard/mystica")
    expect(zoom(page)).to_have_text("24%")
    page.get_by_test_id("storyboard.zoom.in").click()
    expect(zoom(page)).to_have_text("50%")
    page.keyboard.press("+")
    expect(zoom(page)).to_have_text("100%")
    page.keyboard.press("+")
    expect(zoom(page)).to_have_text("100%")
    for step in ["50%", "24%", "12%", "12%"]:
        page.keyboard.press("-")
        expect(zoom(page)).to_have_text(step)
    turn_wheel(page, -60)
    expect(zoom(page)).to_have_text("16%")


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
    row = tile(page, "login.failure.login.1")
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
    turn_wheel(page, 50)
    expect(zoom(page)).not_to_have_text("50%")
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
    expect(zoom(page)).to_have_text("50%")
    assert scroll_position(page) == [640, 480]


def test_the_url_contains_the_zoom(board):
    page = board("/storyboard/clarity")
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile(r"\?zoom=50$"))
    turn_wheel(page, 60)
    expect(page).to_have_url(re.compile(r"\?zoom=37$"))
    tile(page, "login.default").click()
    expect(page).to_have_url(re.compile(r"at=login%2Fdefault&zoom=37$"))
    address = page.url.split("/storyboard/", 1)[1]

    other = board("/storyboard/" + address)
    expect(zoom(other)).to_have_text("37%")
    expect(title(other)).to_have_text("login, Default")
    box = other.locator(".board-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((393 + 28) * 0.37)
    other.keyboard.press("-")
    expect(zoom(other)).to_have_text("24%")
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
    box = tile(page, "login.default").bounding_box()
    for start in [empty_spot, (box["x"] + 60, box["y"] + 90)]:
        page.evaluate("document.querySelector('[data-viewport]').scrollTo(0, 0)")
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] - 120, start[1] - 80, steps=3)
        page.mouse.up()
        assert scroll_position(page) == [120, 80]
        expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, Default")


@pytest.mark.parametrize("button", ["left", "middle"])
def test_the_board_is_dragged_with_space_or_the_middle_button(board, button):
    page = board("/storyboard/clarity")
    box = tile(page, "login.default").bounding_box()
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
    assert scroll_position(page) == [120, 80]
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
    expect(zoom(page)).to_have_text("48%")
    assert page.evaluate(column, middle) == before
    assert page.evaluate("visualViewport.scale") == 1
    expect(page).to_have_url(re.compile("zoom=48"))


def test_the_board_is_filtered_and_the_filters_are_removed(board):
    page = board("/storyboard/mystica")
    page.get_by_test_id("storyboard.kind").click()
    page.get_by_test_id("storyboard.kind.field-error").click()
    expect(page.locator("[data-tile]")).to_have_count(4)
    page.get_by_test_id("storyboard.screen").click()
    page.get_by_test_id("storyboard.screen.login").click()
    expect(page.locator("[data-tile]")).to_have_count(2)
    page.get_by_test_id("storyboard.filter").first.click()
    expect(page.locator("[data-tile]")).to_have_count(4)
    page.get_by_test_id("storyboard.clear").click()
    expect(page.locator("[data-tile]")).to_have_count(36)


def test_a_filter_without_results_offers_to_show_all(board):
    page = board("/storyboard/mystica?kind=disabled")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.get_by_role("link", name="Show all", exact=True).click()
    expect(tile(page, "splash.default")).to_be_visible()


def test_two_apps_are_shown_side_by_side(board):
    page = board("/storyboard/mystica?zoom=12")
    page.get_by_test_id("storyboard.compare").click()
    page.get_by_test_id("storyboard.compare.wall").click()
    expect(page.get_by_test_id("storyboard.board.wall")).to_be_visible()
    page.wait_for_load_state("load")
    tile(page, "wall.landing.default").click()
    expect(title(page)).to_have_text("landing, Default")
    expect(page).to_have_url(re.compile("of=wall"))
    page.keyboard.press("Escape")
    tile(page, "map.default").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(tile(page, "wall.start.default")).to_be_focused()


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


def test_two_sizes_and_appearances_are_shown_side_by_side(board):
    page = board("/storyboard/bob")
    tile(page, "login.default").click()
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.besideSize.ipad").click()
    page.get_by_test_id("storyboard.appearance").click()
    page.get_by_test_id("storyboard.besideAppearance.dark").click()
    expect(title(page)).to_have_text("login, Default")
    item = page.locator(".board-tile").filter(has=tile(page, "login.default"))
    expect(item.locator(".phone-name")).to_have_text(["iPhone 15, system", "iPad, dark"])
    expect(item.locator("iframe")).to_have_count(2)
    boxes = [phone.bounding_box() for phone in item.locator(".phone").all()]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    tile(page, "login.default").focus()
    page.keyboard.press("ArrowDown")
    expect(tile(page, "login.error.email")).to_be_focused()
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.besideSize.none").click()
    expect(item.locator(".phone-name")).to_have_text(["System", "Dark"])


def test_changing_the_size_keeps_the_selection(board):
    page = board("/storyboard/bob")
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, Default")
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.size.ipad").click()
    expect(page).to_have_url(re.compile("size=ipad"))
    page.wait_for_load_state("load")
    expect(title(page)).to_have_text("login, Default")
    box = page.locator(".board-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((820 + 28) * 0.24)
    page.get_by_test_id("storyboard.appearance").click()
    page.get_by_test_id("storyboard.appearance.dark").click()
    expect(page).to_have_url(re.compile("size=ipad&appearance=dark"))


def test_the_board_works_without_scripts(board):
    page = board("/storyboard/mystica", java_script_enabled=False)
    page.get_by_test_id("storyboard.zoom.in").click()
    expect(zoom(page)).to_have_text("50%")
    page.get_by_test_id("storyboard.zoom.out").click()
    expect(page.get_by_test_id("storyboard.zoom.fit")).to_be_hidden()
    expect(page.get_by_test_id("storyboard.zoom.width")).to_be_hidden()
    tile(page, "login.loading.submit").click()
    expect(title(page)).to_have_text("login, Loading")
    expect(page.get_by_test_id("storyboard.panel.selector").first).to_have_text(
        re.compile(r"login\.tab\.login")
    )
    page.get_by_test_id("storyboard.panel.close").click()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()


def test_on_a_phone_the_panel_is_a_bottom_sheet(board):
    page = board("/storyboard/mystica", viewport={"width": 390, "height": 844})
    tile(page, "login.default").click()
    panel = page.get_by_test_id("storyboard.panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box["x"] == 0 and round(box["width"]) == 390
    assert box["y"] > 300 and round(box["y"] + box["height"]) == 844 - 64
    expect(tile(page, "login.default")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.close").click()
    expect(panel).to_be_hidden()


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


def test_no_tiles_overlap(board):
    page = board("/storyboard/clarity")
    boxes = page.locator(".board-tile").evaluate_all("""(tiles) => tiles.map((tile) => {
        const a = tile.querySelector('.phone').getBoundingClientRect();
        const b = tile.querySelector('.tile-label').getBoundingClientRect();
        return [a.left, a.top, Math.max(a.right, b.right), b.bottom];
    })""")
    for one, other in itertools.combinations(boxes, 2):
        is_beside = one[2] <= other[0] or other[2] <= one[0]
        assert is_beside or one[3] <= other[1] or other[3] <= one[1]


def test_tiles_show_the_real_screens(board):
    page = board("/storyboard/mystica-instant?zoom=12", tiles=True)
    for screen in ["splash", "map", "settings"]:
        frame = page.frame_locator(f"iframe[title='{screen}, Default']")
        expect(frame.locator(f"body[data-screen='{screen}']")).to_be_attached()
    dialog = page.frame_locator("iframe[title='settings, Confirmation: Logout']")
    expect(dialog.get_by_role("alertdialog")).to_be_attached()
    expect(page.get_by_test_id("storyboard.facts")).to_contain_text("ago")
    # No screen takes the focus, and the board does not scroll.
    assert page.evaluate("document.activeElement === document.body")
    assert scroll_position(page) == [0, 0]


def test_the_panel_shows_how_a_state_was_reached(board):
    page = board(
        "/storyboard/mystica-instant?screen=settings&at=settings/confirm.logout", tiles=True
    )
    expect(page.get_by_test_id("storyboard.panel.state")).to_have_text("Reached")
    expect(page.get_by_test_id("storyboard.panel.step").first).to_contain_text("1")
    page.get_by_test_id("storyboard.rerender").click()
    expect(title(page)).to_have_text("settings, Confirmation: Logout")
    expect(page.get_by_test_id("storyboard.panel.state")).to_have_text("Reached")


@pytest.mark.parametrize(
    "kind, name, reason",
    [
        ("unreachable", "Unreachable", "No response."),
        ("broken", "Broken", "login.mustache:2:1: unclosed"),
    ],
)
def test_a_tile_without_a_screen_shows_the_reason(board, kind, name, reason):
    page = board("/storyboard/bob")
    page.unroute("**/frame?*")
    replace_tiles(
        page,
        f"<main class='tile-error is-{kind}' data-testid='tile.{kind}'>"
        f"<h1>{name}</h1><p>{reason}</p></main>",
    )
    page.reload()
    unreachable = page.locator(f".board-tile.is-failed.is-{kind}").first
    expect(unreachable).to_contain_text(name)
    expect(unreachable).to_contain_text(reason)
    expect(unreachable.locator("iframe")).to_have_count(0)


def test_home_and_main_menu_link_to_the_storyboard(page, foyer):
    replace_tiles(page)
    page.goto(foyer.base)
    page.get_by_test_id("home.app.wall.storyboard").click()
    expect(page.locator("h1")).to_have_text("Anonymous Wall storyboard")
    page.get_by_test_id("nav.storyboard").click()
    expect(page.locator("h1")).to_have_text("Mystica storyboard")
    page.get_by_test_id("storyboard.apps").click()
    page.get_by_test_id("storyboard.apps.bob").click()
    expect(page.locator("h1")).to_have_text("Bob the Builder storyboard")


def test_the_board_loads_before_its_tiles(page, fresh_foyer):
    routes = []
    page.route("**/frame?*", lambda route: routes.append(route))
    page.goto(fresh_foyer.entrance)
    # The page loads although no tile has a response.
    page.goto(f"{fresh_foyer.base}/storyboard/bob", wait_until="load")
    expect(page.locator(".board-tile iframe")).to_have_count(4)
    # What is not rendered yet shows the app's skeleton.
    expect(page.locator(".board-tile iframe").first).to_be_hidden()
    expect(page.locator(".skeleton").first).to_be_visible()
    for route in routes:
        route.abort()


def test_without_scripts_every_tile_is_an_iframe(fresh_foyer, browsers):
    page = browsers.device(fresh_foyer, java_script_enabled=False)
    replace_tiles(page)
    page.goto(f"{fresh_foyer.base}/storyboard/mystica")
    expect(page.locator(".board-tile")).to_have_count(36)
    expect(page.locator(".board-tile iframe")).to_have_count(36)


def test_unreachable_tiles_are_selected_one_after_another(board):
    page = board("/storyboard/wall?screen=login&zoom=12", tiles=True)
    unreachable = page.locator(".board-tile.is-failed")
    expect(unreachable.nth(1)).to_be_attached(timeout=60_000)
    next_button = page.get_by_test_id("storyboard.failures")
    chosen = page.locator(".board-tile.is-selected.is-failed .tile-link")
    next_button.click()
    expect(chosen).to_have_count(1)
    first = chosen.get_attribute("href")
    expect(page.get_by_test_id("storyboard.panel.reason")).to_be_visible()
    next_button.click()
    expect(chosen).not_to_have_attribute("href", first)
