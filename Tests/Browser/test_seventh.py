"""A seventh app, made of files only, on a third-party backend.

Foyer is started with `--apps` and a folder with the app's manifest, two templates and a style
sheet; the backend is Django REST with djoser.
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


def open_home(browsers, apps_foyer, **options):
    """A device that has opened the home page, which makes foyer read changed apps."""
    page = browsers.device(apps_foyer, **options)
    page.goto(apps_foyer.base + "/")
    return page


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    # Not in the results folder: this backend stores unmasked tokens.
    server = harbour.Backend(tmp_path_factory.mktemp("harbour"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def apps_foyer(tmp_path_factory):
    """A foyer with a copy of the seventh app; `apps` is the copy's folder."""
    folder = harbour.copy_apps(tmp_path_factory.mktemp("seventh"))
    server = Foyer("seventh", ["--apps", str(folder)])
    server.apps = folder
    yield server
    server.remember_tokens()
    assert server.stop() == 0


@pytest.fixture
def manifest(apps_foyer):
    """The app's manifest, which a test may break; it is restored and read again."""
    file = apps_foyer.apps / APP / "app.json5"
    text, original = file.read_text(), apps_foyer.api("GET", "/api/apps")
    yield file
    file.write_text(text)
    deadline = time.monotonic() + 15
    while apps_foyer.api("GET", "/api/apps") != original:
        assert time.monotonic() < deadline, "the restored manifest is not read"


def wait_for_status(page, address, status):
    """Opens an address when its status is `status`: foyer checks the files only at intervals."""
    deadline = time.monotonic() + 15
    while page.request.get(address).status != status:
        assert time.monotonic() < deadline, f"{address} never has status {status}"
    page.goto(address)


def reload_until(page, locator):
    """Reloads the page until it shows `locator`, for the same reason."""
    deadline = time.monotonic() + 15
    while locator.count() == 0:
        assert time.monotonic() < deadline, f"{locator} never appears"
        page.reload()


def test_the_home_page_shows_the_app_with_its_colors(browsers, apps_foyer):
    page = open_home(browsers, apps_foyer)
    page.goto(apps_foyer.base + "/")
    card = page.get_by_test_id(f"home.app.{APP}")
    expect(card).to_contain_text("Harbour")
    expect(card.locator("svg rect").first).to_have_attribute("fill", "#DCEFF5")
    page.get_by_test_id(f"home.app.{APP}.open").click()
    expect(page).to_have_url(f"{apps_foyer.base}/studio/{APP}")
    view = acting.phone(page)
    acting.expect_screen(view, "login")
    expect(view.get_by_test_id("login.submit")).to_have_css("background-color", "rgb(11, 79, 108)")


@pytest.mark.parametrize("scripts", [True, False])
def test_register_activate_sign_in_log_out_and_reset(
    browsers, apps_foyer, backend, person, scripts
):
    address, password = person()
    name = address.split("@")[0]
    page = open_home(browsers, apps_foyer, java_script_enabled=scripts)
    device = harbour.use_backend(page, apps_foyer, backend)
    harbour.start(page, apps_foyer, scripts)
    acting.expect_screen(page, "login")
    harbour.register(page, name, address, password)

    # Signing in fails before the account is activated by the mail's link.
    acting.expect_screen(page, "activate")
    expect(page.locator("main")).to_contain_text(address)
    # Stored values are shown only on screens without a form.
    expect(page.locator(".plain-captures")).to_have_count(0)
    page.get_by_test_id("activate.login").click()
    harbour.login(page, name, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No active account found with the given credentials"
    )
    page.goto(f"{apps_foyer.base}/apps/{APP}/activate")
    page.get_by_test_id("activate.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Sent again")
    uid, token = backend.link_values(address, "activate")
    harbour.fill(page, "activate", uid=uid, token=token + "x")
    expect(page.get_by_test_id("activate.token.error")).to_have_text(
        "Invalid token for given user."
    )
    harbour.fill(page, "activate", uid=uid, token=token)
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.notice")).to_have_text("Your account is active.")

    harbour.login(page, name, password)
    harbour.expect_signed_in(page, name, address)
    harbour.start(page, apps_foyer, scripts)
    harbour.expect_signed_in(page, name, address)
    harbour.logout(page)
    assert acting.exchanges(apps_foyer, device, "logout")[0]["status"] == 200

    # Reset of a forgotten password.
    page.get_by_test_id("login.forgot").click()
    harbour.fill(page, "forgot", email=address)
    acting.expect_screen(page, "reset")
    uid, token = backend.link_values(address, "reset")
    harbour.fill(page, "reset", uid=uid, token=token, password=password + "-new")
    acting.expect_screen(page, "login")
    harbour.login(page, name, password)
    expect(page.get_by_test_id("login.error")).to_be_visible()
    harbour.login(page, name, password + "-new")
    harbour.expect_signed_in(page, name, address)


