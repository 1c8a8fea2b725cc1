"""One session in the views of device, token and server: their discrepancies, the tests of its
refresh family, and the tokens that outlive a revocation.
"""

import re

import acting
import looking
import pytest
from playwright.sync_api import expect


def open_session(page, foyer, email):
    """Opens the page of this user's session and returns its id."""
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("sessions.row").filter(has_text=email).get_by_role("link").first.click()
    expect(page.get_by_test_id("session.user")).to_contain_text(email)
    return page.url.rsplit("/", 1)[1]


def view_row(page, name):
    return page.get_by_test_id(f"session.field.{name}")


def registered_user(browsers, foyer, person, **options):
    """Registers a user with an unverified address, and opens the session's page."""
    email, password = person()
    page = browsers.device(foyer, **options)
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    return page, email, open_session(page, foyer, email)


def signed_in_user(browsers, foyer, person, **options):
    page, email, _ = acting.signed_in_device(browsers, foyer, person, **options)
    return page, email, open_session(page, foyer, email)


def account_id(foyer, email):
    [found] = [
        one
        for one in foyer.api("GET", f"/api/accounts?q={email}")["items"]
        if one["email"] == email
    ]
    return found["id"]


def test_a_stale_verified_flag_is_reported_and_fixed_by_a_refresh(browsers, foyer, person):
    page, email, _ = registered_user(browsers, foyer, person)
    verified = view_row(page, "emailVerified")
    expect(verified).not_to_have_attribute("data-discrepancy", re.compile("."))
    foyer.api("PATCH", "/api/accounts/" + account_id(foyer, email), {"verified": True})
    page.reload()
    expect(verified).to_have_attribute("data-discrepancy", "staleEmailVerification")
    expect(verified).to_contain_text("Refresh to update it.")
    expect(page.get_by_test_id("session.comparison.summary")).to_contain_text("1 of 9 out of sync")
    page.goto(foyer.base + "/sessions?outOfSync=true")
    row = page.get_by_test_id("sessions.row").filter(has_text=email)
    expect(row.get_by_test_id("sessions.mismatch")).to_be_visible()
    row.get_by_role("link").first.click()
    page.get_by_test_id("session.refresh").click()
    expect(page.get_by_test_id("session.comparison.summary")).to_have_text("All in sync")
    page.get_by_test_id("session.compare").click()
    changed = page.locator("[data-testid='diff.row'][data-kind='changed']")
    expect(changed.filter(has_text="email_verified")).to_contain_text("true")


@pytest.mark.parametrize("scripts", [True, False])
def test_two_concurrent_refreshes_show_which_one_failed(browsers, foyer, person, scripts):
    page, email, session = signed_in_user(browsers, foyer, person)
    if not scripts:
        plain_page = browsers.device(foyer, java_script_enabled=False)
        plain_page.goto(f"{foyer.base}/sessions/{session}")
        page = plain_page
    page.get_by_test_id("session.concurrent").click()
    steps = page.get_by_test_id("session.family.step")
    expect(steps.filter(has_text="it revoked the family")).to_have_count(1)
    expect(steps.filter(has_text="Family revoked")).to_contain_text("refresh token reused")
    expect(view_row(page, "state")).to_have_attribute("data-discrepancy", "revoked")
    expect(page.get_by_test_id("session.state")).to_have_text("Revoked")
    attempt = page.get_by_test_id("session.test").first
    expect(attempt).to_contain_text("rejected with 401")
    attempt.get_by_role("link").click()
    expect(page.get_by_test_id("exchange.request.body")).to_contain_text("refresh_token")


def test_reusing_an_old_generation_ends_the_family(browsers, foyer, person):
    page, email, session = signed_in_user(browsers, foyer, person)
    page.get_by_test_id("session.refresh").click()
    history = page.get_by_test_id("session.history")
    expect(history.filter(has_text="Refreshed manually")).to_have_count(1)
    page.get_by_test_id("session.replay.generation").select_option(label="Generation 1")
    page.get_by_test_id("session.replay").click()
    expect(
        page.get_by_test_id("session.family.step").filter(has_text="Generation 1 reused")
    ).to_contain_text("it revoked the family")
    expect(history.filter(has_text="reused, was rejected")).to_have_count(1)
    expect(history.filter(has_text="Ended by the server")).to_have_count(1)
    device = acting.device_of(page, foyer)
    [replay] = [
        one for one in acting.exchanges(foyer, device, "refresh") if one["cause"] == "replay"
    ]
    assert replay["status"] == 401


