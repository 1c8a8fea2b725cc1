"""A real app pointed at the console: what it does is seen as it happens."""

import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import acting
import pytest
from playwright.sync_api import expect


def ask(base, method, path, body=None, **headers):
    """As an app asks its backend: it knows nothing of a console."""
    request = urllib.request.Request(
        base + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "User-Agent": "RealApp/1.4 (iOS 18)",
            **headers,
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def address(page, own=True):
    """What the studio says the app should be given."""
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.through").click()
    shown = page.get_by_test_id("through.own" if own else "through.any")
    expect(shown).to_be_visible()
    text = shown.inner_text().strip()
    page.get_by_test_id("through.close").click()
    return text


def verified(foyer, email):
    mail = foyer.api("GET", f"/api/mailbox/wait?to={email}")
    urllib.request.urlopen(mail["link"], timeout=30).read()


def test_a_session_appears_while_a_script_signs_in(visitors, foyer, person):
    page = visitors.device(foyer)
    acting.arrive(acting.studio(page, foyer), "login")
    base = address(page)
    email, password = person()
    who = {"email": email, "password": password}

    assert ask(base, "POST", "/auth/register", who)[0] == 200
    now = page.get_by_test_id("studio.state.current")
    expect(now).to_have_text("verify")
    verified(foyer, email)
    status, answer = ask(base, "POST", "/auth/login", who)
    assert status == 200
    # Nobody touched the page: screen, tokens, storage and calls came live.
    expect(now).to_have_text("map")
    expect(page.get_by_test_id("studio.session")).to_be_visible()
    expect(page.locator("#exchanges")).to_contain_text("through")
    expect(page.locator("#storage")).to_contain_text("mystica_access_token")

    token = answer["session"]["access_token"]
    status, _ = ask(base, "POST", "/auth/logout", {}, Authorization=f"Bearer {token}")
    assert status < 300
    expect(now).to_have_text("login")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()


def test_a_client_of_its_own_is_found_among_the_sessions(visitors, fresh_foyer, person):
    foyer = fresh_foyer
    page = visitors.device(foyer)
    acting.studio(page, foyer)
    base = address(page, own=False)
    page.goto(foyer.base + "/sessions")
    email, password = person()
    who = {"email": email, "password": password}
    assert ask(base, "POST", "/auth/register", who)[0] == 200
    expect(page.locator("#main")).to_contain_text(email)
    devices = foyer.api("GET", "/api/devices")["items"]
    assert "Through RealApp" in [d["label"] for d in devices]


def test_a_page_of_another_origin_has_nothing_passed_through(visitors, foyer, person):
    page = visitors.device(foyer)
    acting.studio(page, foyer)
    base = address(page)
    device = acting.device_of(page, foyer)
    before = len(acting.exchanges(foyer, device))
    evil = visitors.device(foyer, key=False)
    path = urlsplit(base).path + "/auth/me"
    for error in ("ERR_FAILED", "ERR_BLOCKED_BY_RESPONSE.NotSameOrigin"):
        visitors.unanswered(error, path)
    for origin in ("about:blank", foyer.backend + "/"):
        visitors.says(f"Access to fetch at '{base}/auth/me' from origin", at=origin)
        evil.goto(origin)
        for mode in ("cors", "no-cors"):
            for method in ("GET", "POST"):
                got = evil.evaluate(
                    """([url, mode, method]) => fetch(url, {mode, method})
                         .then(a => a.type + a.status, () => 'refused')""",
                    [base + "/auth/me", mode, method],
                )
                assert got in ("refused", "opaque0")
    assert len(acting.exchanges(foyer, device)) == before


def test_the_address_is_there_without_a_script(visitors, foyer):
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/studio/mystica/through")
    expect(page.get_by_test_id("through.own")).to_contain_text("/through/main@")
    page.get_by_test_id("through.close").click()
    expect(page).to_have_url(foyer.base + "/studio/mystica")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_address_stays_within_its_dialog(visitors, foyer, width):
    lease = foyer.api(
        "POST", "/api/workspaces", {"ttl": 300, "seed": {"app": "mystica", "state": "signedIn"}}
    )
    page = visitors.device(
        foyer, storage_state=lease["storageState"], viewport={"width": width, "height": 850}
    )
    page.goto(foyer.base + "/studio/mystica/through")
    expect(page.get_by_test_id("through.own")).to_be_visible()
    over = page.locator(".dialog").evaluate("""dialog => {
        const edge = dialog.getBoundingClientRect().right;
        return [...dialog.querySelectorAll("*")].filter(
            e => e.getBoundingClientRect().right > edge
                || e.scrollWidth > e.clientWidth + 1 && e.clientWidth
        ).map(e => e.outerHTML.slice(0, 80)); }""")
    assert over == []
