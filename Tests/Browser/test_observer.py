"""Looking changes nothing: a screen is the same with and without the studio."""

import acting
import pytest

FIRST = {
    "mystica": "login",
    "mystica-instant": "map",
    "bob": "login",
    "wall": "landing",
    "socoto": "welcome",
    "clarity": "login",
}


def source(page, url):
    """The bytes of a screen, as this browser gets them."""
    return page.evaluate("url => fetch(url, {cache: 'no-store'}).then(a => a.text())", url)


@pytest.mark.parametrize("app", FIRST)
def test_a_screen_has_the_same_bytes_beside_an_open_studio(visitors, foyer, app):
    page = visitors.device(foyer)
    acting.start(page, foyer, app)
    acting.arrive(page, FIRST[app])
    url = f"{foyer.base}/apps/{app}/{FIRST[app]}"
    alone = source(page, url)
    assert f'data-screen="{FIRST[app]}"' in alone

    beside = page.context.new_page()
    view = acting.studio(beside, foyer, app)
    acting.arrive(view, FIRST[app])
    inspecting = page.context.new_page()
    for path in ("/sessions", "/traffic", "/mailbox", "/conditions"):
        inspecting.goto(foyer.base + path)
    assert source(page, url) == alone
    # Nor does the studio's own frame get another page.
    framed = beside.evaluate(
        "url => fetch(url, {cache: 'no-store'}).then(a => a.text())",
        beside.locator("#phone-frame").get_attribute("src"),
    )
    assert framed == alone


def test_looking_sends_nothing_to_the_backend(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    session = foyer.api("GET", f"/api/sessions?device={device}")["items"][0]
    sent = len(acting.exchanges(foyer, device))
    for path in (
        "/sessions",
        f"/sessions/{session['id']}",
        "/traffic",
        "/mailbox",
        "/conditions",
        "/accounts",
        "/clock",
    ):
        page.goto(foyer.base + path)
    assert len(acting.exchanges(foyer, device)) == sent
