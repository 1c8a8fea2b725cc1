"""Rules: requests of a proxied client are paused, edited, continued, aborted and answered."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from playwright.sync_api import expect


@pytest.fixture
def client():
    """Starts requests of a real app in the background."""
    with ThreadPoolExecutor(4) as pool:

        def send(foyer, method, path, **options):
            url = f"{foyer.base}/proxy/main/mystica{path}"
            return pool.submit(requests.request, method, url, timeout=60, **options)

        yield send


def add_rule(page, foyer, kind, path, **fields):
    page.goto(foyer.base + "/rules")
    page.get_by_test_id("rules.kind").select_option(kind)
    page.get_by_test_id("rules.path").fill(path)
    for name, value in fields.items():
        page.get_by_test_id(f"rules.{name}").fill(value)
    page.get_by_test_id("rules.save").click()
    expect(page.get_by_test_id("rules.row")).to_have_count(1)


CREDENTIALS = {"email": "nora@example.com", "password": "correct horse"}


def test_a_paused_request_is_edited_continued_and_aborted(fresh_foyer, browsers, client):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    add_rule(page, foyer, "pauseRequest", "/auth/*", timeout="300")
    first = client(foyer, "POST", "/auth/register", json=CREDENTIALS)
    paused = page.get_by_test_id("paused")
    expect(paused).to_have_count(1)
    expect(page.get_by_test_id("rules.announcement")).to_have_text(
        "Request paused: POST /auth/register"
    )
    expect(page.get_by_test_id("pause.banner.text")).to_contain_text("POST /auth/register")
    body = paused.get_by_test_id("paused.body")
    expect(body).to_have_value('{"email": "nora@example.com", "password": "‹password›"}')
    # Another pause does not discard what is being edited.
    body.fill('{"email": "edited@example.com", "password": "‹password›"}')
    body.blur()
    second = client(foyer, "GET", "/auth/me")
    expect(paused).to_have_count(2)
    edited = paused.filter(has_text="/auth/register")
    expect(edited.get_by_test_id("paused.body")).to_have_value(
        '{"email": "edited@example.com", "password": "‹password›"}'
    )
    # A rejected edit stays in the form.
    path = edited.get_by_test_id("paused.path")
    path.fill("/auth/../x")
    browsers.expect_status(400, "/intercepted/.*")
    edited.get_by_test_id("paused.continue").click()
    expect(edited.get_by_role("alert")).to_contain_text("dot segment")
    expect(path).to_be_focused()
    expect(path).to_have_value("/auth/../x")
    path.fill("/auth/register")
    other = browsers.device(foyer)
    other.goto(foyer.base + "/rules")
    edited.get_by_test_id("paused.continue").click()
    assert first.result().json()["user"]["email"] == "edited@example.com"
    expect(paused).to_have_count(1)
    expect(other.get_by_test_id("paused")).to_have_count(1)
    paused.get_by_test_id("paused.abort").click()
    expect(page.get_by_test_id("paused.total")).to_have_text("Nothing is paused")
    with pytest.raises(requests.ConnectionError):
        second.result()
    expect(page.get_by_test_id("pause.banner")).to_have_count(0)
    page.goto(foyer.base + "/traffic")
    expect(page.locator("#main")).to_contain_text("Intercepted, request edited")
    page.get_by_test_id("traffic.row").first.locator("a").first.click()
    expect(page.get_by_test_id("exchange.chips")).to_contain_text("Intercepted, aborted")


def test_two_tabs_cannot_continue_the_same_request(fresh_foyer, browsers, client):
    foyer = fresh_foyer
    foyer.api("POST", "/api/rules", {"kind": "pauseRequest", "timeout": 300})
    sent = client(foyer, "GET", "/auth/me")
    paused = foyer.api("GET", "/api/intercepted/wait")
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/traffic/{paused['exchange']}")
    expect(page).to_have_url(f"{foyer.base}/rules#{paused['exchange']}")
    other = browsers.device(foyer, java_script_enabled=False)
    for tab in (page, other):
        tab.goto(foyer.base + "/rules")
    page.get_by_test_id("paused.unchanged").click()
    expect(page.get_by_test_id("paused")).to_have_count(0)
    assert sent.result().status_code == 401
    browsers.expect_status(409, f"/intercepted/{paused['exchange']}")
    other.get_by_test_id("paused.abort").click()
    expect(other.get_by_test_id("error.title")).to_have_text("Already continued")


def test_all_paused_requests_continue_or_are_aborted_together(fresh_foyer, browsers, client):
    foyer = fresh_foyer
    foyer.api("POST", "/api/rules", {"kind": "pauseRequest", "timeout": 300})
    page = browsers.device(foyer)
    page.goto(foyer.base + "/rules")
    for button in ("paused.all.continue", "paused.all.abort"):
        sent = [client(foyer, "GET", "/auth/me") for _ in range(2)]
        expect(page.get_by_test_id("paused")).to_have_count(2)
        # The oldest is open, the other is a line.
        expect(page.get_by_test_id("paused.unchanged").locator("visible=true")).to_have_count(1)
        # The address of the other opens it.
        last = foyer.api("GET", "/api/intercepted")["items"][-1]["exchange"]
        page.goto(f"{foyer.base}/traffic/{last}")
        expect(page.locator(f"#{last}").get_by_test_id("paused.path")).to_be_visible()
        page.get_by_test_id(button).click()
        expect(page.get_by_test_id("paused.total")).to_have_text("Nothing is paused")
        if button == "paused.all.continue":
            assert [one.result().status_code for one in sent] == [401, 401]
        else:
            for one in sent:
                with pytest.raises(requests.ConnectionError):
                    one.result()


def test_a_request_continues_after_its_time_out_and_when_its_rule_is_turned_off(
    fresh_foyer, browsers, client
):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    add_rule(page, foyer, "pauseResponse", "/auth/me", timeout="1")
    assert client(foyer, "GET", "/auth/me").result().status_code == 401
    outcome = foyer.api("GET", "/api/exchanges?rule=applied")["items"][0]["rules"][0]["outcome"]
    assert outcome == "timedOut"
    page.get_by_test_id("rules.edit").click()
    page.get_by_test_id("rules.timeout").fill("300")
    page.get_by_test_id("rules.save").click()
    sent = client(foyer, "GET", "/auth/me")
    expect(page.get_by_test_id("paused.phase")).to_contain_text("Response")
    page.get_by_test_id("rules.toggle").click()
    assert sent.result().status_code == 401
    expect(page.get_by_test_id("rules.toggle")).to_contain_text("Turn on")
    assert client(foyer, "GET", "/auth/me").result().status_code == 401


def test_a_request_is_answered_from_a_text_a_file_and_an_exchange(
    fresh_foyer, browsers, client, tmp_path
):
    foyer = fresh_foyer
    page = browsers.device(foyer)
    expect_hidden = page.get_by_test_id("rules.timeout")
    page.goto(foyer.base + "/rules")
    page.get_by_test_id("rules.kind").select_option("respond")
    expect(expect_hidden).to_be_hidden()
    add_rule(page, foyer, "respond", "/flags", status="418", body='{"tea": true}')
    response = client(foyer, "GET", "/flags").result()
    assert (response.status_code, response.json()) == (418, {"tea": True})
    assert response.headers["Content-Length"] == "13"
    file = tmp_path / "flags.txt"
    file.write_text("from a file")
    page.get_by_test_id("rules.edit").click()
    page.get_by_test_id("rules.type").fill("")
    page.get_by_test_id("rules.file").set_input_files(file)
    page.get_by_test_id("rules.save").click()
    expect(page.get_by_test_id("rules.row")).to_contain_text("flags.txt")
    response = client(foyer, "GET", "/flags").result()
    assert response.text == "from a file"
    exchange = foyer.api("GET", "/api/exchanges?rule=applied")["items"][0]["id"]
    page.goto(f"{foyer.base}/traffic/{exchange}")
    page.get_by_test_id("exchange.rule").click()
    page.get_by_test_id("exchange.respond").click()
    expect(page.get_by_test_id("rules.body")).to_have_value("from a file")
    page.get_by_test_id("rules.path").fill("/copy")
    page.get_by_test_id("rules.save").click()
    expect(page.get_by_test_id("rules.row")).to_have_count(2)
    assert client(foyer, "GET", "/copy").result().text == "from a file"


def test_rules_work_without_scripts(fresh_foyer, browsers, client):
    foyer = fresh_foyer
    page = browsers.device(foyer, java_script_enabled=False)
    add_rule(page, foyer, "pauseRequest", "/auth/*", timeout="300")
    sent = client(foyer, "POST", "/auth/register", json=CREDENTIALS)
    foyer.api("GET", "/api/intercepted/wait")
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("pause.banner.edit").click()
    page.get_by_test_id("paused.path").fill("x")
    browsers.expect_status(400, "/intercepted/.*")
    page.get_by_test_id("paused.continue").click()
    expect(page.get_by_test_id("paused")).to_contain_text("Must begin with one slash")
    page.get_by_test_id("paused.path").fill("/auth/login")
    page.get_by_test_id("paused.continue").click()
    assert sent.result().status_code == 400
    page.get_by_test_id("rules.clear").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("rules.none")).to_be_visible()
