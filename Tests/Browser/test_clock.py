"""One clock for the backend, the phone and the page."""

from playwright.sync_api import expect

import acting


def test_a_quarter_of_an_hour_passes_at_once_everywhere(
        fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page, email, _ = acting.player(visitors, foyer, person)
    view = acting.studio(page, foyer)
    acting.arrive(view, "map")
    other = page.context.new_page()
    other.goto(foyer.base + "/sessions")

    page.get_by_test_id("nav.clock.hour").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("+1 h")
    # The token's countdown is over without a reload, in every tab.
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    expect(other.get_by_test_id("nav.clock.note")).to_have_text("+1 h")
    expect(other.get_by_test_id("sessions.expires").first).to_contain_text("−")

    acting.cold_start(page)
    acting.signed_in(view, email)
    expect(page.locator("#tokens .countdown-over")).to_have_count(0)


def test_a_frozen_clock_stands_on_the_page(fresh_foyer, visitors):
    page = visitors.device(fresh_foyer)
    page.goto(fresh_foyer.base + "/")
    page.get_by_test_id("nav.clock.freeze").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("frozen")
    stood = page.get_by_test_id("nav.clock").inner_text()
    said = fresh_foyer.api("GET", "/api/clock")["now"]
    assert stood in said
    page.reload()
    assert page.get_by_test_id("nav.clock").inner_text() == stood
    page.get_by_test_id("nav.clock.go").click()
    expect(page.get_by_test_id("nav.clock")).not_to_have_text(stood)
    page.get_by_test_id("nav.clock.real").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("real time")


def test_a_press_that_was_not_heard_is_sent_once_more_as_a_form(
        fresh_foyer, visitors):
    visitors.expect("ERR_FAILED")
    page = visitors.device(fresh_foyer)
    page.goto(fresh_foyer.base + "/sessions")
    page.route("**/clock", lambda route: route.abort(), times=1)
    with page.expect_navigation(url="**/sessions"):
        page.get_by_test_id("nav.clock.freeze").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("frozen")


def test_the_clock_is_set_without_scripts(fresh_foyer, visitors):
    page = visitors.device(fresh_foyer, java_script_enabled=False)
    page.goto(fresh_foyer.base + "/clock")
    page.get_by_test_id("clock.at").fill("2027-01-01T00:00:00")
    page.get_by_test_id("clock.set").click()
    expect(page.get_by_test_id("clock.now")).to_contain_text("00:00:0")
    assert fresh_foyer.api("GET", "/api/clock")["now"].startswith(
        "2027-01-01T00:00:0")
    visitors.expect("422")
    page.get_by_test_id("clock.at").fill("")
    page.get_by_test_id("clock.set").click()
    expect(page.get_by_test_id("clock.error")).to_contain_text("no time")


def test_a_restart_keeps_the_clock(fresh_foyer):
    fresh_foyer.api("PATCH", "/api/clock",
                    {"at": "2027-01-01T00:00:00Z", "freeze": True})
    assert fresh_foyer.stop() == 0
    fresh_foyer.start()
    clock = fresh_foyer.api("GET", "/api/clock")
    assert clock["now"] == "2027-01-01T00:00:00.000Z"
    assert clock["frozen"] is True
