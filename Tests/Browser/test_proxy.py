"""The proxy: a real app uses the console as its backend, and the console shows it live."""

import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import acting
import pytest
from playwright.sync_api import expect


def send_request(base, method, path, body=None, **headers):
    """Sends a request as a real app does, which does not know the console."""
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
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def proxy_url(page, own=True):
    """The proxy's base URL, as the studio shows it."""
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.proxy").click()
    shown = page.get_by_test_id("proxy.device" if own else "proxy.perclient")
    expect(shown).to_be_visible()
    text = shown.inner_text().strip()
    page.get_by_test_id("proxy.close").click()
    return text


def open_verification_link(foyer, email):
    mail = foyer.api("GET", f"/api/mailbox/wait?to={email}")
    urllib.request.urlopen(mail["link"], timeout=30).read()


def test_a_session_appears_live_when_a_proxied_client_signs_in(browsers, foyer, person):
    page = browsers.device(foyer)
    acting.expect_screen(acting.studio(page, foyer), "login")
    base = proxy_url(page)
    email, password = person()
    credentials = {"email": email, "password": password}

    assert send_request(base, "POST", "/auth/register", credentials)[0] == 200
    current = page.get_by_test_id("studio.state.current")
    expect(current).to_have_text("verify")
    open_verification_link(foyer, email)
    status, response = send_request(base, "POST", "/auth/login", credentials)
    assert status == 200
    # The page updates without a reload: screen, tokens, storage and calls.
    expect(current).to_have_text("map")
    expect(page.get_by_test_id("studio.session")).to_be_visible()
    expect(page.locator("#exchanges")).to_contain_text("Proxied")
    expect(page.locator("#storage")).to_contain_text("mystica_access_token")

    token = response["session"]["access_token"]
    status, _ = send_request(base, "POST", "/auth/logout", {}, Authorization=f"Bearer {token}")
    assert status < 300
    expect(current).to_have_text("login")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()


def test_a_proxied_client_gets_its_own_device_and_session(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    acting.studio(page, foyer)
    base = proxy_url(page, own=False)
    page.goto(foyer.base + "/sessions")
    email, password = person()
    credentials = {"email": email, "password": password}
    assert send_request(base, "POST", "/auth/register", credentials)[0] == 200
    expect(page.locator("#main")).to_contain_text(email)
    devices = foyer.api("GET", "/api/devices")["items"]
    assert "Proxied RealApp" in [d["label"] for d in devices]


def test_requests_from_another_origin_are_not_proxied(browsers, foyer, person):
    page = browsers.device(foyer)
    acting.studio(page, foyer)
    base = proxy_url(page)
    device = acting.device_of(page, foyer)
    before = len(acting.exchanges(foyer, device))
    other = browsers.device(foyer, key=False)
    path = urlsplit(base).path + "/auth/me"
    for error in ("ERR_FAILED", "ERR_BLOCKED_BY_RESPONSE.NotSameOrigin"):
        browsers.expect_network_error(error, path)
    for origin in ("about:blank", foyer.backend + "/"):
        browsers.expect_console_error(f"Access to fetch at '{base}/auth/me' from origin", at=origin)
        other.goto(origin)
        for mode in ("cors", "no-cors"):
            for method in ("GET", "POST"):
                result = other.evaluate(
                    """([url, mode, method]) => fetch(url, {mode, method})
                         .then(a => a.type + a.status, () => 'refused')""",
                    [base + "/auth/me", mode, method],
                )
                assert result in ("refused", "opaque0")
    assert len(acting.exchanges(foyer, device)) == before


def test_the_proxy_url_is_shown_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/studio/mystica/proxy")
    expect(page.get_by_test_id("proxy.device")).to_contain_text("/proxy/main@")
    page.get_by_test_id("proxy.close").click()
    expect(page).to_have_url(foyer.base + "/studio/mystica")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_proxy_url_stays_within_its_dialog(browsers, foyer, width):
    lease = foyer.api(
        "POST", "/api/workspaces", {"ttl": 300, "seed": {"app": "mystica", "state": "signedIn"}}
    )
    page = browsers.device(
        foyer, storage_state=lease["storageState"], viewport={"width": width, "height": 850}
    )
    page.goto(foyer.base + "/studio/mystica/proxy")
    expect(page.get_by_test_id("proxy.device")).to_be_visible()
    overflowing = page.locator(".dialog").evaluate("""dialog => {
        const edge = dialog.getBoundingClientRect().right;
        return [...dialog.querySelectorAll("*")].filter(
            e => e.getBoundingClientRect().right > edge
                || e.scrollWidth > e.clientWidth + 1 && e.clientWidth
        ).map(e => e.outerHTML.slice(0, 80)); }""")
    assert overflowing == []
