"""The storyboard: every screen of an app in every state on one sheet."""

import itertools
import re

import acting
import pytest
from playwright.sync_api import expect


def leave_unplayed(page, body=""):
    """Tiles are empty, or show `body`: no state is played for them."""
    tile = "<!doctype html><title>A tile</title>" + body
    page.route("**/frame?*", lambda route: route.fulfill(content_type="text/html", body=tile))


@pytest.fixture
def sheet(visitors, foyer):
    """Opens a sheet whose tiles need not be played for what is looked at."""

    def open_sheet(address, tiles=False, **options):
        page = visitors.device(foyer, reduced_motion="reduce", **options)
        if not tiles:
            leave_unplayed(page)
        page.goto(foyer.base + address)
        return page

    return open_sheet


def tile(page, name):
    return page.get_by_test_id(f"storyboard.tile.{name}")


def zoom(page):
    return page.get_by_test_id("storyboard.zoom")


def title(page):
    return page.get_by_test_id("storyboard.panel.title")


def place(page):
    return page.locator("[data-ground]").evaluate("it => [it.scrollLeft, it.scrollTop]")


def turn_wheel(page, way):
    """Zooms in the middle of the sheet."""
    # A wheel the browser does not know to be heard zooms the browser itself.
    acting.drawn(page)
    page.mouse.move(700, 500)
    page.keyboard.down("Control")
    page.mouse.wheel(0, way)
    page.keyboard.up("Control")


def test_a_tile_is_chosen_by_keyboard(sheet):
    page = sheet("/storyboard/mystica")
    tile(page, "splash.default").focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page, "login.default")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(tile(page, "login.error.email")).to_be_focused()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("login, field error: email address")
    expect(tile(page, "login.error.email")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"at=login%2Ferror\.email"))
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    expect(tile(page, "login.error.email")).to_be_focused()
    # Only one of them is a stop of the tab key.
    assert page.locator("[data-tile][tabindex='0']").count() == 1


def test_a_shorter_column_is_met_at_its_end(sheet):
    page = sheet("/storyboard/mystica")
    tile(page, "verify.toast.resend").focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page, "map.default")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(tile(page, "settings.loading.logout")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(tile(page, "settings.loading.logout")).to_be_focused()


def test_back_chooses_what_was_chosen_before(sheet):
    page = sheet("/storyboard/mystica")
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, default")
    tile(page, "verify.default").click()
    expect(title(page)).to_have_text("verify, default")
    page.go_back()
    expect(title(page)).to_have_text("login, default")
    expect(page.locator(".sheet-tile.is-selected")).to_have_count(1)
    page.go_back()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    page.go_forward()
    expect(title(page)).to_have_text("login, default")


@pytest.mark.whole_browser
def test_a_tile_is_reached_by_its_address(sheet):
    page = sheet("/storyboard/clarity?at=settings/confirm.delete")
    expect(title(page)).to_have_text("settings, confirmation: Delete Account")
    expect(tile(page, "settings.confirm.delete")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.copy").click()
    expect(page.locator(".toast")).to_be_visible()


def test_the_sheet_is_zoomed_by_buttons_keys_and_wheel(sheet):
    page = sheet("/storyboard/mystica")
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
    page.keyboard.press("0")
    wide, shown = page.evaluate("""() => {
        const ground = document.querySelector('[data-ground]');
        const board = document.querySelector('[data-board]');
        return [board.getBoundingClientRect().width, ground.clientWidth];
    }""")
    assert 0.9 * shown < wide <= shown


def test_what_lies_under_the_pointer_stays_there(sheet):
    page = sheet("/storyboard/clarity?zoom=50")
    page.evaluate("document.querySelector('[data-ground]').scrollTo(900, 900)")
    before = page.evaluate(
        "document.elementFromPoint(700, 500).closest('.sheet-column')"
        ".querySelector('h2').textContent"
    )
    turn_wheel(page, 50)
    expect(zoom(page)).not_to_have_text("50%")
    after = page.evaluate(
        "document.elementFromPoint(700, 500).closest('.sheet-column')"
        ".querySelector('h2').textContent"
    )
    assert before == after


def test_a_reload_keeps_scale_and_place(sheet):
    page = sheet("/storyboard/clarity")
    page.keyboard.press("+")
    page.evaluate("document.querySelector('[data-ground]').scrollTo(640, 480)")
    page.reload()
    expect(zoom(page)).to_have_text("50%")
    assert place(page) == [640, 480]


def test_an_address_brings_its_scale_along(sheet):
    page = sheet("/storyboard/clarity")
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile(r"\?zoom=50$"))
    turn_wheel(page, 60)
    expect(page).to_have_url(re.compile(r"\?zoom=37$"))
    tile(page, "login.default").click()
    expect(page).to_have_url(re.compile(r"at=login%2Fdefault&zoom=37$"))
    address = page.url.split("/storyboard/", 1)[1]

    other = sheet("/storyboard/" + address)
    expect(zoom(other)).to_have_text("37%")
    expect(title(other)).to_have_text("login, default")
    box = other.locator(".sheet-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((390 + 28) * 0.37)
    other.keyboard.press("-")
    expect(zoom(other)).to_have_text("24%")
    expect(other).not_to_have_url(re.compile("zoom="))


def test_the_ground_is_dragged(sheet):
    page = sheet("/storyboard/clarity")
    free = page.evaluate("""() => {
        for (let y = 300; y < 800; y += 8) for (let x = 300; x < 1100; x += 8) {
            const there = document.elementFromPoint(x, y);
            if (there.closest('[data-ground]') && !there.closest('[data-tile]'))
                return [x, y];
        }
    }""")
    box = tile(page, "login.default").bounding_box()
    for start in [free, (box["x"] + 60, box["y"] + 90)]:
        page.evaluate("document.querySelector('.ground').scrollTo(0, 0)")
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] - 120, start[1] - 80, steps=3)
        page.mouse.up()
        assert place(page) == [120, 80]
        expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, default")


