"""The walkthrough: an app's sign-in flow, step by step, on its own device."""

import re

import acting
import pytest
from conftest import save_picture
from playwright.sync_api import expect

# The steps of two apps; WalkthroughTests covers all apps.
STEPS = {
    "clarity": [
        "loading",
        "register",
        "verify",
        "login",
        "reset",
        "track",
        "insights",
        "secure",
        "dashboard",
        "settings",
        "edit",
    ],
    "mystica": ["splash", "register", "verify", "login", "map", "settings"],
}


def phone(page, size=None):
    name = f"walkthrough.phone.{size}" if size else "walkthrough.phone"
    return page.frame_locator(f"[data-testid='{name}']")


def bring_phone(page):
    """Brings the phone to the step that is shown, unless it is there."""
    button = page.get_by_test_id("walkthrough.navigate")
    if button.count():
        button.click()


def open_walkthrough(page, foyer, app, step="", query=""):
    page.goto(f"{foyer.base}/walkthrough/{app}/{step}{query}")
    bring_phone(page)


def expect_picture(page, step):
    """Expects a step to be shown as a picture, without moving the phone."""
    expect(page).to_have_url(re.compile(rf"/{step}(\?.*)?$"))
    acting.expect_screen(phone(page), step)
    expect(page.get_by_test_id("walkthrough.navigate")).to_be_visible()


def expect_step(page, step):
    """Expects the page and its phone to be at a step."""
    expect(page).to_have_url(re.compile(rf"/{step}(\?.*)?$"))
    acting.wait_for_styles(page)
    acting.expect_screen(phone(page), step)
    expect(page.get_by_test_id("walkthrough.location")).to_have_count(0)


def wait_for_keys(page):
    """Waits for the script that handles keys."""
    expect(page.locator("[data-walkthrough=ready]")).to_be_attached()


@pytest.mark.parametrize("app", STEPS)
def test_a_walkthrough_is_completed_by_keyboard(page, foyer, app):
    steps = STEPS[app]
    open_walkthrough(page, foyer, app)
    for number, step in enumerate(steps, 1):
        expect_step(page, step)
        expect(page.get_by_test_id("walkthrough.count")).to_have_text(
            f"Step {number} of {len(steps)}"
        )
        expect(page.get_by_test_id("walkthrough.note")).not_to_be_empty()
        save_picture(page, f"walkthrough-{app}-{step}")
        wait_for_keys(page)
        if number < len(steps):
            page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("walkthrough.end")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect_step(page, steps[-2])


def test_every_mark_is_beside_the_element_it_describes(page, foyer):
    open_walkthrough(page, foyer, "mystica", "verify")
    expect_step(page, "verify")
    for number, part in [(2, "verify.resend"), (3, "verify.back")]:
        mark = page.get_by_test_id(f"walkthrough.marker.{number}")
        expect(mark).to_be_visible()
        page.wait_for_function(
            """([mark, part]) => {
                const frame = document.querySelector("[data-walkthrough-phone]");
                const outer = frame.getBoundingClientRect();
                const box = frame.contentDocument.querySelector(
                    `[data-testid="${part}"]`).getBoundingClientRect();
                const scale = outer.width / frame.offsetWidth;
                const middle = outer.top
                    + (box.top + box.height / 2) * scale;
                const own = document.querySelector(
                    `[data-testid="${mark}"]`).getBoundingClientRect();
                return Math.abs(own.top + own.height / 2 - middle) < 2;
            }""",
            arg=[f"walkthrough.marker.{number}", part],
        )
    # The mark overlaps the frame's edge.
    edge = page.locator(".walkthrough-main .phone").bounding_box()
    mark_box = page.get_by_test_id("walkthrough.marker.2").bounding_box()
    assert mark_box["x"] < edge["x"] < mark_box["x"] + mark_box["width"]


def test_an_element_not_on_the_screen_has_no_mark(page, foyer):
    open_walkthrough(page, foyer, "mystica", "splash")
    expect_step(page, "splash")
    expect(page.get_by_test_id("walkthrough.marker.1")).to_be_visible()
    expect(page.get_by_test_id("walkthrough.marker.2")).to_be_hidden()
    # The list shows it: its number is hollow.
    points = page.locator("[data-point]")
    expect(points.nth(0)).not_to_have_class(re.compile("is-offscreen"))
    expect(points.nth(1)).to_have_class(re.compile("is-offscreen"))
    expect(points.nth(1)).to_contain_text("Not shown now.")