def test_a_wrong_password_shows_the_backends_message(browsers, apps_foyer, backend, person):
    address, password = person()
    page = open_home(browsers, apps_foyer)
    harbour.use_backend(page, apps_foyer, backend)
    harbour.start(page, apps_foyer)
    acting.expect_screen(page, "login")
    harbour.login(page, "nobody", password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No active account found with the given credentials"
    )
    expect(page.get_by_test_id("login.username")).to_have_value("nobody")
    expect(page.get_by_test_id("login.password")).to_have_value("")


def test_each_field_shows_the_backends_error(browsers, apps_foyer, backend, person):
    page = open_home(browsers, apps_foyer)
    _, name, address, _ = harbour.signed_in_device(page, apps_foyer, backend, person)
    harbour.logout(page)
    page.get_by_test_id("login.register").click()
    # Values that the app's own rules accept, and the backend rejects.
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


def test_axe_finds_nothing_on_a_screen_without_a_template(browsers, apps_foyer, backend, person):
    page = open_home(browsers, apps_foyer)
    for screen in ["login", "register", "activate", "forgot", "reset", "quay", "settings"]:
        if screen == "quay":
            harbour.signed_in_device(page, apps_foyer, backend, person)
        page.goto(f"{apps_foyer.base}/apps/{APP}/{screen}")
        acting.expect_screen(page, screen)
        submit = page.get_by_test_id(f"{screen}.submit")
        if submit.count():
            submit.click()
            expect(page.locator(".field-error").first).to_be_visible()
        looking.check_fits(page, screen, 320, 640)
        looking.check_axe(browsers, page)


def test_the_inspector_shows_its_tokens_decoded(browsers, apps_foyer, backend, person):
    page = open_home(browsers, apps_foyer)
    device, _, _, _ = harbour.signed_in_device(page, apps_foyer, backend, person)
    view = acting.studio(page, apps_foyer, APP)
    acting.expect_screen(view, "quay")
    expect(page.get_by_test_id("studio.state.current")).to_have_text("quay", ignore_case=True)
    tokens = page.locator("#tokens")
    expect(tokens).to_contain_text("token_type")
    expect(tokens).to_contain_text("user_id")
    # Foyer does not know Django's signing secret.
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

    # An expired access token is refreshed, and the refresh token rotates.
    storage_path = f"/api/devices/{device}/apps/{APP}/storage/"
    before = apps_foyer.api("GET", storage_path + "harbour_refresh_token")["value"]
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    acting.cold_start(page)
    acting.expect_screen(view, "quay")
    expect(page.locator("#tokens .countdown-expired")).to_have_count(0)
    last = acting.exchanges(apps_foyer, device)[:3]
    assert [(e["call"], e["status"]) for e in reversed(last)] == [
        ("me", 401),
        ("refresh", 200),
        ("me", 200),
    ]
    apps_foyer.tokens.add(before)
    assert apps_foyer.api("GET", storage_path + "harbour_refresh_token")["value"] != before


def test_a_broken_manifest_is_reported_and_affects_no_other_app(browsers, apps_foyer, manifest):
    browsers.expect_status(503, f"/(studio/{APP}|apps/{APP}/login)")
    # The open page may fetch a part of itself while the app is broken.
    browsers.expect_status(404, f"/studio/{APP}")
    text = manifest.read_text()
    rule = "go: 'quay', onFailure"
    line = text[: text.index(rule)].count("\n") + 1
    page = open_home(browsers, apps_foyer)
    manifest.write_text(text.replace(rule, "go: 'quai', onFailure"))

    page.goto(apps_foyer.base + "/")
    page.get_by_test_id(f"home.app.{APP}.problem").click()
    expect(page.get_by_test_id("error.text")).to_contain_text("Unknown screen quai")
    expect(page.get_by_test_id("error.file")).to_have_attribute("title", str(manifest))
    expect(page.locator("main")).to_contain_text(f"line {line}")
    expect(page.locator("main")).to_contain_text("Did you mean quay?")
    response = page.goto(f"{apps_foyer.base}/apps/{APP}/login")
    assert response.status == 503
    expect(page.locator("body")).to_contain_text(f"app.json5:{line}")

    # The other apps run.
    acting.start(page, apps_foyer)
    acting.expect_screen(page, "login")

    # The fixed manifest needs no restart, and the error page updates by itself.
    page.goto(f"{apps_foyer.base}/studio/{APP}")
    expect(page.get_by_test_id("error.title")).to_be_visible()
    manifest.write_text(text)
    acting.expect_screen(acting.phone(page), "login")


