"""Starting from a seed, and the event chain of everything that the studio shows."""

import re

import acting
import looking
import pytest
from playwright.sync_api import expect

FIRST_SCREEN = {
    "mystica": "login",
    "mystica-instant": "map",
    "bob": "onboarding",
    "wall": "landing",
    "socoto": "welcome",
    "clarity": "login",
}
SIGNED_IN_SCREEN = {
    "mystica": "map",
    "bob": "projects",
    "wall": "wall",
    "socoto": "profile",
    "clarity": "dashboard",
}


def apply_seed(page, state=None):
    if state:
        page.get_by_test_id("studio.seed.state").select_option(state)
    page.get_by_test_id("studio.seed").click()


@pytest.mark.parametrize("app", SIGNED_IN_SCREEN)
def test_one_click_signs_in_and_the_phone_follows(page, foyer, app):
    view = acting.studio(page, foyer, app)
    acting.expect_screen(view, FIRST_SCREEN[app])
    apply_seed(page)
    expect(page.locator("#tokens .card").first).to_be_visible()
    acting.expect_screen(view, SIGNED_IN_SCREEN[app])
    expect(page.get_by_test_id("studio.seed")).to_have_count(0)
    # A seed uses the app's own screens, so its calls are recorded.
    expect(page.get_by_test_id("exchanges.row").first).to_be_visible()
    page.reload()
    acting.expect_screen(view, SIGNED_IN_SCREEN[app])


def test_an_expired_seed_is_refreshed_silently(page, foyer):
    view = acting.studio(page, foyer)
    apply_seed(page, "expired")
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    acting.expect_screen(view, "map")
    acting.cold_start(page)
    acting.expect_screen(view, "map")
    expect(page.locator("#tokens .countdown-expired")).to_have_count(0)


def test_a_revoked_seed_is_signed_out_by_its_next_call(page, foyer):
    view = acting.studio(page, foyer)
    apply_seed(page, "revoked")
    expect(page.locator("#tokens .card").first).to_be_visible()
    acting.expect_screen(view, "map")
    acting.cold_start(page)
    acting.expect_screen(view, "login")
    expect(page.get_by_test_id("studio.seed")).to_be_visible()


def test_a_seed_works_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/studio/mystica")
    apply_seed(page, "signedIn")
    expect(page).to_have_url(foyer.base + "/studio/mystica")
    expect(page.get_by_test_id("studio.token.access")).to_be_visible()
    acting.expect_screen(acting.phone(page), "map")


def test_a_seed_is_applied_by_keyboard(page, foyer):
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "login")
    page.get_by_test_id("studio.seed.state").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("studio.seed")).to_be_focused()
    page.keyboard.press("Enter")
    acting.expect_screen(view, "map")


def test_a_failed_seed_shows_the_reason(browsers, foyer):
    page = browsers.device(foyer)
    acting.expect_screen(acting.studio(page, foyer), "login")
    device = acting.device_of(page, foyer)
    foyer.api("POST", "/api/faults", {"kind": "offline", "app": "mystica", "device": device})
    browsers.expect_status(409, "/studio/mystica/seed")
    apply_seed(page)
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("did not sign in")
    expect(dialog).to_contain_text("No internet connection")
    page.get_by_test_id("problem.close").click()
    expect(page.get_by_test_id("studio.seed")).to_be_enabled()


def test_a_real_backend_offers_no_seed(page, foyer):
    acting.expect_screen(acting.studio(page, foyer), "login")
    with page.expect_navigation():
        page.get_by_test_id("studio.backend.local").check()
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    expect(page.get_by_test_id("studio.seed")).to_have_count(0)