def test_a_covered_element_has_no_mark_until_it_is_scrolled_to(page, foyer):
    open_walkthrough(page, foyer, "bob", "settings")
    expect_step(page, "settings")
    mark = page.get_by_test_id("walkthrough.marker.1")
    point = page.locator("[data-point='1']")
    expect(point).to_contain_text("Further down.")
    expect(mark).to_be_hidden()
    phone(page).locator("body").evaluate("scrollTo(0, 9999)")
    expect(mark).to_be_visible()
    expect(point).not_to_contain_text("Further")


def test_a_splash_screen_stays_until_next_is_pressed(page, foyer):
    open_walkthrough(page, foyer, "mystica-instant", "splash")
    expect_step(page, "splash")
    page.reload()
    expect_step(page, "splash")
    page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "map")


def test_several_sizes_show_the_same_screen(page, foyer):
    open_walkthrough(page, foyer, "bob", "login")
    page.get_by_test_id("walkthrough.sizes.three").click()
    for size in [None, "iphonese", "ipad"]:
        acting.expect_screen(phone(page, size), "login")
    page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "forgot")
    for size in ["iphonese", "ipad"]:
        acting.expect_screen(phone(page, size), "forgot")
    # The other sizes follow the phone.
    phone(page).get_by_test_id("forgot.login").click()
    expect_step(page, "login")
    for size in ["iphonese", "ipad"]:
        acting.expect_screen(phone(page, size), "login")
    page.get_by_test_id("walkthrough.sizes.all").click()
    expect(page.locator("iframe")).to_have_count(6)


def test_the_page_follows_navigation_on_the_phone(page, foyer):
    open_walkthrough(page, foyer, "mystica", "register")
    expect_step(page, "register")
    acting.fill(phone(page), "register", "by.hand@example.com", "Quay-27-side")
    phone(page).get_by_test_id("register.submit").click()
    expect_step(page, "verify")
    wait_for_keys(page)
    expect(phone(page).get_by_text("by.hand@example.com")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect_step(page, "login")
    wait_for_keys(page)
    page.keyboard.press("ArrowRight")
    expect_step(page, "map")


def test_arrow_keys_in_a_field_move_the_caret(page, foyer):
    open_walkthrough(page, foyer, "mystica", "register")
    expect_step(page, "register")
    field = phone(page).get_by_test_id("register.email")
    field.fill("ab")
    field.press("ArrowLeft")
    field.press("ArrowRight")
    field.press("ArrowLeft")
    expect_step(page, "register")
    expect(field).to_have_value("ab")
    # On the phone, outside a field, arrow keys change the step.
    phone(page).get_by_test_id("register.submit").press("ArrowRight")
    expect_step(page, "verify")


def test_the_browsers_back_button_shows_the_previous_step(page, foyer):
    open_walkthrough(page, foyer, "wall", "landing")
    expect_step(page, "landing")
    wait_for_keys(page)
    page.keyboard.press("ArrowRight")
    expect_step(page, "register")
    page.go_back()
    expect_picture(page, "landing")
    expect(page.get_by_test_id("walkthrough.location")).to_contain_text(
        "The device is at register."
    )
    page.go_forward()
    expect_step(page, "register")
    page.go_back()
    bring_phone(page)
    expect_step(page, "landing")


@pytest.mark.parametrize("app", ["bob", "clarity", "mystica"])
def test_going_back_shows_a_phone_that_matches_the_notes(page, foyer, app):
    step, following = STEPS[app][1:3] if app != "bob" else ("register", "projects")
    open_walkthrough(page, foyer, app, step)
    # The walkthrough uses another device: a registered one cannot show the form.
    for key, expected in [("ArrowRight", following), ("ArrowLeft", step)]:
        wait_for_keys(page)
        page.keyboard.press(key)
        expect_step(page, expected)
        page.wait_for_function("""() => {
            const frame = document.querySelector("[data-walkthrough-phone]");
            return frame.contentWindow.location.pathname
                === new URL(frame.src).pathname;
        }""")
    expect(page.locator("[data-marker]:not([hidden])").first).to_be_visible()
    page.go_back()
    expect_picture(page, following)


def test_a_mailed_link_is_opened_on_the_page(page, foyer):
    open_walkthrough(page, foyer, "mystica", "register")
    expect_step(page, "register")
    page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "verify")
    calls = page.get_by_test_id("walkthrough.call")
    expect(calls).to_have_count(1)
    expect(calls).to_contain_text("POST /auth/register")
    expect(page.get_by_test_id("walkthrough.mail")).to_contain_text("Received")
    page.get_by_test_id("walkthrough.mail.open").click()
    expect_step(page, "verify")
    expect(page.get_by_test_id("walkthrough.mail")).to_contain_text("Used")
    expect(page.get_by_test_id("walkthrough.mail.open")).to_have_count(0)


