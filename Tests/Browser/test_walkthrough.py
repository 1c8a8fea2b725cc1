"""The walkthrough: an app's way in, step by step, on a phone of its own."""

import re

import acting
import pytest
from conftest import shot
from playwright.sync_api import expect

# The steps of two apps; WalkthroughTests walks through all of them.
STEPS = {
    "clarity": ["loading", "register", "verify", "login", "reset", "dashboard", "settings"],
    "mystica": ["splash", "register", "verify", "login", "map", "settings"],
}


def phone(page, size=None):
    name = f"walk.phone.{size}" if size else "walk.phone"
    return page.frame_locator(f"[data-testid='{name}']")


def bring(page):
    """The phone to the step that is shown, unless it stands there."""
    button = page.get_by_test_id("walk.bring")
    if button.count():
        button.click()


def walk(page, foyer, app, step="", query=""):
    page.goto(f"{foyer.base}/walkthrough/{app}/{step}{query}")
    bring(page)


def pictured(page, step):
    """A step is shown, and no phone was moved for it."""
    expect(page).to_have_url(re.compile(rf"/{step}(\?.*)?$"))
    acting.arrive(phone(page), step)
    expect(page.get_by_test_id("walk.bring")).to_be_visible()


def stands(page, step):
    """The page and its phone are at a step."""
    expect(page).to_have_url(re.compile(rf"/{step}(\?.*)?$"))
    acting.painted(page)
    acting.arrive(phone(page), step)
    expect(page.get_by_test_id("walk.elsewhere")).to_have_count(0)


def listens(page):
    """The script is there: keys are heard."""
    expect(page.locator("[data-walk=ready]")).to_be_attached()


@pytest.mark.parametrize("app", STEPS)
def test_it_can_be_finished_by_keyboard(page, foyer, app):
    steps = STEPS[app]
    walk(page, foyer, app)
    for number, step in enumerate(steps, 1):
        stands(page, step)
        expect(page.get_by_test_id("walk.count")).to_have_text(f"Step {number} of {len(steps)}")
        expect(page.get_by_test_id("walk.note")).not_to_be_empty()
        shot(page, f"walk-{app}-{step}")
        listens(page)
        if number < len(steps):
            page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("walk.end")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    stands(page, steps[-2])


