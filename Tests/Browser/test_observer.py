"""Looking changes nothing: a screen is the same with and without the studio."""

import acting


def source(page, url):
    """The bytes of a screen, as this browser gets them."""
    return page.evaluate("url => fetch(url, {cache: 'no-store'}).then(a => a.text())", url)


def test_a_screen_has_the_same_bytes_beside_an_open_studio(visitors, foyer):
    page = visitors.device(foyer)
    acting.start(page, foyer)
    acting.arrive(page, "login")
    url = f"{foyer.base}/apps/mystica/login"
    alone = source(page, url)
    assert 'data-screen="login"' in alone

    beside = page.context.new_page()
    acting.arrive(acting.studio(beside, foyer), "login")
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
