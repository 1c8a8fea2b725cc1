"""Starting from a seed, and the ways from one thing to what led to it."""

import itertools
import re

import acting
import looking
import pytest
from playwright.sync_api import expect

FIRST = {
    "mystica": "login",
    "mystica-instant": "map",
    "bob": "login",
    "wall": "landing",
    "socoto": "welcome",
    "clarity": "login",
}
INSIDE = {
    "mystica": "map",
    "bob": "projects",
    "wall": "wall",
    "socoto": "profile",
    "clarity": "dashboard",
}


def plant(page, state=None):
    if state:
        page.get_by_test_id("studio.seed.state").select_option(state)
    page.get_by_test_id("studio.seed").click()


@pytest.mark.parametrize("app", INSIDE)
def test_one_click_signs_somebody_in_and_the_phone_follows(page, foyer, app):
    view = acting.studio(page, foyer, app)
    acting.arrive(view, FIRST[app])
    plant(page)
    expect(page.locator("#tokens .card").first).to_be_visible()
    acting.arrive(view, INSIDE[app])
    expect(page.get_by_test_id("studio.seed")).to_have_count(0)
    # Through the app's own screens: its calls are there to be looked at.
    expect(page.get_by_test_id("exchanges.row").first).to_be_visible()
    page.reload()
    acting.arrive(view, INSIDE[app])


def test_an_expired_seed_is_refreshed_without_a_word(page, foyer):
    view = acting.studio(page, foyer)
    plant(page, "expired")
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    acting.arrive(view, "map")
    acting.cold_start(page)
    acting.arrive(view, "map")
    expect(page.locator("#tokens .countdown-over")).to_have_count(0)


def test_a_revoked_seed_finds_out_at_its_next_call(page, foyer):
    view = acting.studio(page, foyer)
    plant(page, "revoked")
    expect(page.locator("#tokens .card").first).to_be_visible()
    acting.arrive(view, "map")
    acting.cold_start(page)
    acting.arrive(view, "login")
    expect(page.get_by_test_id("studio.seed")).to_be_visible()


def test_a_seed_needs_no_script(visitors, foyer):
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/studio/mystica")
    plant(page, "signedIn")
    expect(page).to_have_url(foyer.base + "/studio/mystica")
    expect(page.get_by_test_id("studio.token.access")).to_be_visible()
    acting.arrive(acting.phone(page), "map")


def test_a_seed_is_planted_by_keyboard(page, foyer):
    view = acting.studio(page, foyer)
    acting.arrive(view, "login")
    page.get_by_test_id("studio.seed.state").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("studio.seed")).to_be_focused()
    page.keyboard.press("Enter")
    acting.arrive(view, "map")


def test_a_seed_that_fails_says_why(visitors, foyer):
    page = visitors.device(foyer)
    acting.arrive(acting.studio(page, foyer), "login")
    device = acting.device_of(page, foyer)
    foyer.api("POST", "/api/conditions", {"kind": "offline", "app": "mystica", "device": device})
    visitors.refused(409, "/studio/mystica/seed")
    plant(page)
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("did not sign in")
    expect(dialog).to_contain_text("No internet connection")
    page.get_by_test_id("problem.close").click()
    expect(page.get_by_test_id("studio.seed")).to_be_enabled()


def test_a_real_backend_offers_no_seed(page, foyer):
    acting.arrive(acting.studio(page, foyer), "login")
    with page.expect_navigation():
        page.get_by_test_id("studio.backend.local").check()
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    expect(page.get_by_test_id("studio.seed")).to_have_count(0)


