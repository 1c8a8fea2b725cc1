"""The tiles of the storyboard: every state of every app, rendered for real, and their export in one
file.
"""

import re
import shutil

import looking
import pytest
from foyer import ROOT, Foyer
from playwright.sync_api import expect

APPS = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

# States that need a response the embedded backends never send; all others are reachable.
UNREACHABLE = {
    "mystica": ["register/failure.register.1", "register/failure.register.4"],
    # The screen is opened at once after the launch made the same call.
    "mystica-instant": ["map/unloaded.me"],
    # The embedded dialect has no call for the user.
    "bob": [
        "login/failure.login.2",
        "projects/unloaded.me",
        "rfis/unloaded.me",
        "settings/unloaded.me",
    ],
    "wall": [
        "register/failure.register.1",
        "register/failure.register.2",
        "login/failure.login.1",
        "login/failure.login.2",
        "login/failure.requestCode.1",
        "login/failure.requestCode.2",
    ],
    # The row rules let only a business owner publish, and the sample user is none. The sign-in has
    # told the factor that `user` loads.
    "socoto": [
        "forgot/invalidResponse.submit",
        "business/notice.submit",
        "profile/invalidResponse.deleteAccount",
        "secured/unloaded.user",
    ],
    "clarity": [
        "login/failure.signIn.5",
        "login/failure.signIn.10",
        "register/failure.createUser.2",
        "register/failure.createUser.4",
        "register/failure.createUser.7",
        "register/failure.createUser.9",
        "register/failure.registerProfile.1",
        "reset/failure.reset.2",
        "reset/failure.reset.5",
        "reset/failure.reset.7",
        "reset/failure.reset.11",
        "newPassword/failure.setPassword.4",
        "newPassword/failure.setPassword.6",
        "newPassword/failure.setPassword.7",
        "newPassword/failure.setPassword.10",
        "verify/failure.lookup.5",
        "verify/failure.lookup.6",
        "verify/failure.lookup.9",
        "verify/failure.sendVerification.5",
        "verify/failure.sendVerification.9",
        "confirm/failure.confirmCode.4",
        "confirm/failure.confirmCode.6",
        "confirm/failure.confirmCode.7",
        "confirm/failure.confirmCode.10",
        "confirm/failure.resendCode.5",
        "confirm/failure.resendCode.9",
        "confirm/invalidResponse.resend",
        "settings/failure.deleteAccount.6",
        "settings/failure.deleteAccount.7",
        "settings/failure.deleteAccount.10",
        "edit/failure.rename.5",
        "edit/failure.rename.6",
        "edit/failure.rename.9",
    ],
}


def normalized_markup(text):
    """The markup of a page, with every text and attribute value replaced by "text"."""
    text = re.sub(r">[^<]*[^<\s][^<]*<", ">text<", text)
    return re.sub(r' (href|value|content|action|src)="[^"]+"', r' \1="text"', text)


def states(foyer, app):
    apps = foyer.api("GET", "/api/apps")["items"]
    found = next(item for item in apps if item["id"] == app)
    return [f"{screen['id']}/{state}" for screen in found["screens"] for state in screen["states"]]


@pytest.fixture(scope="module", params=APPS)
def app(request):
    return request.param


def test_every_tile_renders_at_its_url_and_axe_finds_nothing(browsers, foyer, app):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    unreachable, checked = [], set()
    for state in states(foyer, app):
        # An unreachable state takes long: all attempts are made first.
        address = f"{foyer.base}/storyboard/{app}/{state}/frame"
        response = page.request.get(address, timeout=120_000)
        assert response.status == 200, state
        text = response.text()
        if 'data-testid="tile.unreachable"' in text:
            unreachable.append(state)
            # All unreachable tiles show the same page.
            if len(unreachable) > 1:
                continue
        elif "/page." not in state:
            # A page that an action opens is another site's.
            assert re.search(r'<html [^>]*class="[^"]*\bstatic\b', text), state
        # axe checks elements; other text in the same elements changes nothing.
        markup = normalized_markup(text)
        if markup in checked:
            continue
        checked.add(markup)
        page.goto(address)
        looking.check_axe(browsers, page, state)
    assert unreachable == UNREACHABLE[app]


# An app with one appearance, and one with two.
@pytest.mark.parametrize("app, count", [("mystica", 6), ("bob", 12)])
def test_arrow_keys_step_all_sizes_together(browsers, foyer, app, count):
    page = browsers.device(foyer)
    first, second = states(foyer, app)[:2]
    page.goto(f"{foyer.base}/storyboard/{app}/{first}")
    frames = page.get_by_test_id("state.frame")
    expect(frames).to_have_count(count)

    def show(state):
        for index in range(count):
            expect(frames.nth(index)).to_have_attribute(
                "src", re.compile(re.escape(f"/{state}/frame"))
            )

    show(first)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(re.escape(f"/{second}")))
    show(second)
    # Keys work as soon as the page's scripts have loaded.
    page.wait_for_load_state("domcontentloaded")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(re.escape(f"/{first}")))
    show(first)


