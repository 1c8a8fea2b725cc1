"""A seventh app, made of files only, on a backend nobody here has written.

Foyer is started with `--apps` and a folder with the app's manifest, two
templates and a style sheet; the backend is Django REST with djoser.
"""

import re
import shutil
import time

import acting
import harbour
import looking
import pytest
from foyer import ROOT, Foyer
from playwright.sync_api import expect

APP = harbour.APP


def opened(visitors, house, **options):
    """A device that has seen the home page, where changed apps are read."""
    page = visitors.device(house, **options)
    page.goto(house.base + "/")
    return page


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    # Not among the results: a backend may keep whole tokens, and does.
    server = harbour.Backend(tmp_path_factory.mktemp("harbour"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A foyer with the seventh app, and the folder it reads it from."""
    folder = harbour.apps(tmp_path_factory.mktemp("seventh"))
    server = Foyer("seventh", ["--apps", str(folder)])
    server.apps = folder
    yield server
    server.remember_tokens()
    assert server.stop() == 0


@pytest.fixture
def manifest(house):
    """The app's manifest, to be spoilt; it is put back, and read again."""
    file = house.apps / APP / "app.json5"
    text, known = file.read_text(), house.api("GET", "/api/apps")
    yield file
    file.write_text(text)
    deadline = time.monotonic() + 15
    while house.api("GET", "/api/apps") != known:
        assert time.monotonic() < deadline, "the mended manifest is not read"


def settle(page, address, status):
    """Asks until the answer is `status`: between two looks at the disk the
    apps are what they were."""
    deadline = time.monotonic() + 15
    while page.goto(address).status != status:
        assert time.monotonic() < deadline, f"{address} is never {status}"


def until(page, locator):
    """Loads the page again until it shows `locator`, for the same reason."""
    deadline = time.monotonic() + 15
    while locator.count() == 0:
        assert time.monotonic() < deadline, f"{locator} is never there"
        page.reload()


def test_the_home_page_shows_it_with_its_look(visitors, house):
    page = opened(visitors, house)
    page.goto(house.base + "/")
    card = page.get_by_test_id(f"home.app.{APP}")
    expect(card).to_contain_text("Harbour")
    expect(card.locator("svg rect").first).to_have_attribute("fill", "#DCEFF5")
    page.get_by_test_id(f"home.app.{APP}.open").click()
    expect(page).to_have_url(f"{house.base}/studio/{APP}")
    view = acting.phone(page)
    acting.arrive(view, "login")
    expect(view.get_by_test_id("login.submit")).to_have_css("background-color", "rgb(11, 79, 108)")


@pytest.mark.parametrize("scripts", [True, False])
def test_its_whole_journey(visitors, house, backend, person, scripts):
    address, password = person()
    name = address.split("@")[0]
    page = opened(visitors, house, java_script_enabled=scripts)
    device = harbour.point(page, house, backend)
    harbour.start(page, house, scripts)
    acting.arrive(page, "login")
    harbour.register(page, name, address, password)

    # Nobody is let in before the mail is answered.
    acting.arrive(page, "activate")
    expect(page.locator("main")).to_contain_text(address)
    # What is held is shown where no form is.
    expect(page.locator(".plain-held")).to_have_count(0)
    page.get_by_test_id("activate.login").click()
    harbour.login(page, name, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No active account found with the given credentials"
    )
    page.goto(f"{house.base}/apps/{APP}/activate")
    page.get_by_test_id("activate.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Sent again")
    uid, token = backend.proof(address, "activate")
    harbour.fill(page, "activate", uid=uid, token=token + "x")
    expect(page.get_by_test_id("activate.token.error")).to_have_text(
        "Invalid token for given user."
    )
    harbour.fill(page, "activate", uid=uid, token=token)
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.notice")).to_have_text("Your account is active.")

    harbour.login(page, name, password)
    harbour.aboard(page, name, address)
    harbour.start(page, house, scripts)
    harbour.aboard(page, name, address)
    harbour.logout(page)
    assert acting.exchanges(house, device, "logout")[0]["status"] == 200

    # Forgotten, and a new one.
    page.get_by_test_id("login.forgot").click()
    harbour.fill(page, "forgot", email=address)
    acting.arrive(page, "reset")
    uid, token = backend.proof(address, "reset")
    harbour.fill(page, "reset", uid=uid, token=token, password=password + "-new")
    acting.arrive(page, "login")
    harbour.login(page, name, password)
    expect(page.get_by_test_id("login.error")).to_be_visible()
    harbour.login(page, name, password + "-new")
    harbour.aboard(page, name, address)


def test_a_wrong_password_shows_the_backends_own_words(visitors, house, backend, person):
    address, password = person()
    page = opened(visitors, house)
    harbour.point(page, house, backend)
    harbour.start(page, house)
    acting.arrive(page, "login")
    harbour.login(page, "nobody", password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No active account found with the given credentials"
    )
    expect(page.get_by_test_id("login.username")).to_have_value("nobody")
    expect(page.get_by_test_id("login.password")).to_have_value("")


def test_each_field_shows_what_the_backend_says_of_it(visitors, house, backend, person):
    page = opened(visitors, house)
    _, name, address, _ = harbour.sailor(page, house, backend, person)
    harbour.logout(page)
    page.get_by_test_id("login.register").click()
    # What the app's own rules let pass, and the backend does not.
    harbour.fill(page, "register", username=name, email="a@b.c", password="Zq7", again="Zq7")
    expect(page.get_by_test_id("register.username.error")).to_have_text(
        "A user with that username already exists."
    )
    expect(page.get_by_test_id("register.email.error")).to_have_text("Enter a valid email address.")
    expect(page.get_by_test_id("register.error")).to_have_count(0)
    harbour.fill(page, "register", username=name + "-2", email=address, password="Zq7", again="Zq7")
    expect(page.get_by_test_id("register.password.error")).to_contain_text(
        "This password is too short."
    )
    expect(page.get_by_test_id("register.username.error")).to_have_count(0)


def test_axe_finds_nothing_on_a_screen_without_a_template(visitors, house, backend, person):
    page = opened(visitors, house)
    for screen in ["login", "register", "activate", "forgot", "reset", "quay", "settings"]:
        if screen == "quay":
            harbour.sailor(page, house, backend, person)
        page.goto(f"{house.base}/apps/{APP}/{screen}")
        acting.arrive(page, screen)
        submit = page.get_by_test_id(f"{screen}.submit")
        if submit.count():
            submit.click()
            expect(page.locator(".field-error").first).to_be_visible()
        looking.fits(page, screen, 320, 640)
        looking.axe(visitors, page)


def test_the_inspector_shows_its_tokens_decoded(visitors, house, backend, person):
    page = opened(visitors, house)
    device, _, _, _ = harbour.sailor(page, house, backend, person)
    view = acting.studio(page, house, APP)
    acting.arrive(view, "quay")
    expect(page.get_by_test_id("studio.state.current")).to_have_text("quay", ignore_case=True)
    tokens = page.locator("#tokens")
    expect(tokens).to_contain_text("token_type")
    expect(tokens).to_contain_text("user_id")
    # Django's secret is nobody's business here.
    expect(tokens.locator("[data-testid$='.verdict']").first).to_contain_text(
        "not verified", ignore_case=True
    )
    refresh = page.get_by_test_id("studio.token.refresh")
    expect(refresh).to_contain_text("refresh")
    expect(page.get_by_test_id("studio.token.refresh.verdict")).to_have_text("Not verified")
    masked = page.get_by_test_id("studio.token.refresh.masked")
    assert masked.evaluate("e => e.scrollWidth <= e.clientWidth")
    for key in ["harbour_access_token", "harbour_refresh_token"]:
        expect(page.get_by_test_id(f"storage.{key}")).to_be_visible()

    # An access token that died is refreshed, and the refresh rotates.
    place = f"/api/devices/{device}/apps/{APP}/storage/"
    before = house.api("GET", place + "harbour_refresh_token")["value"]
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    acting.cold_start(page)
    acting.arrive(view, "quay")
    expect(page.locator("#tokens .countdown-over")).to_have_count(0)
    last = acting.exchanges(house, device)[:3]
    assert [(e["call"], e["status"]) for e in reversed(last)] == [
        ("me", 401),
        ("refresh", 200),
        ("me", 200),
    ]
    house.tokens.add(before)
    assert house.api("GET", place + "harbour_refresh_token")["value"] != before


def test_a_broken_manifest_is_named_and_harms_no_other(visitors, house, manifest):
    visitors.refused(503, f"/(studio/{APP}|apps/{APP}/login)")
    # A part of the page that is open may be asked for while the app breaks.
    visitors.refused(404, f"/studio/{APP}")
    text = manifest.read_text()
    wrong = "go: 'quay', otherwise"
    line = text[: text.index(wrong)].count("\n") + 1
    page = opened(visitors, house)
    manifest.write_text(text.replace(wrong, "go: 'quai', otherwise"))

    page.goto(house.base + "/")
    page.get_by_test_id(f"home.app.{APP}.problem").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("there is no screen quai")
    expect(page.get_by_test_id("error.file")).to_have_attribute("title", str(manifest))
    expect(page.locator("main")).to_contain_text(f"line {line}")
    expect(page.locator("main")).to_contain_text("Did you mean quay?")
    answer = page.goto(f"{house.base}/apps/{APP}/login")
    assert answer.status == 503
    expect(page.locator("body")).to_contain_text(f"app.json5:{line}")

    # The others run.
    acting.start(page, house)
    acting.arrive(page, "login")

    # Mended, without a restart; the page of the error follows by itself.
    page.goto(f"{house.base}/studio/{APP}")
    expect(page.get_by_test_id("error.title")).to_be_visible()
    manifest.write_text(text)
    acting.arrive(acting.phone(page), "login")


def test_text_that_is_no_json5_is_told_by_its_line(visitors, house, manifest):
    visitors.refused(503, f"/studio/{APP}")
    text = manifest.read_text()
    at = text.index("  launch: [")
    manifest.write_text(text[:at] + "  launch: [[\n" + text[at:])
    page = opened(visitors, house)
    settle(page, f"{house.base}/studio/{APP}", 503)
    expect(page.get_by_test_id("error.file")).to_have_attribute("title", str(manifest))
    expect(page.locator(".mend")).to_be_visible()


def test_a_new_screen_and_its_template_are_there_at_the_next_look(visitors, house, manifest):
    page = opened(visitors, house)
    address = f"{house.base}/apps/{APP}/about"
    visitors.refused(404, f"/apps/{APP}/about")
    assert page.goto(address).status == 404
    manifest.write_text(
        manifest.read_text().replace(
            "  screens: {\n",
            "  screens: {\n    about: { kind: 'page', title: 'About',"
            " text: 'A harbour for tests.' },\n",
            1,
        )
    )
    # First in the look every app has, then in its own.
    settle(page, address, 200)
    expect(page.locator(".plain-text")).to_have_text("A harbour for tests.")
    template = manifest.parent / "about.mustache"
    template.write_text(
        '<h1 data-testid="about.own">{{#screen}}{{title}}{{/screen}} in our own words</h1>\n'
    )
    own = page.get_by_test_id("about.own")
    until(page, own)
    expect(own).to_have_text("About in our own words")
    visitors.refused(500, f"/apps/{APP}/about")
    template.write_text("<h1>{{#screen}}{{title}}</h1>\n")
    settle(page, address, 500)
    expect(page.locator("body")).to_contain_text(str(template))
    template.unlink()
    settle(page, address, 200)
    expect(page.locator(".plain-text")).to_have_text("A harbour for tests.")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_button_beside_the_submit_sends_the_fields(visitors, house, person, scripts):
    """Another app's manifest without its templates."""
    address, _ = person()
    folder = house.apps / f"bare{scripts}".lower()
    folder.mkdir()
    shutil.copy(ROOT / "templates/apps/wall/app.json5", folder)
    page = opened(visitors, house, java_script_enabled=scripts)
    settle(page, f"{house.base}/apps/{folder.name}/login", 200)
    ask = page.get_by_test_id("login.getCode")
    (expect(ask).to_be_disabled if scripts else expect(ask).to_be_enabled)()
    page.get_by_test_id("login.email").fill(address)
    ask.click()
    # The backend was asked about this very address, and it is still there.
    expect(page.get_by_test_id("login.error")).to_contain_text("found")
    expect(page.get_by_test_id("login.email")).to_have_value(address)


def test_the_readmes_app_works_as_it_is_printed(visitors, house, person):
    address, password = person()
    house.account(address, password)
    readme = (ROOT / "README.md").read_text()
    page = opened(visitors, house)
    page.goto(house.base + "/")
    expect(page.get_by_test_id("home.app.raft")).to_have_count(0)
    folder = house.apps / "raft"
    folder.mkdir()
    (folder / "app.json5").write_text(re.search(r"```json5\n(.*?)```", readme, re.DOTALL)[1])
    # Nobody asks for the page again: it hears of the folder.
    expect(page.get_by_test_id("home.app.raft")).to_contain_text("Raft")

    acting.start(page, house, "raft")
    acting.login(page, address, password + "-wrong")
    expect(page.get_by_test_id("login.error")).to_be_visible()
    acting.login(page, address, password)
    acting.arrive(page, "home")
    expect(page.get_by_test_id("held.user.email")).to_have_text(address)
    page.get_by_test_id("home.logout").click()
    acting.arrive(page, "login")
