"""What left and what came back: why it was refused, again, compared."""

import json
import re

import acting
from foyer import MARK
from playwright.sync_api import expect


def refused(foyer, device, call, **more):
    """The newest exchange of a call, waited for."""
    items = [
        e for e in acting.exchanges(foyer, device, call) if all(e[k] == v for k, v in more.items())
    ]
    return items[0]["id"]


def wrong_password(visitors, foyer, person):
    """A page whose device was just refused a sign-in."""
    page, email, _ = acting.player(visitors, foyer, person)
    other = visitors.device(foyer)
    acting.start(other, foyer)
    acting.login(other, email, f"{MARK}-wrong")
    expect(other.get_by_test_id("login.error")).to_be_visible()
    return other, acting.device_of(other, foyer), email


def test_a_refusal_says_which_check_failed(visitors, foyer, person):
    page, device, _ = wrong_password(visitors, foyer, person)
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'login')}")
    checks = page.get_by_test_id("exchange.check")
    expect(checks.filter(has_text="Password is right")).to_contain_text("wrong password")
    expect(page.locator(".check-failed")).to_have_count(1)
    names = [n.split(",")[0].strip() for n in page.locator(".check-name").all_inner_texts()]
    assert names == [
        "Host is this backend's",
        "Workspace exists",
        "Route exists",
        "Body can be read",
        "Fields are valid",
        "Account with this e-mail",
        "Password is right",
        "Account may sign in",
        "E-mail verified",
    ]
    expect(page.get_by_test_id("exchange.why")).to_contain_text("The password did not match")


def test_an_expired_token_names_itself_and_what_came_of_it(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    view = acting.studio(page, foyer)
    acting.arrive(view, "map")
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    acting.cold_start(page)
    # The screen of before looks the same: the call made again is new.
    expect(page.locator("#exchanges")).to_contain_text("retry")
    acting.signed_in(view, email)
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'me', status=401)}")
    expect(page.locator(".check-failed")).to_contain_text("on this clock")
    expect(page.get_by_test_id("exchange.why")).to_contain_text("The token was over")
    end = page.get_by_test_id("exchange.next").last
    expect(end).to_contain_text("shown")
    expect(end).to_contain_text("the user saw nothing")
    # The token it carried stands taken apart, its signature masked.
    card = page.get_by_test_id("exchange.token").first
    expect(card).to_contain_text("email_verified")
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", page.content())


def test_a_refusal_is_still_explained_after_a_restart(visitors, fresh_foyer, person):
    foyer = fresh_foyer
    page, device, _ = wrong_password(visitors, foyer, person)
    exchange = refused(foyer, device, "login")
    assert foyer.stop() == 0
    foyer.start()
    checks = foyer.api("GET", f"/api/exchanges/{exchange}")["checks"]
    assert [c["name"] for c in checks if c["state"] == "failed"] == ["password"]


def test_a_request_is_sent_again_and_the_phone_does_not_notice(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    before = foyer.api("GET", place)["storage"]
    acting.relaunch(page, foyer)
    acting.arrive(page, "map")
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'me')}")
    page.get_by_test_id("exchange.resend").click()
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("replay")
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("200")
    assert foyer.api("GET", place)["storage"] == before


def test_a_sign_in_is_sent_again_with_the_password_typed_anew(visitors, foyer, person):
    page, email, password = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    other = visitors.device(foyer)
    acting.start(other, foyer)
    acting.login(other, email, password)
    acting.arrive(other, "map")
    device = acting.device_of(other, foyer)
    other.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'login')}")
    other.get_by_test_id("exchange.resend").click()
    body = other.get_by_test_id("resend.body")
    assert password not in body.input_value()
    other.get_by_test_id("resend.submit").click()
    expect(other.get_by_test_id("resend.password.error")).to_contain_text(
        "password is never recorded"
    )
    visitors.refused(400, r"/traffic/exc_\w+/resend")
    other.get_by_test_id("resend.password").fill(password)
    other.get_by_test_id("resend.submit").click()
    expect(other.get_by_test_id("exchange.chips")).to_contain_text("200")
    assert password not in other.content()


def test_a_request_is_edited_and_cannot_leave_its_server(visitors, foyer, person):
    page, device, email = wrong_password(visitors, foyer, person)
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'login')}")
    page.get_by_test_id("exchange.resend").click()
    path = page.get_by_test_id("resend.path")
    kept = path.input_value()
    path.fill("http://169.254.169.254/latest")
    page.get_by_test_id("resend.password").fill(f"{MARK}-other")
    page.get_by_test_id("resend.submit").click()
    visitors.refused(400, r"/traffic/exc_\w+/resend")
    expect(page.get_by_test_id("resend.path.error")).to_contain_text("another server")
    page.get_by_test_id("resend.path").fill(kept)
    page.get_by_test_id("resend.method").fill("DELETE")
    page.get_by_test_id("resend.password").fill(f"{MARK}-other")
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("405")
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("by hand")
    expect(page.locator(".check-failed")).to_contain_text("Route exists")