def test_the_empty_section_fits_and_axe_finds_nothing(visitors, foyer):
    page = visitors.device(foyer, reduced_motion="reduce")
    acting.arrive(acting.studio(page, foyer), "login")
    for width in [320, 390, 820, 1024, 1280]:
        looking.fits(page, "studio-empty", width, 844)
        box = page.get_by_test_id("studio.seed").bounding_box()
        card = page.get_by_test_id("studio.tokens.none").bounding_box()
        assert box["x"] >= card["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
    looking.examine(visitors, page, "studio-empty", [(1280, 844)])


def test_everything_shown_is_one_click_from_what_led_to_it(visitors, foyer, person):
    email, password = person()
    page = visitors.device(foyer, viewport={"width": 1280, "height": 900})
    view = acting.studio(page, foyer)
    acting.register(view, email, password)
    acting.arrive(view, "verify")
    mail = foyer.mail(email)["id"]
    page.reload()
    ways = {
        "screen": page.get_by_test_id("studio.state.event"),
        "token": page.get_by_test_id("studio.token.access.event"),
        "storage": page.get_by_test_id("storage.mystica_user_id.event"),
        "exchange": page.get_by_test_id("exchanges.row").first.get_by_role("link"),
        "mail": page.locator(f"[data-key='{mail}']").get_by_role("link"),
    }
    shapes = {}
    for width, (name, link) in itertools.product([1280, 820, 390], ways.items()):
        acting.resize(page, width, 900)
        page.goto(foyer.base + "/studio/mystica")
        link.click()
        steps = page.get_by_test_id("thread.step")
        expect(steps.first).to_be_visible()
        expect(page.locator("[data-testid='thread.step'][aria-current]")).to_have_count(1)
        shapes[name, width] = set(
            re.findall(r"#mark-(\w+)", page.get_by_test_id("thread").inner_html())
        )
    # Screen, call, storage and mail: each leads to all of the others.
    for name, found in shapes.items():
        assert {"call", "storage", "mail"} <= found, (name, found)
        assert {"screen", "current"} & found, (name, found)


def test_every_mark_of_the_timeline_opens_what_it_stands_for(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    acting.arrive(acting.studio(page, foyer), "map")
    marks = page.get_by_test_id("timeline.event")
    expect(marks.first).to_be_attached()
    addresses = {mark.get_attribute("href") for mark in marks.all()}
    assert addresses
    for address in addresses:
        page.goto(foyer.base + address)
        expect(page.get_by_test_id("thread.step").first).to_be_visible()


@pytest.mark.parametrize("app", ["wall", "mystica-instant"])
def test_long_keys_and_values_push_no_action_out_of_the_page(page, foyer, app):
    view = acting.studio(page, foyer, app)
    acting.arrive(view, FIRST[app])
    # The other one signs itself in.
    if app in INSIDE:
        plant(page)
    row = page.locator(".storage-rows tbody tr").first
    expect(row).to_be_visible()
    for width in (320, 620, 820, 1024, 1100, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        expect(row).to_be_visible()
        acting.painted(page)
        over = page.evaluate("""() => {
            const end = document.querySelector('.inspector')
                .getBoundingClientRect().right
            return [...document.querySelectorAll('.storage-rows .act')]
                .filter((act) => act.getBoundingClientRect().right > end)
                .map((act) => act.dataset.testid)
        }""")
        assert over == [], width
    # What is shortened is whole in its title.
    for name in (".col-key .cut", ".col-value .cut"):
        cell = row.locator(name)
        expect(cell).to_have_attribute("title", re.compile("^" + re.escape(cell.inner_text())))


def test_on_a_phone_the_timeline_is_a_page_of_its_own(visitors, foyer):
    page = visitors.device(foyer, viewport={"width": 320, "height": 800})
    view = acting.studio(page, foyer, "wall")
    page.get_by_test_id("studio.timeline").click()
    expect(page.get_by_role("heading", name="Launch")).to_be_visible()
    # It grows by itself while another tab goes on.
    other = page.context.new_page()
    view = acting.studio(other, foyer, "wall")
    plant(other)
    acting.arrive(view, "wall")
    rows = page.get_by_test_id("timeline.row")
    expect(rows.filter(has_text="was used")).to_have_count(1)
    first = page.get_by_test_id("timeline.burst").first
    expect(first.get_by_role("heading")).to_contain_text("Login")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    looking.axe(visitors, page)
    first.get_by_role("link", name="wall shown").click()
    page.get_by_test_id("event.timeline").click()
    expect(rows.first).to_be_visible()


def test_the_timeline_page_needs_no_script(visitors, foyer):
    page = visitors.device(foyer, java_script_enabled=False, viewport={"width": 390, "height": 800})
    page.goto(foyer.base + "/studio/mystica/timeline")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.goto(foyer.base + "/studio/mystica")
    plant(page, "signedIn")
    page.get_by_test_id("studio.timeline").click()
    expect(page.get_by_test_id("timeline.row").first).to_be_visible()