def test_the_button_of_the_empty_section_fits_its_card(browsers, foyer):
    page = browsers.device(foyer, reduced_motion="reduce")
    acting.expect_screen(acting.studio(page, foyer), "login")
    for width in [320, 390, 820, 1024, 1280]:
        looking.check_fits(page, "studio-empty", width, 844)
        box = page.get_by_test_id("studio.seed").bounding_box()
        card = page.get_by_test_id("studio.tokens.none").bounding_box()
        assert box["x"] >= card["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]


def test_everything_shown_links_to_its_event_chain(browsers, foyer, person):
    email, password = person()
    page = browsers.device(foyer, viewport={"width": 1280, "height": 900})
    view = acting.studio(page, foyer)
    acting.register(view, email, password)
    acting.expect_screen(view, "verify")
    mail = foyer.mail(email)["id"]
    page.reload()
    links = {
        "screen": page.get_by_test_id("studio.state.event"),
        "token": page.get_by_test_id("studio.token.access.event"),
        "storage": page.get_by_test_id("storage.mystica_user_id.event"),
        "exchange": page.get_by_test_id("exchanges.row").first.get_by_role("link"),
        "mail": page.locator(f"[data-key='{mail}']").get_by_role("link"),
    }
    for width in [390, 820, 1280]:
        acting.resize(page, width, 900)
        for link in links.values():
            link.click(trial=True)
    for name, link in links.items():
        page.goto(foyer.base + "/studio/mystica")
        link.click()
        expect(page.get_by_test_id("event-chain.step").first).to_be_visible()
        expect(page.locator("[data-testid='event-chain.step'][aria-current]")).to_have_count(1)
        # Screen, call, storage and mail: each event chain contains all of the others.
        kinds = set(re.findall(r"#mark-(\w+)", page.get_by_test_id("event-chain").inner_html()))
        assert {"call", "storage", "mail"} <= kinds, (name, kinds)
        assert {"screen", "current"} & kinds, (name, kinds)


def test_every_timeline_mark_opens_its_event_chain(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    acting.expect_screen(acting.studio(page, foyer), "map")
    marks = page.get_by_test_id("timeline.event")
    expect(marks.first).to_be_attached()
    addresses = {mark.get_attribute("href") for mark in marks.all()}
    assert addresses
    for address in addresses:
        page.goto(foyer.base + address)
        expect(page.get_by_test_id("event-chain.step").first).to_be_visible()


@pytest.mark.parametrize("app", ["wall", "mystica-instant"])
def test_long_keys_and_values_keep_every_action_in_view(page, foyer, app):
    view = acting.studio(page, foyer, app)
    acting.expect_screen(view, FIRST_SCREEN[app])
    # Mystica Instant signs in by itself.
    if app in SIGNED_IN_SCREEN:
        apply_seed(page)
    row = page.locator(".storage-rows tbody tr").first
    expect(row).to_be_visible()
    for width in (320, 620, 820, 1024, 1100, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        expect(row).to_be_visible()
        acting.wait_for_styles(page)
        outside = page.evaluate("""() => {
            const end = document.querySelector('.inspector')
                .getBoundingClientRect().right
            return [...document.querySelectorAll('.storage-rows .icon-button')]
                .filter((act) => act.getBoundingClientRect().right > end)
                .map((act) => act.dataset.testid)
        }""")
        assert outside == [], width
    # The title attribute has the full text of a truncated cell.
    for name in (".col-key .truncate", ".col-value .truncate"):
        cell = row.locator(name)
        expect(cell).to_have_attribute("title", re.compile("^" + re.escape(cell.inner_text())))


def test_on_a_phone_the_timeline_is_a_separate_page(browsers, foyer):
    page = browsers.device(foyer, viewport={"width": 320, "height": 800})
    view = acting.studio(page, foyer, "wall")
    page.get_by_test_id("studio.timeline").click()
    expect(page.get_by_role("heading", name="Launch")).to_be_visible()
    # The page updates live while another tab is used.
    other = page.context.new_page()
    view = acting.studio(other, foyer, "wall")
    apply_seed(other)
    acting.expect_screen(view, "wall")
    rows = page.get_by_test_id("timeline.row")
    expect(rows.filter(has_text=re.compile(r"Mail to \S+ opened"))).to_have_count(1)
    first = page.get_by_test_id("timeline.group").first
    expect(first.get_by_role("heading")).to_contain_text("Login")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    looking.check_axe(browsers, page)
    first.get_by_role("link", name="wall shown").click()
    page.get_by_test_id("event.timeline").click()
    expect(rows.first).to_be_visible()


def test_the_timeline_page_works_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False, viewport={"width": 390, "height": 800})
    page.goto(foyer.base + "/studio/mystica/timeline")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.goto(foyer.base + "/studio/mystica")
    apply_seed(page, "signedIn")
    page.get_by_test_id("studio.timeline").click()
    expect(page.get_by_test_id("timeline.row").first).to_be_visible()