def test_two_exchanges_are_compared_from_the_list(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    acting.relaunch(page, foyer)
    acting.arrive(page, "map")
    page.goto(f"{foyer.base}/traffic?device={device}")
    page.get_by_test_id("traffic.pick").nth(0).check()
    page.get_by_test_id("traffic.pick").nth(1).check()
    page.get_by_test_id("traffic.compare").click()
    expect(page.get_by_test_id("diff.side")).to_have_count(2)
    expect(page.get_by_test_id("diff.row").first).to_be_visible()
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", page.content())
    page.get_by_test_id("diff.swap").click()
    expect(page.get_by_test_id("diff.side")).to_have_count(2)


def test_only_two_are_compared(visitors, foyer, person):
    page, device, _ = wrong_password(visitors, foyer, person)
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    page.goto(f"{foyer.base}/traffic")
    compare = page.get_by_test_id("traffic.compare")
    expect(compare).to_be_disabled()
    expect(compare).to_have_attribute("title", "Tick two exchanges in the list")
    page.get_by_test_id("traffic.pick").first.check()
    expect(compare).to_be_disabled()
    page.get_by_test_id("traffic.pick").nth(1).check()
    expect(compare).to_be_enabled()
    # Without a script the page that refuses leads back.
    visitors.refused(400, "/traffic/diff")
    page.goto(f"{foyer.base}/traffic/diff?pick=one")
    page.get_by_test_id("error.mend").click()
    expect(compare).to_be_visible()


def archive(entries):
    return json.dumps(
        {
            "log": {
                "version": "1.2",
                "creator": {"name": "a browser", "version": "1"},
                "entries": entries,
            }
        }
    )


def entry(**changes):
    made = {
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
    made.update(changes)
    return made


def test_a_har_file_is_imported_and_marked(visitors, foyer, tmp_path):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/traffic")
    page.get_by_test_id("traffic.import").click()
    file = tmp_path / "log.har"
    file.write_text(archive([entry()]))
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    row = page.get_by_test_id("traffic.row").first
    expect(row).to_contain_text("imported")
    expect(row).to_contain_text("/auth/login")
    row.locator("a").first.click()
    expect(page.get_by_test_id("exchange.request.body")).to_contain_text("‹password›")
    assert MARK not in page.content()
    assert "opaque-9f8e7d6c5b4a" not in page.content()


def test_a_large_har_file_is_imported_and_one_too_large_is_told_so(visitors, foyer, tmp_path):
    page = visitors.device(foyer)
    body = "function f(a) { return a.b }\n" * 4_000
    script = entry(
        response={
            "status": 200,
            "headers": [],
            "content": {"mimeType": "text/javascript", "text": body},
        }
    )
    file = tmp_path / "panel.har"
    file.write_text(archive([script] * 100))
    assert file.stat().st_size > 10_000_000
    page.goto(f"{foyer.base}/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    expect(page.get_by_test_id("traffic.row").first).to_contain_text("imported")
    file.write_text(archive([script] * 300))
    visitors.refused(413, "/traffic/import")
    page.goto(f"{foyer.base}/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("32 MiB")
    expect(page.get_by_test_id("error.home")).to_be_visible()


def test_a_form_that_is_too_large_ends_on_a_page(visitors, foyer, person):
    page, device, _ = wrong_password(visitors, foyer, person)
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'login')}")
    page.get_by_test_id("exchange.resend").click()
    page.get_by_test_id("resend.body").evaluate("field => { field.value = 'x'.repeat(1500000) }")
    visitors.refused(413, r"/traffic/exc_\w+/resend")
    page.get_by_test_id("resend.submit").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("1 MiB")
    page.go_back()
    expect(page.get_by_test_id("resend.submit")).to_be_visible()


def test_a_bad_har_file_is_told_what_is_wrong_and_where(visitors, foyer, tmp_path):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/traffic/import")
    file = tmp_path / "bad.har"
    bad = entry(startedDateTime="yesterday")
    bad["request"]["url"] = "ftp://example.com"
    file.write_text(archive([entry(), bad]))
    visitors.refused(400, "/traffic/import")
    page.get_by_test_id("import.file").set_input_files(file)
    page.get_by_test_id("import.submit").click()
    fault = page.get_by_test_id("import.fault")
    expect(fault).to_contain_text("/log/entries/1/request/url")
    expect(fault).to_contain_text("/log/entries/1/startedDateTime")
    expect(fault).to_contain_text("Nothing was imported")


def test_the_whole_exchange_is_copied_masked_or_by_name_whole(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    acting.relaunch(page, foyer)
    acting.arrive(page, "map")
    page.goto(f"{foyer.base}/traffic/{refused(foyer, device, 'me')}")
    masked = page.request.get(
        foyer.base + page.get_by_test_id("exchange.raw").get_attribute("href")
    )
    assert masked.text().startswith("GET /")
    assert not re.search(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", masked.text())
    whole = page.request.get(
        foyer.base + page.get_by_test_id("exchange.raw.whole").get_attribute("href")
    )
    assert re.search(r"Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+", whole.text())
    assert foyer.api("GET", "/api/exchanges?token=yes")["total"] > 0