def test_a_call_links_to_its_exchange(page, foyer):
    open_walkthrough(page, foyer, "wall", "register")
    expect_step(page, "register")
    wait_for_keys(page)
    page.keyboard.press("ArrowRight")
    expect_step(page, "login")
    expect(page.get_by_test_id("walkthrough.mail.code")).to_have_text(re.compile(r"^\d{6}$"))
    page.get_by_test_id("walkthrough.call").get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"/traffic/"))
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("Walkthrough of Anonymous Wall")
    # Returning from there continues the same walkthrough.
    open_walkthrough(page, foyer, "wall", "login")
    expect_step(page, "login")
    expect(page.get_by_test_id("walkthrough.mail.code")).to_be_visible()
    page.get_by_test_id("walkthrough.restart").click()
    expect_picture(page, "landing")
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")


def test_a_walkthrough_works_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    open_walkthrough(page, foyer, "mystica")
    for step in STEPS["mystica"][:-1]:
        expect_step(page, step)
        page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "settings")
    page.get_by_test_id("walkthrough.back").click()
    expect_step(page, "map")
    page.get_by_test_id("walkthrough.step.register").click()
    expect_step(page, "register")
    page.get_by_test_id("walkthrough.restart").click()
    expect_step(page, "splash")


def test_on_a_phone_the_device_is_above_the_notes(browsers, foyer):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    open_walkthrough(page, foyer, "clarity", "register")
    expect_step(page, "register")
    acting.wait_for_styles(page)
    frame = page.locator(".walkthrough-main").bounding_box()
    notes = page.locator(".walkthrough-notes").bounding_box()
    assert frame["y"] + frame["height"] <= notes["y"]
    page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "verify")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_home_and_main_menu_link_to_the_walkthrough(page, foyer):
    page.goto(foyer.base + "/")
    page.get_by_test_id("home.app.wall.walkthrough").click()
    expect_picture(page, "landing")
    page.get_by_test_id("nav.walkthrough").click()
    expect_picture(page, "splash")
    page.goto(foyer.base + "/")
    page.get_by_test_id("home.entry.walkthrough").click()
    expect_picture(page, "splash")
    page.get_by_test_id("walkthrough.next").click()
    expect_step(page, "register")


def test_an_edge_case_is_shown_and_leads_back(page, foyer):
    open_walkthrough(page, foyer, "mystica", "login")
    expect_step(page, "login")
    page.get_by_test_id("walkthrough.edgecases").locator("summary").click()
    page.get_by_test_id("walkthrough.branch.offline.submit").click()
    expect(page.get_by_test_id("walkthrough.branch")).to_have_text("Offline")
    acting.expect_screen(phone(page), "login")
    expect(phone(page).get_by_test_id("login.error")).to_contain_text("No internet connection")
    page.get_by_test_id("walkthrough.back").click()
    expect_step(page, "login")
    expect(page.get_by_test_id("walkthrough.branch")).to_have_count(0)
    expect(phone(page).get_by_test_id("login.error")).to_have_count(0)


def test_an_error_page_on_the_phone_has_no_console_links(browsers, page, foyer):
    browsers.expect_status(404, "/apps/mystica/bogus")
    open_walkthrough(page, foyer, "mystica", "register")
    expect_step(page, "register")
    page.locator("[data-walkthrough-phone]").evaluate(
        "frame => { frame.src = '/apps/mystica/bogus' }"
    )
    view = phone(page)
    expect(view.get_by_test_id("error.title")).to_be_visible()
    expect(view.locator(".brand")).to_have_count(0)
    expect(view.locator("a[href]")).to_have_count(0)
    # The error is below the status bar.
    page.wait_for_function("""() =>
        document.querySelector("[data-walkthrough-phone]").contentDocument
            .querySelector("[data-testid='error.kind']")
            .getBoundingClientRect().top > 47""")


def test_scrolled_content_passes_beneath_the_status_bar(page, foyer):
    open_walkthrough(page, foyer, "bob", "settings")
    expect_step(page, "settings")
    body = phone(page).locator("body")
    for down, strip in [(0, "auto"), (40, "47px"), (0, "auto")]:
        body.evaluate(f"scrollTo(0, {down})")
        page.wait_for_function(
            """strip => {
                const frame = document.querySelector("[data-walkthrough-phone]");
                return frame.contentWindow.getComputedStyle(
                    frame.contentDocument.documentElement,
                    "::before").height === strip;
            }""",
            arg=strip,
        )
