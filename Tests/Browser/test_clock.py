"""The workspace's clock, which the backend, the devices and the pages share."""

import re
from datetime import datetime, timedelta

import acting
from playwright.sync_api import expect


def test_advancing_the_clock_expires_tokens_in_every_tab(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")
    other = page.context.new_page()
    other.goto(foyer.base + "/sessions")

    page.get_by_test_id("nav.clock.hour").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("+1 h")
    # The token's countdown ends in every tab without a reload.
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    expect(other.get_by_test_id("nav.clock.note")).to_have_text("+1 h")
    expect(other.get_by_test_id("sessions.expires").first).to_contain_text("Expired")

    acting.cold_start(page)
    acting.expect_signed_in(view, email)
    expect(page.locator("#tokens .countdown-expired")).to_have_count(0)


def test_a_frozen_clock_does_not_run_on_the_page(fresh_foyer, browsers):
    page = browsers.device(fresh_foyer)
    page.goto(fresh_foyer.base + "/")
    page.get_by_test_id("nav.clock.freeze").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("Frozen")
    frozen_time = page.get_by_test_id("nav.clock").inner_text()
    now = fresh_foyer.api("GET", "/api/clock")["now"]
    assert frozen_time in now
    page.reload()
    assert page.get_by_test_id("nav.clock").inner_text() == frozen_time
    page.get_by_test_id("nav.clock.resume").click()
    expect(page.get_by_test_id("nav.clock")).not_to_have_text(frozen_time)
    page.get_by_test_id("nav.clock.system").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("System time")


def test_a_failed_clock_request_is_submitted_again_as_a_form(fresh_foyer, browsers):
    browsers.expect_network_error("ERR_FAILED", "/clock")
    page = browsers.device(fresh_foyer)
    page.goto(fresh_foyer.base + "/sessions")
    page.route("**/clock", lambda route: route.abort(), times=1)
    with page.expect_navigation(url="**/sessions"):
        page.get_by_test_id("nav.clock.freeze").click()
    expect(page.get_by_test_id("nav.clock.note")).to_have_text("Frozen")


def test_the_clock_is_set_without_scripts(fresh_foyer, browsers):
    page = browsers.device(fresh_foyer, java_script_enabled=False)
    page.goto(fresh_foyer.base + "/clock")
    page.get_by_test_id("clock.at").fill("2027-01-01T00:00:00")
    page.get_by_test_id("clock.set").click()
    expect(page.get_by_test_id("clock.now")).to_contain_text("00:00:0")
    assert fresh_foyer.api("GET", "/api/clock")["now"].startswith("2027-01-01T00:00:0")
    browsers.expect_status(422, "/clock")
    page.get_by_test_id("clock.at").fill("")
    page.get_by_test_id("clock.set").click()
    expect(page.get_by_test_id("clock.error")).to_contain_text("Invalid date")


def test_a_restart_keeps_the_clock(fresh_foyer):
    fresh_foyer.api("PATCH", "/api/clock", {"at": "2027-01-01T00:00:00Z", "freeze": True})
    assert fresh_foyer.stop() == 0
    fresh_foyer.start()
    clock = fresh_foyer.api("GET", "/api/clock")
    assert clock["now"] == "2027-01-01T00:00:00.000Z"
    assert clock["frozen"] is True


def test_times_are_in_the_browsers_zone_and_the_page_names_it(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person, timezone_id="Asia/Kathmandu")
    device = acting.device_of(page, foyer)
    first = acting.exchanges(foyer, device)[0]
    started_at = datetime.fromisoformat(first["startedAt"])
    local_time = (started_at + timedelta(hours=5, minutes=45)).strftime("%H:%M:%S.")
    page.goto(f"{foyer.base}/traffic?device={device}")
    expect(page.get_by_test_id("nav.zone")).to_have_text(re.compile("Asia/Kath?mandu"))
    time = page.get_by_test_id("traffic.row").locator("time").first
    expect(time).to_contain_text(local_time)
    expect(time).to_have_attribute(
        "title", re.compile(re.escape(started_at.strftime("%Y-%m-%d %H:%M:%S.")) + r"\d{3} UTC")
    )
    # The time links to the same page as its row.
    time.click()
    expect(page.locator(".exchange-when")).to_contain_text(local_time)
    # Times in sentences use the zone too; a narrow window names it below.
    session = next(
        one for one in foyer.api("GET", "/api/sessions")["items"] if one["device"] == device
    )
    page.goto(f"{foyer.base}/sessions/{session['id']}")
    expect(page.locator("main")).not_to_contain_text("UTC")
    acting.resize(page, 820, 900)
    expect(page.get_by_test_id("zone")).to_be_visible()
    # Without scripts times are in UTC, and the page says so.
    page_without_scripts = browsers.device(
        foyer, java_script_enabled=False, timezone_id="Asia/Kathmandu"
    )
    page_without_scripts.goto(f"{foyer.base}/traffic?device={device}")
    expect(page_without_scripts.get_by_test_id("nav.zone")).to_have_text("UTC")
    expect(
        page_without_scripts.get_by_test_id("traffic.row").locator("time").first
    ).to_contain_text(started_at.strftime("%H:%M:%S."))
    page_without_scripts.goto(f"{foyer.base}/sessions/{session['id']}")
    expect(page_without_scripts.locator("main")).to_contain_text(
        re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")
    )
