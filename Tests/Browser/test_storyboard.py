"""The storyboard: every screen of an app in every state on one board."""

import itertools
import re

import boards
import pytest
from playwright.sync_api import expect


def test_a_tile_is_selected_by_keyboard(board):
    page = board("/storyboard/mystica")
    boards.tile(page, "splash.default").focus()
    page.keyboard.press("ArrowRight")
    expect(boards.tile(page, "login.default")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(boards.tile(page, "login.error.email")).to_be_focused()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(boards.title(page)).to_have_text("login, Field error: email address")
    expect(boards.tile(page, "login.error.email")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"at=login%2Ferror\.email"))
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    expect(boards.tile(page, "login.error.email")).to_be_focused()
    # Only one of the tiles is a tab stop.
    assert page.locator("[data-tile][tabindex='0']").count() == 1


def test_moving_to_a_shorter_column_focuses_its_last_tile(board):
    page = board("/storyboard/mystica")
    boards.tile(page, "verify.toast.resend").focus()
    page.keyboard.press("ArrowRight")
    expect(boards.tile(page, "map.unloaded.me")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(boards.tile(page, "settings.loading.logout")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(boards.tile(page, "settings.loading.logout")).to_be_focused()


def test_back_and_forward_restore_the_selection(board):
    page = board("/storyboard/mystica")
    boards.tile(page, "login.default").click()
    expect(boards.title(page)).to_have_text("login, Default")
    boards.tile(page, "verify.default").click()
    expect(boards.title(page)).to_have_text("verify, Default")
    page.go_back()
    expect(boards.title(page)).to_have_text("login, Default")
    expect(page.locator(".board-tile.is-selected")).to_have_count(1)
    page.go_back()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.go_forward()
    expect(boards.title(page)).to_have_text("login, Default")


@pytest.mark.full_browser
def test_a_tile_is_opened_by_its_url(board):
    page = board("/storyboard/clarity?at=settings/confirm.delete")
    expect(boards.title(page)).to_have_text("settings, Confirmation: Delete Account")
    expect(boards.tile(page, "settings.confirm.delete")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.copy").click()
    expect(page.locator(".toast")).to_be_visible()


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
    expect(page.locator("[data-tile]")).to_have_count(38)


def test_a_filter_without_results_offers_to_show_all(board):
    page = board("/storyboard/mystica?kind=disabled")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.get_by_role("link", name="Show all", exact=True).click()
    expect(boards.tile(page, "splash.default")).to_be_visible()


def test_two_apps_are_shown_side_by_side(board):
    page = board("/storyboard/mystica?zoom=12")
    page.get_by_test_id("storyboard.compare").click()
    page.get_by_test_id("storyboard.compare.wall").click()
    expect(page.get_by_test_id("storyboard.board.wall")).to_be_visible()
    page.wait_for_load_state("load")
    boards.tile(page, "wall.landing.default").click()
    expect(boards.title(page)).to_have_text("landing, Default")
    expect(page).to_have_url(re.compile("of=wall"))
    page.keyboard.press("Escape")
    boards.tile(page, "map.default").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(boards.tile(page, "wall.start.default")).to_be_focused()


def test_two_sizes_and_appearances_are_shown_side_by_side(board):
    page = board("/storyboard/bob")
    boards.tile(page, "login.default").click()
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.besideSize.ipad").click()
    page.get_by_test_id("storyboard.appearance").click()
    page.get_by_test_id("storyboard.besideAppearance.dark").click()
    expect(boards.title(page)).to_have_text("login, Default")
    item = page.locator(".board-tile").filter(has=boards.tile(page, "login.default"))
    expect(item.locator(".phone-name")).to_have_text(["iPhone 15, system", "iPad, dark"])
    item.scroll_into_view_if_needed()
    # The frames of the tiles before it are loaded first.
    expect(item.locator("iframe")).to_have_count(2, timeout=60_000)
    boxes = [phone.bounding_box() for phone in item.locator(".phone").all()]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    boards.tile(page, "login.default").focus()
    page.keyboard.press("ArrowDown")
    expect(boards.tile(page, "login.error.email")).to_be_focused()
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.besideSize.none").click()
    expect(item.locator(".phone-name")).to_have_text(["System", "Dark"])


def test_changing_the_size_keeps_the_selection(board):
    page = board("/storyboard/bob")
    boards.tile(page, "login.default").click()
    expect(boards.title(page)).to_have_text("login, Default")
    page.get_by_test_id("storyboard.size").click()
    page.get_by_test_id("storyboard.size.ipad").click()
    expect(page).to_have_url(re.compile("size=ipad"))
    page.wait_for_load_state("load")
    expect(boards.title(page)).to_have_text("login, Default")
    box = page.locator(".board-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((820 + 28) * 0.24)
    page.get_by_test_id("storyboard.appearance").click()
    page.get_by_test_id("storyboard.appearance.dark").click()
    expect(page).to_have_url(re.compile("size=ipad&appearance=dark"))


def test_the_board_works_without_scripts(board):
    page = board("/storyboard/mystica", java_script_enabled=False)
    page.get_by_test_id("storyboard.zoom.in").click()
    expect(boards.zoom(page)).to_have_text("50%")
    page.get_by_test_id("storyboard.zoom.out").click()
    expect(page.get_by_test_id("storyboard.zoom.fit")).to_be_hidden()
    expect(page.get_by_test_id("storyboard.zoom.width")).to_be_hidden()
    boards.tile(page, "login.loading.submit").click()
    expect(boards.title(page)).to_have_text("login, Loading")
    expect(page.get_by_test_id("storyboard.panel.selector").first).to_have_text(
        re.compile(r"login\.tab\.login")
    )
    page.get_by_test_id("storyboard.panel.close").click()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()


def test_on_a_phone_the_panel_is_a_bottom_sheet(board):
    page = board("/storyboard/mystica", viewport={"width": 390, "height": 844})
    boards.tile(page, "login.default").click()
    panel = page.get_by_test_id("storyboard.panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box["x"] == 0 and round(box["width"]) == 390
    assert box["y"] > 300 and round(box["y"] + box["height"]) == 844 - 64
    expect(boards.tile(page, "login.default")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.close").click()
    expect(panel).to_be_hidden()


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
    assert boards.scroll_position(page) == [0, 0]


def test_the_panel_shows_how_a_state_was_reached(board):
    page = board(
        "/storyboard/mystica-instant?screen=settings&at=settings/confirm.logout", tiles=True
    )
    expect(page.get_by_test_id("storyboard.panel.state")).to_have_text("Reached")
    expect(page.get_by_test_id("storyboard.panel.step").first).to_contain_text("1")
    page.get_by_test_id("storyboard.rerender").click()
    expect(boards.title(page)).to_have_text("settings, Confirmation: Logout")
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
    boards.replace_tiles(
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
    boards.replace_tiles(page)
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
    boards.replace_tiles(page)
    page.goto(f"{fresh_foyer.base}/storyboard/mystica")
    expect(page.locator(".board-tile")).to_have_count(38)
    expect(page.locator(".board-tile iframe")).to_have_count(38)


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
