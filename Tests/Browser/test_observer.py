"""The console does not affect the app: a screen is the same with and without the studio."""

import acting


def fetch_html(page, url):
    """The HTML of a screen, as this browser receives it."""
    return page.evaluate("url => fetch(url, {cache: 'no-store'}).then(a => a.text())", url)


def test_a_screen_has_the_same_bytes_with_an_open_studio(browsers, foyer):
    page = browsers.device(foyer)
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    url = f"{foyer.base}/apps/mystica/login"
    expected = fetch_html(page, url)
    assert 'data-screen="login"' in expected

    studio_page = page.context.new_page()
    acting.expect_screen(acting.studio(studio_page, foyer), "login")
    console_page = page.context.new_page()
    for path in ("/sessions", "/traffic", "/mailbox", "/faults"):
        console_page.goto(foyer.base + path)
    assert fetch_html(page, url) == expected
    # The studio's own frame receives the same page.
    framed = studio_page.evaluate(
        "url => fetch(url, {cache: 'no-store'}).then(a => a.text())",
        studio_page.locator("#phone-frame").get_attribute("src"),
    )
    assert framed == expected


def test_console_pages_send_nothing_to_the_backend(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    session = foyer.api("GET", f"/api/sessions?device={device}")["items"][0]
    sent = len(acting.exchanges(foyer, device))
    for path in (
        "/sessions",
        f"/sessions/{session['id']}",
        "/traffic",
        "/mailbox",
        "/faults",
        "/accounts",
        "/clock",
    ):
        page.goto(foyer.base + path)
    assert len(acting.exchanges(foyer, device)) == sent