def test_size_and_appearance_stay_while_stepping(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob/login/default")
    page.get_by_test_id("state.size.ipad").click()
    page.get_by_test_id("state.appearance.dark").click()
    frames = page.get_by_test_id("state.frame")
    expect(frames).to_have_count(1)
    page.get_by_test_id("state.next").click()
    expect(page).to_have_url(re.compile("size=ipad&appearance=dark"))
    expect(frames).to_have_count(1)
    expect(page.frame_locator("iframe").locator("html.dark")).to_be_attached()


def test_a_tile_is_not_animated(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/mystica/splash/default/frame")
    expect(page.locator("body[data-screen='splash']")).to_be_attached()
    page.goto(f"{foyer.base}/storyboard/mystica/verify/toast.resend/frame")
    toast = page.get_by_test_id("toast")
    expect(toast).to_be_visible()
    assert toast.evaluate("it => getComputedStyle(it).animationName") == "none"


@pytest.fixture
def custom_app(tmp_path_factory):
    """A foyer with a custom app, and the app's folder."""
    apps = tmp_path_factory.mktemp("apps")
    folder = apps / "harbour"
    shutil.copytree(ROOT / "templates/apps/mystica", folder)
    server = Foyer("tiles-seventh", ["--apps", str(apps)])
    yield server, folder
    assert server.stop() == 0


def test_changed_templates_and_manifests_show_after_a_reload(browsers, custom_app):
    server, folder = custom_app
    page = browsers.device(server)
    tile = f"{server.base}/storyboard/harbour/login/default/frame"
    page.goto(tile)
    submit = page.get_by_test_id("login.submit")
    expect(submit).to_have_text("Login")

    template = folder / "login.mustache"
    template.write_text(template.read_text() + "<p>Below the form</p>")
    page.reload()
    expect(page.get_by_text("Below the form")).to_be_visible()

    manifest = folder / "app.json5"
    text = manifest.read_text()
    assert text.count("label: 'Login'") == 1
    manifest.write_text(text.replace("label: 'Login'", "label: 'Go ashore'"))
    page.reload()
    expect(submit).to_have_text("Go ashore")


def test_a_broken_template_shows_its_error_in_its_own_tile(browsers, custom_app):
    server, folder = custom_app
    browsers.expect_status(500, r"/storyboard/harbour/login/[\w.-]+/frame")
    page = browsers.device(server)
    address = f"{server.base}/storyboard/harbour"
    template = folder / "login.mustache"
    original = template.read_text()
    template.write_text(original + "{{#nobody}}")
    page.goto(f"{address}/login/default/frame")
    expect(page.locator("body")).to_contain_text("login.mustache")
    page.goto(f"{address}/splash/default/frame")
    expect(page.locator("body[data-screen='splash']")).to_be_attached()
    page.goto(f"{address}?screen=login")
    expect(page.get_by_test_id("storyboard.tile.login.default")).to_be_visible()
    template.write_text(original)
    page.goto(f"{address}/login/default/frame")
    expect(page.get_by_test_id("login.submit")).to_be_visible()


def test_no_tile_takes_the_focus(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/mystica?screen=settings")
    confirm = page.frame_locator("iframe[src*='confirm.logout']")
    expect(confirm.get_by_test_id("settings.logout.confirm")).to_be_attached()
    assert page.evaluate("document.activeElement.tagName") == "BODY"


# --- the export: last, because every state has been rendered by now -----------


def test_an_export_contains_every_state_and_opens_offline(browsers, foyer, tmp_path, app):
    page = browsers.device(foyer)
    # Unreachable states take long: all attempts are made first.
    response = page.request.get(f"{foyer.base}/storyboard/{app}/export?download=1", timeout=300_000)
    assert response.ok
    assert response.headers["content-disposition"] == (
        f'attachment; filename="{app}-storyboard.html"'
    )
    text = response.text()
    assert "/assets/" not in text
    assert "<script" not in text and "&lt;script" not in text
    file = tmp_path / "storyboard.html"
    file.write_text(text)

    requests = []
    offline_page = browsers.device(foyer, key=False, offline=True)
    offline_page.on("request", lambda request: requests.append(request.url))
    offline_page.goto(file.as_uri())
    all_states = states(foyer, app)
    expect(offline_page.get_by_test_id("export.tile")).to_have_count(len(all_states))
    names = "tiles => tiles.map((tile) => tile.id)"
    assert offline_page.locator("figure").evaluate_all(names) == all_states
    assert offline_page.locator("figure:not(:has(iframe))").evaluate_all(names) == UNREACHABLE[app]
    expect(offline_page.frame_locator("iframe").first.locator("body[data-screen]")).to_be_attached()
    assert [url for url in requests if not re.match("file:|data:|about:", url)] == []


def test_an_export_has_the_boards_size_and_appearance(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob?size=ipad&appearance=dark")
    page.get_by_test_id("storyboard.export").click()
    link = page.get_by_test_id("storyboard.export.open")
    expect(link).to_have_attribute("href", "/storyboard/bob/export?size=ipad&appearance=dark")
    link.click(timeout=120_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Bob the Builder storyboard")
    frame = page.locator("iframe").first
    expect(frame).to_have_attribute("width", "820")
    expect(page.frame_locator("iframe").first.locator("html.dark")).to_be_attached()
    page.get_by_label("One per page").check()
    page.emulate_media(media="print")
    tile = page.get_by_test_id("export.tile").first
    assert tile.evaluate("it => getComputedStyle(it).breakBefore") == "page"
