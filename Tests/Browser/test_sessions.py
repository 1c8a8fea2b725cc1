"""One session as device, token and server tell it: disagreements named and
mended, its refresh family put to the test, and what outlives a revoke."""

import re

import acting
import looking
import pytest
from playwright.sync_api import expect


def opened(page, foyer, email):
    """The page of this person's session."""
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("sessions.row").filter(has_text=email).get_by_role("link").first.click()
    expect(page.get_by_test_id("session.user")).to_contain_text(email)
    return page.url.rsplit("/", 1)[1]


def fact(page, name):
    return page.get_by_test_id(f"session.view.{name}")


def registered(visitors, foyer, person, **options):
    """Somebody new whose address is not verified, on the session's page."""
    email, password = person()
    page = visitors.device(foyer, **options)
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    return page, email, opened(page, foyer, email)


def signed_in(visitors, foyer, person, **options):
    page, email, _ = acting.player(visitors, foyer, person, **options)
    return page, email, opened(page, foyer, email)


def account(foyer, email):
    [found] = [
        one
        for one in foyer.api("GET", f"/api/accounts?q={email}")["items"]
        if one["email"] == email
    ]
    return found["id"]


def test_a_stale_verified_flag_is_named_and_mended_by_a_refresh(visitors, foyer, person):
    page, email, _ = registered(visitors, foyer, person)
    verified = fact(page, "emailVerified")
    expect(verified).not_to_have_attribute("data-disagreement", re.compile("."))
    foyer.api("PATCH", "/api/accounts/" + account(foyer, email), {"verified": True})
    page.reload()
    expect(verified).to_have_attribute("data-disagreement", "verifiedStale")
    expect(verified).to_contain_text("A refresh would carry it.")
    expect(page.get_by_test_id("session.views.sum")).to_contain_text("1 of 9 disagree")
    page.goto(foyer.base + "/sessions?disagrees=true")
    row = page.get_by_test_id("sessions.row").filter(has_text=email)
    expect(row.get_by_test_id("sessions.disagrees")).to_be_visible()
    row.get_by_role("link").first.click()
    page.get_by_test_id("session.refresh").click()
    expect(page.get_by_test_id("session.views.sum")).to_have_text("Nothing disagrees")
    page.get_by_test_id("session.compare").click()
    changed = page.locator("[data-testid='diff.row'][data-kind='changed']")
    expect(changed.filter(has_text="email_verified")).to_contain_text("true")


@pytest.mark.parametrize("scripts", [True, False])
def test_two_tabs_refresh_at_once_and_the_tree_tells_who_lost(visitors, foyer, person, scripts):
    page, email, session = signed_in(visitors, foyer, person)
    if not scripts:
        plain = visitors.device(foyer, java_script_enabled=False)
        plain.goto(f"{foyer.base}/sessions/{session}")
        page = plain
    page.get_by_test_id("session.race").click()
    steps = page.get_by_test_id("session.family.step")
    expect(steps.filter(has_text="it ended the family")).to_have_count(1)
    expect(steps.filter(has_text="All revoked")).to_contain_text("refresh token reused")
    expect(fact(page, "state")).to_have_attribute("data-disagreement", "revoked")
    expect(page.get_by_test_id("session.state")).to_have_text("revoked")
    tried = page.get_by_test_id("session.try").first
    expect(tried).to_contain_text("refused with 401")
    tried.get_by_role("link").click()
    expect(page.get_by_test_id("exchange.request.body")).to_contain_text("refresh_token")


def test_an_old_generation_is_used_again(visitors, foyer, person):
    page, email, session = signed_in(visitors, foyer, person)
    page.get_by_test_id("session.refresh").click()
    history = page.get_by_test_id("session.history")
    expect(history.filter(has_text="Refreshed by hand")).to_have_count(1)
    page.get_by_test_id("session.replay.generation").select_option(label="generation 1")
    page.get_by_test_id("session.replay").click()
    expect(
        page.get_by_test_id("session.family.step").filter(has_text="Generation 1 used again")
    ).to_contain_text("it ended the family")
    expect(history.filter(has_text="used again, was refused")).to_have_count(1)
    expect(history.filter(has_text="Ended by the server")).to_have_count(1)
    device = acting.device_of(page, foyer)
    [replay] = [
        one for one in acting.exchanges(foyer, device, "refresh") if one["cause"] == "replay"
    ]
    assert replay["status"] == 401


