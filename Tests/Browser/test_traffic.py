"""Recorded exchanges: reasons of rejections, resend, comparison and import."""

import json
import re

import acting
from foyer import MARK
from playwright.sync_api import expect


def exchange_id(foyer, device, call, **values):
    """The id of the newest exchange of a call, with these values."""
    items = [
        e
        for e in acting.exchanges(foyer, device, call)
        if all(e[k] == v for k, v in values.items())
    ]
    return items[0]["id"]


def fail_sign_in(browsers, foyer, person):
    """A page whose device has just failed to sign in with a wrong password."""
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    other = browsers.device(foyer)
    acting.start(other, foyer)
    acting.login(other, email, f"{MARK}-wrong")
    expect(other.get_by_test_id("login.error")).to_be_visible()
    return other, acting.device_of(other, foyer), email


def test_a_rejected_request_shows_which_check_failed(browsers, foyer, person):
    page, device, _ = fail_sign_in(browsers, foyer, person)
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'login')}")
    checks = page.get_by_test_id("exchange.check")
    expect(checks.filter(has_text="Password is correct")).to_contain_text("wrong password")
    expect(page.locator(".check-failed")).to_have_count(1)
    names = [n.split(",")[0].strip() for n in page.locator(".check-name").all_inner_texts()]
    assert names == [
        "Host is valid",
        "Workspace exists",
        "Route exists",
        "Body can be read",
        "Fields are valid",
        "Within the rate limit",
        "Account with this email",
        "Password is correct",
        "Account can sign in",
        "Email verified",
    ]
    expect(page.get_by_test_id("exchange.cause")).to_contain_text("Password rejected")


def test_a_request_with_an_expired_token_shows_reason_and_follow_up(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    acting.cold_start(page)
    # The screen looks the same as before; only the retried call is new.
    expect(page.locator("#exchanges")).to_contain_text("Retry")
    acting.expect_signed_in(view, email)
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'me', status=401)}")
    expect(page.locator(".check-failed")).to_contain_text("expired")
    expect(page.get_by_test_id("exchange.cause")).to_contain_text("Token expired")
    last_event = page.get_by_test_id("exchange.followup").last
    expect(last_event).to_contain_text("shown")
    expect(last_event).to_contain_text("Invisible to the user")
    # The request's token is shown decoded, with its signature masked.
    card = page.get_by_test_id("exchange.token").first
    expect(card).to_contain_text("email_verified")
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", page.content())


def test_check_results_survive_a_restart(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, device, _ = fail_sign_in(browsers, foyer, person)
    exchange = exchange_id(foyer, device, "login")
    assert foyer.stop() == 0
    foyer.start()
    checks = foyer.api("GET", f"/api/exchanges/{exchange}")["checks"]
    assert [c["name"] for c in checks if c["state"] == "failed"] == ["password"]


def test_resending_a_request_does_not_change_the_device(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    before = foyer.api("GET", app_path)["storage"]
    acting.relaunch(page, foyer)
    acting.expect_screen(page, "map")
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'me')}")
    page.get_by_test_id("exchange.resend").click()
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("Replay")
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("200")
    assert foyer.api("GET", app_path)["storage"] == before


def test_resending_a_sign_in_asks_for_the_password(browsers, foyer, person):
    page, email, password = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    other = browsers.device(foyer)
    acting.start(other, foyer)
    acting.login(other, email, password)
    acting.expect_screen(other, "map")
    device = acting.device_of(other, foyer)
    other.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'login')}")
    other.get_by_test_id("exchange.resend").click()
    body = other.get_by_test_id("resend.body")
    assert password not in body.input_value()
    other.get_by_test_id("resend.submit").click()
    expect(other.get_by_test_id("resend.password.error")).to_contain_text(
        "passwords are never recorded"
    )
    browsers.expect_status(400, r"/traffic/exc_\w+/resend")
    other.get_by_test_id("resend.password").fill(password)
    other.get_by_test_id("resend.submit").click()
    expect(other.get_by_test_id("exchange.chips")).to_contain_text("200")
    assert password not in other.content()


def test_an_edited_request_cannot_be_sent_to_another_server(browsers, foyer, person):
    page, device, email = fail_sign_in(browsers, foyer, person)
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'login')}")
    page.get_by_test_id("exchange.resend").click()
    path = page.get_by_test_id("resend.path")
    original = path.input_value()
    path.fill("http://169.254.169.254/latest")
    page.get_by_test_id("resend.password").fill(f"{MARK}-other")
    page.get_by_test_id("resend.submit").click()
    browsers.expect_status(400, r"/traffic/exc_\w+/resend")
    expect(page.get_by_test_id("resend.path.error")).to_contain_text("another server")
    page.get_by_test_id("resend.path").fill(original)
    page.get_by_test_id("resend.method").fill("DELETE")
    page.get_by_test_id("resend.password").fill(f"{MARK}-other")
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("405")
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("Manual")
    expect(page.locator(".check-failed")).to_contain_text("Route exists")