def test_invalid_json5_is_reported_with_its_file(browsers, apps_foyer, manifest):
    browsers.expect_status(503, f"/studio/{APP}")
    text = manifest.read_text()
    at = text.index("  launch: [")
    manifest.write_text(text[:at] + "  launch: [[\n" + text[at:])
    page = open_home(browsers, apps_foyer)
    wait_for_status(page, f"{apps_foyer.base}/studio/{APP}", 503)
    expect(page.get_by_test_id("error.file")).to_have_attribute("title", str(manifest))
    expect(page.locator(".fix")).to_be_visible()


def test_a_new_screen_and_its_template_appear_without_a_restart(browsers, apps_foyer, manifest):
    page = open_home(browsers, apps_foyer)
    address = f"{apps_foyer.base}/apps/{APP}/about"
    browsers.expect_status(404, f"/apps/{APP}/about")
    assert page.goto(address).status == 404
    manifest.write_text(
        manifest.read_text().replace(
            "  screens: {\n",
            "  screens: {\n    about: { kind: 'page', title: 'About',"
            " text: 'A harbour for tests.' },\n",
            1,
        )
    )
    # The screen first uses the built-in template, then the app's own.
    wait_for_status(page, address, 200)
    expect(page.locator(".plain-text")).to_have_text("A harbour for tests.")
    template = manifest.parent / "about.mustache"
    template.write_text(
        '<h1 data-testid="about.own">{{#screen}}{{title}}{{/screen}} in our own words</h1>\n'
    )
    heading = page.get_by_test_id("about.own")
    reload_until(page, heading)
    expect(heading).to_have_text("About in our own words")
    browsers.expect_status(500, f"/apps/{APP}/about")
    template.write_text("<h1>{{#screen}}{{title}}</h1>\n")
    wait_for_status(page, address, 500)
    expect(page.locator("body")).to_contain_text(str(template))
    template.unlink()
    wait_for_status(page, address, 200)
    expect(page.locator(".plain-text")).to_have_text("A harbour for tests.")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_button_beside_the_submit_sends_the_fields(browsers, apps_foyer, person, scripts):
    """Uses another app's manifest without its templates."""
    address, _ = person()
    folder = apps_foyer.apps / f"bare{scripts}".lower()
    folder.mkdir()
    shutil.copy(ROOT / "templates/apps/wall/app.json5", folder)
    page = open_home(browsers, apps_foyer, java_script_enabled=scripts)
    wait_for_status(page, f"{apps_foyer.base}/apps/{folder.name}/login", 200)
    code_button = page.get_by_test_id("login.getCode")
    (expect(code_button).to_be_disabled if scripts else expect(code_button).to_be_enabled)()
    page.get_by_test_id("login.email").fill(address)
    code_button.click()
    # The backend has received the address, and the field still contains it.
    expect(page.get_by_test_id("login.error")).to_contain_text("found")
    expect(page.get_by_test_id("login.email")).to_have_value(address)


def test_the_app_in_the_readme_works_as_printed(browsers, apps_foyer, person):
    address, password = person()
    apps_foyer.account(address, password)
    readme = (ROOT / "README.md").read_text()
    page = open_home(browsers, apps_foyer)
    page.goto(apps_foyer.base + "/")
    expect(page.get_by_test_id("home.app.raft")).to_have_count(0)
    folder = apps_foyer.apps / "raft"
    folder.mkdir()
    (folder / "app.json5").write_text(re.search(r"```json5\n(.*?)```", readme, re.DOTALL)[1])
    # The page updates without a reload when the folder appears.
    expect(page.get_by_test_id("home.app.raft")).to_contain_text("Raft")

    acting.start(page, apps_foyer, "raft")
    acting.login(page, address, password + "-wrong")
    expect(page.get_by_test_id("login.error")).to_be_visible()
    acting.login(page, address, password)
    acting.expect_screen(page, "home")
    expect(page.get_by_test_id("capture.user.email")).to_have_text(address)
    page.get_by_test_id("home.logout").click()
    acting.expect_screen(page, "login")