def test_after_a_race_the_other_tabs_token_is_told_apart_and_used(visitors, foyer):
    lease = foyer.api("POST", "/api/workspaces", {"seed": {"app": "bob", "state": "signedIn"}})
    try:
        page = visitors.device(foyer, storage_state=lease["storageState"])
        page.goto(f"{foyer.base}/sessions/{lease['session']}")
        old = page.get_by_test_id("session.replay.generation")
        expect(old).to_have_count(0)
        page.get_by_test_id("session.race").click()
        # What the phone holds is not old.
        expect(old.locator("option")).to_have_text(
            ["generation 1", "generation 2b, the other tab's"]
        )
        expect(old.locator("option:checked")).to_have_text("generation 1")
        # What is chosen stays, whatever is shown anew meanwhile.
        chosen = old.element_handle()
        old.select_option(label="generation 2b, the other tab's")
        page.get_by_test_id("nav.clock.freeze").click()
        page.wait_for_function("old => !old.isConnected", arg=chosen)
        expect(old.locator("option:checked")).to_have_text("generation 2b, the other tab's")
        page.get_by_test_id("session.replay").click()
        expect(
            page.get_by_test_id("session.family.step").filter(
                has_text="Generation 2b used elsewhere"
            )
        ).to_contain_text("it brought 3b")
        expect(page.get_by_test_id("session.try").first).to_contain_text(
            "Generation 2b, the other tab's, used elsewhere"
        )
    finally:
        foyer.api("DELETE", "/api/workspaces/" + lease["id"])


def test_a_lost_answer_leaves_an_older_generation_on_the_phone(visitors, foyer, person):
    page, email, session = signed_in(visitors, foyer, person)
    page.get_by_test_id("session.lose").click()
    expect(fact(page, "generation")).to_have_attribute("data-disagreement", "otherGeneration")
    page.get_by_test_id("session.try").get_by_role("link").click()
    expect(page.locator("#main, header.bar").first).to_be_visible()
    expect(page.get_by_text("connection reset after 200, 1 of 1").first).to_be_visible()


def test_after_signing_out_everywhere_what_still_lives_is_counted_down(visitors, foyer, person):
    page, email, session = signed_in(visitors, foyer, person)
    page.get_by_test_id("session.refresh").click()
    expect(page.get_by_test_id("session.history")).to_have_count(2)
    foyer.api("PATCH", "/api/accounts/" + account(foyer, email), {"signOut": True})
    page.reload()
    expect(fact(page, "state")).to_have_attribute("data-disagreement", "revoked")
    living = page.locator("li[data-testid='session.window']")
    expect(living).to_have_count(2)
    expect(living.first).to_contain_text("On the phone")
    expect(living.first.get_by_role("timer")).to_be_visible()
    living.nth(1).get_by_test_id("session.window.probe").click()
    expect(living.nth(1).get_by_test_id("session.answer")).to_contain_text("Refused just now")
    page.get_by_test_id("session.probe").click()
    expect(page.get_by_test_id("session.verdict")).to_contain_text("Its next call is refused.")


def test_a_pasted_token_is_taken_apart_and_kept_nowhere(visitors, foyer, person):
    page, email, session = signed_in(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    token = foyer.api("GET", f"/api/devices/{device}/apps/mystica/storage/mystica_access_token")[
        "value"
    ]
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("sessions.tokens").click()
    page.get_by_test_id("tokens.token").fill("Bearer " + token)
    page.get_by_test_id("tokens.inspect").click()
    result = page.get_by_test_id("tokens.result")
    expect(result).to_contain_text("Signature verified")
    expect(result).to_contain_text(email)
    assert page.url == foyer.base + "/tokens"
    assert token not in page.content()
    expect(page.get_by_test_id("tokens.token")).to_have_value("")


def test_a_revoked_session_fits_and_speaks_at_every_width(visitors, foyer, person):
    page, email, session = signed_in(visitors, foyer, person)
    page.get_by_test_id("session.race").click()
    expect(page.get_by_test_id("session.try")).to_have_count(1)
    acting.painted(page)
    for path in [
        "/sessions/" + session,
        "/tokens",
        "/sessions",
        f"/sessions/{session}/compare?from=1",
    ]:
        page.goto(foyer.base + path)
        acting.painted(page)
        for windows in looking.CONSOLE:
            looking.examine(visitors, page, path, windows)