def test_two_exchanges_are_compared_from_the_list(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    acting.relaunch(page, foyer)
    acting.expect_screen(page, "map")
    page.goto(f"{foyer.base}/traffic?device={device}")
    page.get_by_test_id("traffic.pick").nth(0).check()
    page.get_by_test_id("traffic.pick").nth(1).check()
    page.get_by_test_id("traffic.compare").click()
    expect(page.get_by_test_id("diff.side")).to_have_count(2)
    expect(page.get_by_test_id("diff.row").first).to_be_visible()
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", page.content())
    page.get_by_test_id("diff.swap").click()
    expect(page.get_by_test_id("diff.side")).to_have_count(2)


def test_exactly_two_exchanges_are_compared(browsers, foyer, person):
    page, device, _ = fail_sign_in(browsers, foyer, person)
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    page.goto(f"{foyer.base}/traffic")
    compare = page.get_by_test_id("traffic.compare")
    expect(compare).to_be_disabled()
    expect(compare).to_have_attribute("title", "Select two requests in the list")
    page.get_by_test_id("traffic.pick").first.check()
    expect(compare).to_be_disabled()
    page.get_by_test_id("traffic.pick").nth(1).check()
    expect(compare).to_be_enabled()
    # Without scripts an error page links back.
    browsers.expect_status(400, "/traffic/diff")
    page.goto(f"{foyer.base}/traffic/diff?pick=one")
    page.get_by_test_id("error.fix").click()
    expect(compare).to_be_visible()


def har_text(entries):
    return json.dumps(
        {
            "log": {
                "version": "1.2",
                "creator": {"name": "a browser", "version": "1"},
                "entries": entries,
            }
        }
    )


def har_entry(**changes):
    entry = {
        "startedDateTime": "2026-11-20T10:00:00.000Z",
        "time": 12.5,
        "request": {
            "method": "POST",
            "url": "https://api.mystica.app/v1/auth/login",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "postData": {
                "mimeType": "application/json",
                "text": json.dumps({"email": "har@example.com", "password": f"{MARK}-har"}),
            },
        },
        "response": {
            "status": 200,
            "headers": [],
            "content": {
                "mimeType": "application/json",
                "text": '{"session":{"access_token":"opaque-9f8e7d6c5b4a"}}',
            },
        },
        "timings": {"wait": 10, "receive": 2},
    }
    entry.update(changes)
    return entry


def test_a_har_file_is_imported_and_marked(browsers, foyer, tmp_path):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/traffic")
    page.get_by_test_id("traffic.import").click()
    file = tmp_path / "log.har"
    file.write_text(har_text([har_entry()]))
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    row = page.get_by_test_id("traffic.row").first
    expect(row).to_contain_text("Imported")
    expect(row).to_contain_text("/auth/login")
    row.locator("a").first.click()
    expect(page.get_by_test_id("exchange.request.body")).to_contain_text("‹password›")
    assert MARK not in page.content()
    assert "opaque-9f8e7d6c5b4a" not in page.content()


def test_a_large_har_file_is_imported_and_a_too_large_one_rejected(browsers, foyer, tmp_path):
    page = browsers.device(foyer)
    body = "function f(a) { return a.b }\n" * 4_000
    script = har_entry(
        response={
            "status": 200,
            "headers": [],
            "content": {"mimeType": "text/javascript", "text": body},
        }
    )
    file = tmp_path / "panel.har"
    file.write_text(har_text([script] * 100))
    assert file.stat().st_size > 10_000_000
    page.goto(f"{foyer.base}/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    expect(page.get_by_test_id("traffic.row").first).to_contain_text("Imported")
    file.write_text(har_text([script] * 300))
    browsers.expect_status(413, "/traffic/import")
    page.goto(f"{foyer.base}/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("32 MiB")
    expect(page.get_by_test_id("error.home")).to_be_visible()


def test_a_form_that_is_too_large_gets_an_error_page(browsers, foyer, person):
    page, device, _ = fail_sign_in(browsers, foyer, person)
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'login')}")
    page.get_by_test_id("exchange.resend").click()
    page.get_by_test_id("resend.body").evaluate("field => { field.value = 'x'.repeat(1500000) }")
    browsers.expect_status(413, r"/traffic/exc_\w+/resend")
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("1 MiB")
    page.go_back()
    expect(page.get_by_test_id("resend.submit")).to_be_visible()


def test_an_invalid_har_file_is_rejected_with_every_error_and_its_path(browsers, foyer, tmp_path):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/traffic/import")
    file = tmp_path / "bad.har"
    bad = har_entry(startedDateTime="yesterday")
    bad["request"]["url"] = "ftp://example.com"
    file.write_text(har_text([har_entry(), bad]))
    browsers.expect_status(400, "/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    error = page.get_by_test_id("import.error")
    expect(error).to_contain_text("/log/entries/1/request/url")
    expect(error).to_contain_text("/log/entries/1/startedDateTime")
    expect(error).to_contain_text("Import failed")


def test_the_raw_exchange_is_masked_unless_requested_unmasked(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    acting.relaunch(page, foyer)
    acting.expect_screen(page, "map")
    page.goto(f"{foyer.base}/traffic/{exchange_id(foyer, device, 'me')}")
    masked = page.request.get(
        foyer.base + page.get_by_test_id("exchange.raw").get_attribute("href")
    )
    assert masked.text().startswith("GET /")
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", masked.text())
    unmasked = page.request.get(
        foyer.base + page.get_by_test_id("exchange.raw.unmasked").get_attribute("href")
    )
    assert re.search(r"Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+", unmasked.text())
    assert foyer.api("GET", "/api/exchanges?token=yes")["total"] > 0
