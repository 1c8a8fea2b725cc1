"""Access to the console: its key, and what a page shows without it."""


def test_the_printed_url_opens_the_console_and_drops_its_key(browsers, foyer):
    page = browsers.device(foyer, key=False)
    page.goto(foyer.entrance)
    assert page.url == foyer.base + "/"
    assert page.get_by_test_id("home.app.mystica").is_visible()


def test_a_missing_or_wrong_key_gets_a_page_that_explains_access(browsers, foyer):
    browsers.expect_status(401, "/sessions|/")
    page = browsers.device(foyer, key=False)
    response = page.goto(foyer.base + "/sessions")
    assert response.status == 401
    assert "key" in page.locator("main, body").first.inner_text().lower()
    assert page.goto(foyer.base + "/?key=" + "x" * 40).status == 401


def test_the_first_use_gives_the_browser_its_device(browsers, foyer):
    def count():
        return foyer.api("GET", "/api/devices?limit=1")["total"]

    def current(page):
        return page.evaluate("""async () => {
            const answer = await fetch('/api/devices/current')
            return [answer.status, (await answer.json()).id]
        }""")

    before = count()
    page = browsers.device(foyer, key=False)
    page.goto(foyer.entrance)
    assert page.url == foyer.base + "/"
    assert count() == before  # opening the home page uses no device
    status, device = current(page)
    assert status == 200
    other = page.context.new_page()
    other.goto(foyer.base + "/studio/mystica")
    assert current(other) == [200, device]
    assert current(page) == [200, device]
    assert count() == before + 1
