"""The console's door: its key, and what one sees without it."""


def test_the_printed_address_opens_the_console_and_loses_its_key(visitors, foyer):
    page = visitors.device(foyer, key=False)
    page.goto(foyer.entrance)
    assert page.url == foyer.base + "/"
    assert page.get_by_test_id("home.app.mystica").is_visible()


def test_without_the_right_key_a_page_says_how_to_come_in(visitors, foyer):
    visitors.refused(401, "/sessions|/")
    page = visitors.device(foyer, key=False)
    answer = page.goto(foyer.base + "/sessions")
    assert answer.status == 401
    assert "key" in page.locator("main, body").first.inner_text().lower()
    assert page.goto(foyer.base + "/?key=" + "x" * 40).status == 401


def test_the_first_page_gives_the_browser_its_device(visitors, foyer):
    def count():
        return foyer.api("GET", "/api/devices?limit=1")["total"]

    def current(page):
        return page.evaluate("""async () => {
            const answer = await fetch('/api/devices/current')
            return [answer.status, (await answer.json()).id]
        }""")

    before = count()
    page = visitors.device(foyer, key=False)
    page.goto(foyer.entrance)
    assert page.url == foyer.base + "/"
    assert count() == before  # looked at, not used
    status, device = current(page)
    assert status == 200
    other = page.context.new_page()
    other.goto(foyer.base + "/studio/mystica")
    assert current(other) == [200, device]
    assert current(page) == [200, device]
    assert count() == before + 1