def test_every_mark_stands_at_what_it_speaks_of(page, foyer):
    walk(page, foyer, "mystica", "verify")
    stands(page, "verify")
    for number, part in [(2, "verify.resend"), (3, "verify.back")]:
        mark = page.get_by_test_id(f"walk.mark.{number}")
        expect(mark).to_be_visible()
        page.wait_for_function(
            """([mark, part]) => {
                const frame = document.querySelector("[data-walk-phone]");
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
            arg=[f"walk.mark.{number}", part],
        )
    # It straddles the frame's edge.
    edge = page.locator(".walk-main .phone").bounding_box()
    own = page.get_by_test_id("walk.mark.2").bounding_box()
    assert own["x"] < edge["x"] < own["x"] + own["width"]


def test_what_is_not_on_the_screen_has_no_mark(page, foyer):
    walk(page, foyer, "mystica", "splash")
    stands(page, "splash")
    expect(page.get_by_test_id("walk.mark.1")).to_be_visible()
    expect(page.get_by_test_id("walk.mark.2")).to_be_hidden()
    # The list says so: its number is hollow.
    points = page.locator("[data-point]")
    expect(points.nth(0)).not_to_have_class(re.compile("is-away"))
    expect(points.nth(1)).to_have_class(re.compile("is-away"))
    expect(points.nth(1)).to_contain_text("Not shown now.")


def test_what_lies_under_a_bar_has_no_mark_until_it_is_scrolled_to(page, foyer):
    walk(page, foyer, "bob", "settings")
    stands(page, "settings")
    mark = page.get_by_test_id("walk.mark.1")
    point = page.locator("[data-point='1']")
    expect(point).to_contain_text("Further down.")
    expect(mark).to_be_hidden()
    phone(page).locator("body").evaluate("scrollTo(0, 9999)")
    expect(mark).to_be_visible()
    expect(point).not_to_contain_text("Further")


def test_a_splash_waits_to_be_looked_at(page, foyer):
    walk(page, foyer, "mystica-instant", "splash")
    stands(page, "splash")
    page.reload()
    stands(page, "splash")
    page.get_by_test_id("walk.next").click()
    stands(page, "map")


def test_several_sizes_show_the_same_screen(page, foyer):
    walk(page, foyer, "bob", "login")
    page.get_by_test_id("walk.sizes.three").click()
    for size in [None, "iphonese", "ipad"]:
        acting.arrive(phone(page, size), "login")
    page.get_by_test_id("walk.next").click()
    stands(page, "register")
    for size in ["iphonese", "ipad"]:
        acting.arrive(phone(page, size), "register")
    # What is done on the phone is seen on the others.
    phone(page).get_by_test_id("register.login").click()
    stands(page, "login")
    for size in ["iphonese", "ipad"]:
        acting.arrive(phone(page, size), "login")
    page.get_by_test_id("walk.sizes.all").click()
    expect(page.locator("iframe")).to_have_count(4)


def test_the_page_follows_who_uses_the_phone(page, foyer):
    walk(page, foyer, "mystica", "register")
    stands(page, "register")
    acting.fill(phone(page), "register", "by.hand@example.com", "Quay-27-side")
    phone(page).get_by_test_id("register.submit").click()
    stands(page, "verify")
    listens(page)
    expect(phone(page).get_by_text("by.hand@example.com")).to_be_visible()
    page.keyboard.press("ArrowRight")
    stands(page, "login")
    listens(page)
    page.keyboard.press("ArrowRight")
    stands(page, "map")


def test_arrows_in_a_field_move_the_caret(page, foyer):
    walk(page, foyer, "mystica", "register")
    stands(page, "register")
    field = phone(page).get_by_test_id("register.email")
    field.fill("ab")
    field.press("ArrowLeft")
    field.press("ArrowRight")
    field.press("ArrowLeft")
    stands(page, "register")
    expect(field).to_have_value("ab")
    # On the phone, but in no field, they lead on.
    phone(page).get_by_test_id("register.submit").press("ArrowRight")
    stands(page, "verify")


def test_the_browsers_back_button_goes_back(page, foyer):
    walk(page, foyer, "wall", "landing")
    stands(page, "landing")
    listens(page)
    page.keyboard.press("ArrowRight")
    stands(page, "register")
    page.go_back()
    pictured(page, "landing")
    expect(page.get_by_test_id("walk.elsewhere")).to_contain_text("The phone stands at register.")
    page.go_forward()
    stands(page, "register")
    page.go_back()
    bring(page)
    stands(page, "landing")


@pytest.mark.parametrize("app", ["bob", "clarity", "mystica"])
def test_back_shows_the_phone_the_notes_speak_of(page, foyer, app):
    step, then = STEPS[app][1:3] if app != "bob" else ("register", "projects")
    walk(page, foyer, app, step)
    # Another phone is taken: one that is signed up cannot show the form.
    for key, at in [("ArrowRight", then), ("ArrowLeft", step)]:
        listens(page)
        page.keyboard.press(key)
        stands(page, at)
        page.wait_for_function("""() => {
            const frame = document.querySelector("[data-walk-phone]");
            return frame.contentWindow.location.pathname
                === new URL(frame.src).pathname;
        }""")
    expect(page.locator("[data-mark]:not([hidden])").first).to_be_visible()
    page.go_back()
    pictured(page, then)


def test_a_mail_is_opened_on_the_page(page, foyer):
    walk(page, foyer, "mystica", "register")
    stands(page, "register")
    page.get_by_test_id("walk.next").click()
    stands(page, "verify")
    calls = page.get_by_test_id("walk.call")
    expect(calls).to_have_count(1)
    expect(calls).to_contain_text("POST /auth/register")
    expect(page.get_by_test_id("walk.mail")).to_contain_text("caught")
    page.get_by_test_id("walk.mail.open").click()
    stands(page, "verify")
    expect(page.get_by_test_id("walk.mail")).to_contain_text("used")
    expect(page.get_by_test_id("walk.mail.open")).to_have_count(0)


def test_a_call_leads_to_its_exchange(page, foyer):
    walk(page, foyer, "wall", "register")
    stands(page, "register")
    listens(page)
    page.keyboard.press("ArrowRight")
    stands(page, "login")
    expect(page.get_by_test_id("walk.mail.code")).to_have_text(re.compile(r"^\d{6}$"))
    page.get_by_test_id("walk.call").get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"/traffic/"))
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("Walkthrough of Anonymous Wall")
    # The walk is the same one from there.
    walk(page, foyer, "wall", "login")
    stands(page, "login")
    expect(page.get_by_test_id("walk.mail.code")).to_be_visible()
    page.get_by_test_id("walk.over").click()
    pictured(page, "landing")
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")


def test_it_works_without_a_script(visitors, foyer):
    page = visitors.device(foyer, java_script_enabled=False)
    walk(page, foyer, "mystica")
    for step in STEPS["mystica"][:-1]:
        stands(page, step)
        page.get_by_test_id("walk.next").click()
    stands(page, "settings")
    page.get_by_test_id("walk.back").click()
    stands(page, "map")
    page.get_by_test_id("walk.step.register").click()
    stands(page, "register")
    page.get_by_test_id("walk.over").click()
    stands(page, "splash")


def test_on_a_phone_the_phone_stands_above_the_notes(visitors, foyer):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    walk(page, foyer, "clarity", "register")
    stands(page, "register")
    acting.painted(page)
    frame = page.locator(".walk-main").bounding_box()
    notes = page.locator(".walk-notes").bounding_box()
    assert frame["y"] + frame["height"] <= notes["y"]
    page.get_by_test_id("walk.next").click()
    stands(page, "verify")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_home_and_the_places_lead_to_it(page, foyer):
    page.goto(foyer.base + "/")
    page.get_by_test_id("home.app.wall.walk").click()
    pictured(page, "landing")
    page.get_by_test_id("nav.walkthrough").click()
    pictured(page, "splash")
    page.goto(foyer.base + "/")
    page.get_by_test_id("home.door.walk").click()
    pictured(page, "splash")
    page.get_by_test_id("walk.next").click()
    stands(page, "register")


def test_a_branch_shows_what_can_go_wrong_and_leads_back(page, foyer):
    walk(page, foyer, "mystica", "login")
    stands(page, "login")
    page.get_by_test_id("walk.wrong").locator("summary").click()
    page.get_by_test_id("walk.branch.offline.submit").click()
    expect(page.get_by_test_id("walk.branch")).to_have_text("Now offline")
    acting.arrive(phone(page), "login")
    expect(phone(page).get_by_test_id("login.error")).to_contain_text("No internet connection")
    page.get_by_test_id("walk.back").click()
    stands(page, "login")
    expect(page.get_by_test_id("walk.branch")).to_have_count(0)
    expect(phone(page).get_by_test_id("login.error")).to_have_count(0)


def test_a_problem_on_the_phone_brings_no_console_along(visitors, page, foyer):
    visitors.refused(404, "/apps/mystica/bogus")
    walk(page, foyer, "mystica", "register")
    stands(page, "register")
    page.locator("[data-walk-phone]").evaluate("frame => { frame.src = '/apps/mystica/bogus' }")
    view = phone(page)
    expect(view.get_by_test_id("error.title")).to_be_visible()
    expect(view.locator(".brand")).to_have_count(0)
    expect(view.locator("a[href]")).to_have_count(0)
    # It stands below the status bar.
    page.wait_for_function("""() =>
        document.querySelector("[data-walk-phone]").contentDocument
            .querySelector("[data-testid='error.kind']")
            .getBoundingClientRect().top > 47""")


def test_what_is_scrolled_passes_beneath_the_status_bar(page, foyer):
    walk(page, foyer, "bob", "settings")
    stands(page, "settings")
    body = phone(page).locator("body")
    for down, strip in [(0, "auto"), (40, "47px"), (0, "auto")]:
        body.evaluate(f"scrollTo(0, {down})")
        page.wait_for_function(
            """strip => {
                const frame = document.querySelector("[data-walk-phone]");
                return frame.contentWindow.getComputedStyle(
                    frame.contentDocument.documentElement,
                    "::before").height === strip;
            }""",
            arg=strip,
        )