def test_the_sheet_is_narrowed_and_widened_again(sheet):
    page = sheet("/storyboard/mystica")
    page.get_by_test_id("storyboard.kind").click()
    page.get_by_test_id("storyboard.kind.field-error").click()
    expect(page.locator("[data-tile]")).to_have_count(4)
    page.get_by_test_id("storyboard.screen").click()
    page.get_by_test_id("storyboard.screen.login").click()
    expect(page.locator("[data-tile]")).to_have_count(2)
    page.get_by_test_id("storyboard.narrowed").first.click()
    expect(page.locator("[data-tile]")).to_have_count(4)
    page.get_by_test_id("storyboard.clear").click()
    expect(page.locator("[data-tile]")).to_have_count(36)


def test_nothing_that_fits_says_so(sheet):
    page = sheet("/storyboard/mystica?kind=disabled")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.get_by_role("link", name="Show all", exact=True).click()
    expect(tile(page, "splash.default")).to_be_visible()


def test_two_apps_stand_beside_each_other(sheet):
    page = sheet("/storyboard/mystica?zoom=12")
    page.get_by_test_id("storyboard.beside").click()
    page.get_by_test_id("storyboard.beside.wall").click()
    expect(page.get_by_test_id("storyboard.sheet.wall")).to_be_visible()
    page.wait_for_load_state("load")
    tile(page, "wall.landing.default").click()
    expect(title(page)).to_have_text("landing, default")
    expect(page).to_have_url(re.compile("of=wall"))
    page.keyboard.press("Escape")
    tile(page, "map.default").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(tile(page, "wall.start.default")).to_be_focused()


def test_another_size_keeps_what_is_chosen(sheet):
    page = sheet("/storyboard/bob")
    tile(page, "login.default").click()
    expect(title(page)).to_have_text("login, default")
    page.get_by_test_id("storyboard.size.ipad").click()
    expect(page).to_have_url(re.compile("size=ipad"))
    page.wait_for_load_state("load")
    expect(title(page)).to_have_text("login, default")
    box = page.locator(".sheet-tile .phone").first.bounding_box()
    assert round(box["width"]) == round((820 + 28) * 0.24)
    page.get_by_test_id("storyboard.appearance.dark").click()
    expect(page).to_have_url(re.compile("size=ipad&appearance=dark"))


def test_without_a_script_all_of_it_is_links(sheet):
    page = sheet("/storyboard/mystica", java_script_enabled=False)
    page.get_by_test_id("storyboard.zoom.in").click()
    expect(zoom(page)).to_have_text("50%")
    page.get_by_test_id("storyboard.zoom.out").click()
    expect(page.get_by_test_id("storyboard.zoom.fit")).to_be_hidden()
    tile(page, "login.loading.submit").click()
    expect(title(page)).to_have_text("login, loading")
    expect(page.get_by_test_id("storyboard.panel.selector").first).to_have_text(
        re.compile(r"login\.tab\.login")
    )
    page.get_by_test_id("storyboard.panel.close").click()
    expect(page.get_by_test_id("storyboard.panel")).to_be_hidden()


