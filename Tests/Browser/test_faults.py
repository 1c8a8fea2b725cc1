"""Simulated faults, controlled on the pages: turned on, applied, shown and turned off."""

import acting
import looking
from conftest import save_picture
from playwright.sync_api import expect


def open_login(browsers, foyer, **options):
    """The studio of Mystica, on the login screen."""
    page = browsers.device(foyer, **options)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "login")
    return page, view


def test_an_offline_fault_is_applied_shown_and_turned_off(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    email, password = person()
    foyer.account(email, password)
    page, view = open_login(browsers, foyer)
    page.get_by_test_id("studio.faults").click()
    page.get_by_test_id("studio.preset.offline").click()
    expect(page.get_by_test_id("banner.text")).to_contain_text("next 3 requests in Mystica")
    expect(page.get_by_test_id("nav.fault")).to_have_text("Offline · next 3 requests")

    acting.login(view, email, password)
    expect(view.get_by_test_id("login.error")).to_contain_text("No internet connection")
    expect(page.locator("#exchanges .chip-warn").first).to_have_text("offline, 1 of 3")
    expect(page.get_by_test_id("banner.text")).to_contain_text(
        "1 of 3 used, last by POST /auth/login at"
    )
    expect(page.get_by_test_id("nav.fault")).to_have_text("Offline · next 2 requests")
    expect(page.locator("a.mark-fault").last).to_be_visible()
    save_picture(page, "faults-studio")

    page.get_by_test_id("banner.off").click()
    expect(page.get_by_test_id("banner")).to_have_count(0)
    expect(page.get_by_test_id("nav.fault")).to_have_count(0)
    acting.login(view, email, password)
    acting.expect_signed_in(view, email)

    page.goto(foyer.base + "/traffic?fault=applied")
    rows = page.get_by_test_id("traffic.row")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").first.click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("offline, 1 of 3")
    expect(page.get_by_test_id("exchange.failure")).to_contain_text("Simulated")


def test_the_token_theft_preset_ends_the_session(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")
    page.get_by_test_id("studio.faults").click()
    page.get_by_test_id("studio.preset.tokenTheft").click()
    expect(page.get_by_test_id("nav.faults.count")).to_have_text("2")
    acting.cold_start(page)
    acting.expect_screen(view, "login")
    expect(view.get_by_test_id("login.error")).to_contain_text("Session expired")
    expect(page.locator("#exchanges .chip-warn")).to_have_text(
        ["refresh token reused, 1 of 1", "access token expired, 1 of 1"]
    )
    expect(page.get_by_test_id("banner")).to_have_count(0)


def test_a_dropped_mail_is_explained_in_the_mailbox(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    email, password = person()
    page = browsers.device(foyer)
    page.goto(foyer.base + "/faults")
    page.get_by_test_id("faults.preset.mailLost").click()
    expect(page.get_by_test_id("faults.row")).to_have_count(1)
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    page.goto(foyer.base + "/mailbox")
    expect(page.get_by_test_id("empty")).to_contain_text("a fault dropped it")
    page.goto(foyer.base + "/faults")
    expect(page.get_by_test_id("faults.none")).to_be_visible()


def test_a_custom_fault_affects_one_call_as_configured(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    email, password = person()
    foyer.account(email, password)
    page = browsers.device(foyer)
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    page.goto(foyer.base + "/faults")
    expect(page.get_by_test_id("faults.status")).to_be_hidden()
    page.get_by_test_id("faults.kind").select_option("status")
    expect(page.get_by_test_id("faults.delay")).to_be_hidden()
    page.get_by_test_id("faults.times").fill("1")
    page.get_by_test_id("faults.call").select_option("login")
    page.get_by_test_id("faults.app").select_option("mystica")
    browsers.expect_status(422, "/faults")
    page.get_by_test_id("faults.add").click()
    expect(page.locator("#fault-status-error")).to_contain_text("missing")
    expect(page.get_by_test_id("faults.call")).to_have_value("login")
    page.get_by_test_id("faults.status").fill("503")
    headers = page.get_by_test_id("faults.headers")
    for value, message in [
        ("no header", "Invalid header line: no header"),
        ("X Mood: low", "X Mood is not a valid header field"),
    ]:
        headers.fill(value)
        page.get_by_test_id("faults.add").click()
        expect(page.locator("#fault-headers-error")).to_contain_text(message)
        expect(headers).to_have_value(value)
    headers.fill("X-Mood: low\nVia: 1.1 typed")
    page.get_by_test_id("faults.add").click()
    expect(page.get_by_test_id("faults.row")).to_contain_text(
        "The next request for login in Mystica gets status 503."
    )
    device = acting.device_of(page, foyer)
    acting.start(page, foyer)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_be_visible()
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)
    after, affected = acting.exchanges(foyer, device, "login")
    assert (affected["fault"], after["fault"]) == ("status 503, 1 of 1", None)
    response = foyer.api("GET", "/api/exchanges/" + affected["id"])["response"]
    assert {"name": "X-Mood", "value": "low"} in response["headers"]
    assert {"name": "Via", "value": "1.1 typed"} in response["headers"]


def test_faults_show_in_every_browser_and_survive_a_restart(fresh_foyer, browsers):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    page.goto(foyer.base + "/faults")
    other = browsers.device(foyer)
    other.goto(foyer.base + "/mailbox")
    page.get_by_test_id("faults.preset.offline").click()
    expect(other.get_by_test_id("banner")).to_be_visible()
    other.get_by_test_id("banner.off").click()
    expect(page.get_by_test_id("faults.none")).to_be_visible()
    foyer.api("POST", "/api/faults", {"preset": "slowServer"})
    page.close()
    other.close()
    foyer.kill()
    foyer.start()
    faults = foyer.api("GET", "/api/faults")["items"]
    assert [c["kind"] for c in faults] == ["slow"]


def test_faults_work_without_scripts(fresh_foyer, browsers):
    foyer = fresh_foyer
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/faults")
    page.get_by_test_id("faults.preset.offline").click()
    expect(page.get_by_test_id("faults.usage")).to_have_text("0 of 3")
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("banner.off").click()
    expect(page.get_by_test_id("banner")).to_have_count(0)
    assert page.url.endswith("/sessions")
    page.goto(foyer.base + "/studio/mystica")
    page.get_by_test_id("studio.faults").click()
    page.get_by_test_id("studio.preset.responseLost").click()
    expect(page.get_by_test_id("banner.text")).to_contain_text("after server processing")
    assert page.url.endswith("/studio/mystica")
    page.goto(foyer.base + "/faults")
    page.get_by_test_id("faults.kind").select_option("slow")
    page.get_by_test_id("faults.delay").fill("soon")
    browsers.expect_status(422, "/faults")
    page.get_by_test_id("faults.add").click()
    expect(page.locator("#fault-delay-error")).to_contain_text("not a number")
    page.get_by_test_id("faults.delay").fill("0.5")
    page.get_by_test_id("faults.add").click()
    page.get_by_test_id("faults.off.all").click()
    expect(page.get_by_test_id("faults.none")).to_be_visible()


def test_pages_with_active_faults_fit_and_axe_finds_nothing(fresh_foyer, browsers):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    for fault in (
        {"preset": "tokenTheft"},
        {"preset": "offline"},
        {"kind": "slow", "app": "mystica", "call": "login"},
    ):
        foyer.api("POST", "/api/faults", fault)
    for name in ("faults", "studio/mystica", "mailbox"):
        page.goto(f"{foyer.base}/{name}")
        expect(page.get_by_test_id("banner")).to_be_visible()
        acting.wait_for_styles(page)
        for windows in looking.CONSOLE_WINDOWS:
            looking.examine(browsers, page, f"faults-{name}", windows)


def test_the_form_offers_only_what_fits_the_chosen_app(fresh_foyer, browsers):
    def options(page, name):
        return page.get_by_test_id(f"faults.{name}").locator("option").all_inner_texts()

    foyer = fresh_foyer
    page = browsers.device(foyer)
    page.goto(foyer.base + "/faults")
    assert any(kind.startswith("Code expired") for kind in options(page, "kind"))
    page.get_by_test_id("faults.app").select_option("mystica")
    assert not any(kind.startswith("Code expired") for kind in options(page, "kind"))
    assert options(page, "call") == [
        "Any",
        "login",
        "logout",
        "me",
        "refresh",
        "register",
        "resend",
    ]
    page.get_by_test_id("faults.app").select_option("")
    assert any(kind.startswith("Code expired") for kind in options(page, "kind"))

    plain = browsers.device(foyer, java_script_enabled=False)
    plain.goto(foyer.base + "/faults")
    plain.get_by_test_id("faults.app").select_option("mystica")
    plain.get_by_test_id("faults.fit").click()
    assert options(plain, "call") == options(page, "call")[:1] + [
        "login",
        "logout",
        "me",
        "refresh",
        "register",
        "resend",
    ]
    assert not any(kind.startswith("Code expired") for kind in options(plain, "kind"))