def test_the_token_of_a_concurrent_refresh_is_listed_and_reused(browsers, foyer):
    lease = foyer.api("POST", "/api/workspaces", {"seed": {"app": "bob", "state": "signedIn"}})
    try:
        page = browsers.device(foyer, storage_state=lease["storageState"])
        page.goto(f"{foyer.base}/sessions/{lease['session']}")
        generations = page.get_by_test_id("session.replay.generation")
        expect(generations).to_have_count(0)
        page.get_by_test_id("session.concurrent").click()
        # The list does not contain the phone's current generation.
        expect(generations.locator("option")).to_have_text(
            ["Generation 1", "Generation 2b, second client"]
        )
        expect(generations.locator("option:checked")).to_have_text("Generation 1")
        # The selection stays when the page updates the part.
        element = generations.element_handle()
        generations.select_option(label="Generation 2b, second client")
        page.get_by_test_id("nav.clock.freeze").click()
        page.wait_for_function("old => !old.isConnected", arg=element)
        expect(generations.locator("option:checked")).to_have_text("Generation 2b, second client")
        page.get_by_test_id("session.replay").click()
        expect(
            page.get_by_test_id("session.family.step").filter(
                has_text="Generation 2b used elsewhere"
            )
        ).to_contain_text("it issued 3b")
        expect(page.get_by_test_id("session.test").first).to_contain_text(
            "Generation 2b, second client, used elsewhere"
        )
    finally:
        foyer.api("DELETE", "/api/workspaces/" + lease["id"])


def test_a_lost_response_leaves_an_older_generation_on_the_phone(browsers, foyer, person):
    page, email, session = signed_in_user(browsers, foyer, person)
    page.get_by_test_id("session.dropresponse").click()
    expect(view_row(page, "generation")).to_have_attribute("data-discrepancy", "generationMismatch")
    page.get_by_test_id("session.test").get_by_role("link").click()
    expect(page.locator("#main, header.bar").first).to_be_visible()
    expect(page.get_by_text("connection reset after 200, 1 of 1").first).to_be_visible()


def test_after_signing_out_everywhere_unexpired_tokens_count_down(browsers, foyer, person):
    page, email, session = signed_in_user(browsers, foyer, person)
    page.get_by_test_id("session.refresh").click()
    expect(page.get_by_test_id("session.history")).to_have_count(2)
    foyer.api("PATCH", "/api/accounts/" + account_id(foyer, email), {"signOut": True})
    page.reload()
    expect(view_row(page, "state")).to_have_attribute("data-discrepancy", "revoked")
    tokens = page.locator("li[data-testid='session.unexpired']")
    expect(tokens).to_have_count(2)
    expect(tokens.first).to_contain_text("On the device")
    expect(tokens.first.get_by_role("timer")).to_be_visible()
    tokens.nth(1).get_by_test_id("session.unexpired.probe").click()
    expect(tokens.nth(1).get_by_test_id("session.probe.result")).to_contain_text(
        "Rejected just now"
    )
    page.get_by_test_id("session.probe").click()
    expect(page.get_by_test_id("session.status")).to_contain_text("The next request is rejected.")


def test_a_pasted_token_is_decoded_and_not_stored(browsers, foyer, person):
    page, email, session = signed_in_user(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    token = foyer.api("GET", f"/api/devices/{device}/apps/mystica/storage/mystica_access_token")[
        "value"
    ]
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("sessions.tokens").click()
    page.get_by_test_id("tokens.token").fill("Bearer " + token)
    page.get_by_test_id("tokens.inspect").click()
    result = page.get_by_test_id("tokens.result")
    expect(result).to_contain_text("Valid signature")
    expect(result).to_contain_text(email)
    assert page.url == foyer.base + "/tokens"
    assert token not in page.content()
    expect(page.get_by_test_id("tokens.token")).to_have_value("")


def test_pages_of_a_revoked_session_fit_and_axe_finds_nothing(browsers, foyer, person):
    page, email, session = signed_in_user(browsers, foyer, person)
    page.get_by_test_id("session.concurrent").click()
    expect(page.get_by_test_id("session.test")).to_have_count(1)
    acting.wait_for_styles(page)
    for path in [
        "/sessions/" + session,
        "/tokens",
        "/sessions",
        f"/sessions/{session}/compare?from=1",
    ]:
        page.goto(foyer.base + path)
        acting.wait_for_styles(page)
        for windows in looking.CONSOLE_WINDOWS:
            looking.examine(browsers, page, path, windows)


@pytest.mark.parametrize("scripts", [True, False])
def test_seeding_and_signing_out_all(fresh_foyer, browsers, scripts):
    page = browsers.device(fresh_foyer, java_script_enabled=scripts)
    for app in ("mystica", "socoto"):
        page.goto(fresh_foyer.base + "/sessions")
        page.get_by_test_id("sessions.seed").click()
        page.get_by_test_id("seed.app").select_option(app)
        page.get_by_test_id("seed.submit").click()
        expect(page.get_by_test_id("session.state")).to_contain_text("Active")
    # A device with a session of the app is rejected in the form.
    device = fresh_foyer.api("GET", "/api/sessions?app=mystica")["items"][0]["device"]
    page.goto(fresh_foyer.base + "/sessions?app=mystica")
    page.get_by_test_id("sessions.seed").click()
    page.get_by_test_id("seed.device").select_option(device)
    browsers.expect_status(409, "/sessions/seed")
    page.get_by_test_id("seed.submit").click()
    expect(page.get_by_role("alert")).to_contain_text("Sign out on the device")
    expect(page.get_by_test_id("seed.device")).to_have_value(device)
    page.goto(fresh_foyer.base + "/sessions?app=mystica")
    page.get_by_test_id("sessions.signoutall").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page).to_have_url(fresh_foyer.base + "/sessions")
    expect(page.get_by_test_id("sessions.state")).to_have_text(["Active", "Signed out"])
