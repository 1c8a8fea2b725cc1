"""Trouble on purpose, by hand: turned on, met, seen and ended."""

import acting
import looking
from conftest import shot
from playwright.sync_api import expect


def on_login(visitors, foyer, **options):
    """The studio of Mystica, standing on the login screen."""
    page = visitors.device(foyer, **options)
    view = acting.studio(page, foyer)
    acting.arrive(view, "login")
    return page, view


def test_a_tunnel_is_met_seen_and_ended(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    email, password = person()
    foyer.account(email, password)
    page, view = on_login(visitors, foyer)
    page.get_by_test_id("studio.conditions").click()
    page.get_by_test_id("studio.set.tunnel").click()
    expect(page.get_by_test_id("banner.text")).to_contain_text("next 3 calls in Mystica")
    expect(page.get_by_test_id("nav.condition")).to_have_text("Offline · next 3 calls")

    acting.login(view, email, password)
    expect(view.get_by_test_id("login.error")).to_contain_text("No internet connection")
    expect(page.locator("#exchanges .chip-warn").first).to_have_text("offline, 1 of 3")
    expect(page.get_by_test_id("banner.text")).to_contain_text(
        "1 of 3 used, last by POST /auth/login at"
    )
    expect(page.get_by_test_id("nav.condition")).to_have_text("Offline · next 2 calls")
    expect(page.locator("a.mark-condition").last).to_be_visible()
    shot(page, "conditions-studio")

    page.get_by_test_id("banner.end").click()
    expect(page.get_by_test_id("banner")).to_have_count(0)
    expect(page.get_by_test_id("nav.condition")).to_have_count(0)
    acting.login(view, email, password)
    acting.signed_in(view, email)

    page.goto(foyer.base + "/traffic?condition=struck")
    rows = page.get_by_test_id("traffic.row")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").first.click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("offline, 1 of 3")
    expect(page.get_by_test_id("exchange.failure")).to_contain_text("on purpose")


def test_a_session_killer_ends_the_session(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page, _, _ = acting.player(visitors, foyer, person)
    view = acting.studio(page, foyer)
    acting.arrive(view, "map")
    page.get_by_test_id("studio.conditions").click()
    page.get_by_test_id("studio.set.session-killer").click()
    expect(page.get_by_test_id("nav.conditions.count")).to_have_text("2")
    acting.cold_start(page)
    acting.arrive(view, "login")
    expect(view.get_by_test_id("login.error")).to_contain_text("Session expired")
    expect(page.locator("#exchanges .chip-warn")).to_have_text(
        ["refresh token reused, 1 of 1", "access token expired, 1 of 1"]
    )
    expect(page.get_by_test_id("banner")).to_have_count(0)


def test_a_lost_mail_is_explained_where_one_looks(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    email, password = person()
    page = visitors.device(foyer)
    page.goto(foyer.base + "/conditions")
    page.get_by_test_id("conditions.set.mail-lost").click()
    expect(page.get_by_test_id("conditions.row")).to_have_count(1)
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    page.goto(foyer.base + "/mailbox")
    expect(page.get_by_test_id("empty")).to_contain_text("a condition swallowed it")
    page.goto(foyer.base + "/conditions")
    expect(page.get_by_test_id("conditions.none")).to_be_visible()


def test_one_of_my_own_strikes_one_call_alone_with_what_was_typed(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    email, password = person()
    foyer.account(email, password)
    page = visitors.device(foyer)
    acting.start(page, foyer)
    acting.arrive(page, "login")
    page.goto(foyer.base + "/conditions")
    expect(page.get_by_test_id("conditions.status")).to_be_hidden()
    page.get_by_test_id("conditions.kind").select_option("status")
    expect(page.get_by_test_id("conditions.delay")).to_be_hidden()
    page.get_by_test_id("conditions.times").fill("1")
    page.get_by_test_id("conditions.call").select_option("login")
    page.get_by_test_id("conditions.app").select_option("mystica")
    visitors.refused(422, "/conditions")
    page.get_by_test_id("conditions.add").click()
    expect(page.locator("#trouble-status-error")).to_contain_text("missing")
    expect(page.get_by_test_id("conditions.call")).to_have_value("login")
    page.get_by_test_id("conditions.status").fill("503")
    headers = page.get_by_test_id("conditions.headers")
    for wrong, said in [
        ("no header", "no header is none"),
        ("X Mood: low", "X Mood is no header field"),
    ]:
        headers.fill(wrong)
        page.get_by_test_id("conditions.add").click()
        expect(page.locator("#trouble-headers-error")).to_contain_text(said)
        expect(headers).to_have_value(wrong)
    headers.fill("X-Mood: low\nVia: 1.1 typed")
    page.get_by_test_id("conditions.add").click()
    expect(page.get_by_test_id("conditions.row")).to_contain_text(
        "The next call of login in Mystica is answered with 503."
    )
    device = acting.device_of(page, foyer)
    acting.start(page, foyer)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_be_visible()
    acting.login(page, email, password)
    acting.signed_in(page, email)
    after, struck = acting.exchanges(foyer, device, "login")
    assert (struck["condition"], after["condition"]) == ("status 503, 1 of 1", None)
    answer = foyer.api("GET", "/api/exchanges/" + struck["id"])["response"]
    assert {"name": "X-Mood", "value": "low"} in answer["headers"]
    assert {"name": "Via", "value": "1.1 typed"} in answer["headers"]


def test_another_browser_follows_and_a_restart_keeps(fresh_foyer, visitors):
    foyer = fresh_foyer
    page = visitors.device(foyer)
    page.goto(foyer.base + "/conditions")
    other = visitors.device(foyer)
    other.goto(foyer.base + "/mailbox")
    page.get_by_test_id("conditions.set.tunnel").click()
    expect(other.get_by_test_id("banner")).to_be_visible()
    other.get_by_test_id("banner.end").click()
    expect(page.get_by_test_id("conditions.none")).to_be_visible()
    foyer.api("POST", "/api/conditions", {"set": "slow-server"})
    page.close()
    other.close()
    foyer.kill()
    foyer.start()
    kept = foyer.api("GET", "/api/conditions")["items"]
    assert [c["kind"] for c in kept] == ["slow"]


def test_without_scripts_it_is_forms(fresh_foyer, visitors):
    foyer = fresh_foyer
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/conditions")
    page.get_by_test_id("conditions.set.tunnel").click()
    expect(page.get_by_test_id("conditions.used")).to_have_text("0 of 3")
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("banner.end").click()
    expect(page.get_by_test_id("banner")).to_have_count(0)
    assert page.url.endswith("/sessions")
    page.goto(foyer.base + "/studio/mystica")
    page.get_by_test_id("studio.conditions").click()
    page.get_by_test_id("studio.set.lost-answer").click()
    expect(page.get_by_test_id("banner.text")).to_contain_text("after the backend did its work")
    assert page.url.endswith("/studio/mystica")
    page.goto(foyer.base + "/conditions")
    page.get_by_test_id("conditions.kind").select_option("slow")
    page.get_by_test_id("conditions.delay").fill("soon")
    visitors.refused(422, "/conditions")
    page.get_by_test_id("conditions.add").click()
    expect(page.locator("#trouble-delay-error")).to_contain_text("no number")
    page.get_by_test_id("conditions.delay").fill("0.5")
    page.get_by_test_id("conditions.add").click()
    page.get_by_test_id("conditions.end.all").click()
    expect(page.get_by_test_id("conditions.none")).to_be_visible()


def test_pages_in_trouble_fit_and_can_be_read(fresh_foyer, visitors):
    foyer = fresh_foyer
    page = visitors.device(foyer)
    for wish in (
        {"set": "session-killer"},
        {"set": "tunnel"},
        {"kind": "slow", "app": "mystica", "call": "login"},
    ):
        foyer.api("POST", "/api/conditions", wish)
    for name in ("conditions", "studio/mystica", "mailbox"):
        page.goto(f"{foyer.base}/{name}")
        expect(page.get_by_test_id("banner")).to_be_visible()
        acting.painted(page)
        for windows in looking.CONSOLE:
            looking.examine(visitors, page, f"trouble-{name}", windows)