def test_on_a_phone_the_panel_is_a_sheet_of_its_own(sheet):
    page = sheet("/storyboard/mystica", viewport={"width": 390, "height": 844})
    tile(page, "login.default").click()
    panel = page.get_by_test_id("storyboard.panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert box["x"] == 0 and round(box["width"]) == 390
    assert box["y"] > 300 and round(box["y"] + box["height"]) == 844 - 64
    expect(tile(page, "login.default")).to_be_in_viewport()
    page.get_by_test_id("storyboard.panel.close").click()
    expect(panel).to_be_hidden()


def test_the_names_of_the_columns_stay_in_view(sheet):
    page = sheet("/storyboard/clarity")
    page.evaluate("document.querySelector('[data-ground]').scrollTo(0, 2000)")
    head = page.locator(".sheet-head", has_text="register")
    expect(head).to_be_in_viewport()
    ground = page.get_by_test_id("storyboard.sheet").bounding_box()
    page.wait_for_function(
        "(top) => Math.abs(document.querySelector('.sheet-head')"
        ".getBoundingClientRect().top - top) < 2",
        arg=ground["y"],
    )


def test_no_tile_lies_over_another(sheet):
    page = sheet("/storyboard/clarity")
    boxes = page.locator(".sheet-tile").evaluate_all("""(tiles) => tiles.map((tile) => {
        const a = tile.querySelector('.phone').getBoundingClientRect();
        const b = tile.querySelector('.tile-label').getBoundingClientRect();
        return [a.left, a.top, Math.max(a.right, b.right), b.bottom];
    })""")
    for one, other in itertools.combinations(boxes, 2):
        across = one[2] <= other[0] or other[2] <= one[0]
        assert across or one[3] <= other[1] or other[3] <= one[1]


def test_tiles_are_the_screens_themselves(sheet):
    page = sheet("/storyboard/mystica-instant?zoom=12", tiles=True)
    for screen in ["splash", "map", "settings"]:
        frame = page.frame_locator(f"iframe[title='{screen}, default']")
        expect(frame.locator(f"body[data-screen='{screen}']")).to_be_attached()
    dialog = page.frame_locator("iframe[title='settings, confirmation: Logout']")
    expect(dialog.get_by_role("alertdialog")).to_be_attached()
    expect(page.get_by_test_id("storyboard.facts")).to_contain_text("ago")
    # No screen takes the focus, and the sheet stays where it is.
    assert page.evaluate("document.activeElement === document.body")
    assert place(page) == [0, 0]


def test_the_panel_tells_how_a_tile_was_reached(sheet):
    page = sheet(
        "/storyboard/mystica-instant?screen=settings&at=settings/confirm.logout", tiles=True
    )
    expect(page.get_by_test_id("storyboard.panel.state")).to_have_text("reached")
    expect(page.get_by_test_id("storyboard.panel.step").first).to_contain_text("1")
    page.get_by_test_id("storyboard.run").click()
    expect(title(page)).to_have_text("settings, confirmation: Logout")
    expect(page.get_by_test_id("storyboard.panel.state")).to_have_text("reached")


@pytest.mark.parametrize(
    "kind, name, why",
    [
        ("unreachable", "Not reachable", "Nobody answered."),
        ("broken", "Broken", "login.mustache:2:1: unclosed"),
    ],
)
def test_what_is_not_drawn_is_an_outline_with_the_reason(sheet, kind, name, why):
    page = sheet("/storyboard/bob")
    page.unroute("**/frame?*")
    leave_unplayed(
        page,
        f"<main class='tile-none is-{kind}' data-testid='tile.{kind}'>"
        f"<h1>{name}</h1><p>{why}</p></main>",
    )
    page.reload()
    lost = page.locator(f".sheet-tile.is-lost.is-{kind}").first
    expect(lost).to_contain_text(name)
    expect(lost).to_contain_text(why)
    expect(lost.locator("iframe")).to_have_count(0)


def test_the_places_lead_to_the_storyboard(page, foyer):
    leave_unplayed(page)
    page.goto(foyer.base)
    page.get_by_test_id("home.app.wall.storyboard").click()
    expect(page.locator("h1")).to_have_text("Anonymous Wall storyboard")
    page.get_by_test_id("nav.storyboard").click()
    expect(page.locator("h1")).to_have_text("Mystica storyboard")
    page.get_by_test_id("storyboard.apps").click()
    page.get_by_test_id("storyboard.apps.bob").click()
    expect(page.locator("h1")).to_have_text("Bob the Builder storyboard")


def test_the_sheet_is_there_before_its_tiles(page, fresh_foyer):
    held = []
    page.route("**/frame?*", lambda route: held.append(route))
    page.goto(fresh_foyer.entrance)
    # Ends although no tile was answered.
    page.goto(f"{fresh_foyer.base}/storyboard/bob", wait_until="load")
    expect(page.locator(".sheet-tile iframe")).to_have_count(4)
    expect(page.locator(".phone-screen").last).to_have_css("background-color", "rgb(241, 240, 236)")
    for route in held:
        route.abort()


def test_without_a_script_every_tile_is_a_frame_of_the_page(fresh_foyer, visitors):
    page = visitors.device(fresh_foyer, java_script_enabled=False)
    leave_unplayed(page)
    page.goto(f"{fresh_foyer.base}/storyboard/mystica")
    expect(page.locator(".sheet-tile")).to_have_count(36)
    expect(page.locator(".sheet-tile iframe")).to_have_count(36)


def test_what_is_out_of_reach_is_walked_through(sheet):
    page = sheet("/storyboard/wall?screen=login&zoom=12", tiles=True)
    lost = page.locator(".sheet-tile.is-lost")
    expect(lost.nth(1)).to_be_attached(timeout=60_000)
    walk = page.get_by_test_id("storyboard.lost")
    chosen = page.locator(".sheet-tile.is-selected.is-lost .tile-link")
    walk.click()
    expect(chosen).to_have_count(1)
    first = chosen.get_attribute("href")
    expect(page.get_by_test_id("storyboard.panel.why")).to_be_visible()
    walk.click()
    expect(chosen).not_to_have_attribute("href", first)
