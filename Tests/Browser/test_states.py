"""Checks of every page and every app in every state: axe finds nothing, nothing scrolls sideways,
every control can be reached and hit.
"""

import acting
import anonymous
import bob
import pulse
import pytest
import socoto
from anonymous import wall_backend  # noqa: F401  (a fixture)
from foyer import MARK, Foyer
from looking import examine
from playwright.sync_api import expect
from pulse import firebase_with_accounts  # noqa: F401  (a fixture)
from socoto import project_with_accounts  # noqa: F401  (a fixture)

CONSOLE = [
    "home",
    "studio",
    "studio-instant",
    "studio-signed-out",
    "sessions",
    "session",
    "traffic",
    "exchange",
    "refusal",
    "resend",
    "comparison",
    "import",
    "mailbox",
    "mail",
    "empty-search",
    "not-found",
    "storage-edit",
    "forget",
    "backend-edit",
    "timeline",
    "accounts",
    "account",
    "account-lock",
    "account-add",
    "account-many",
    "snapshots",
    "rules",
    "rule",
    "design-tokens",
    "copy",
    "accessibility",
    "compare",
    "walkthrough",
    "walkthrough-branch",
    "storyboard",
    "storyboard-compare",
    "storyboard-empty",
    "screen-map",
    "screen-map-run",
    "state",
]
SCREENS = [
    "login",
    "login-errors",
    "login-failure",
    "register",
    "verify",
    "verify-toast",
    "map",
    "settings",
    "settings-logout",
    "splash",
    "splash-error",
    "instant-map",
    "instant-settings",
    "key",
]


@pytest.fixture(scope="module")
def shared_data(foyer):
    """The ids of two devices, one signed in, with sessions, calls and mails."""
    email, password = "axe@example.com", MARK + "-axe"
    foyer.account(email, password)

    def device(screen, email, password):
        device = foyer.api("POST", "/api/devices")
        foyer.submit("/apps/mystica/splash/launch", {}, device["id"])
        person = {"email": email, "password": password}
        foyer.submit(f"/apps/mystica/{screen}/submit", person, device["id"])
        return device

    signed_in = device("login", email, password)
    foyer.submit("/apps/mystica-instant/splash/launch", {}, signed_in["id"])
    unverified = device("register", "axe-two@example.com", password)
    device("login", email, password + "-wrong")
    refusal = foyer.api("GET", "/api/exchanges?call=login&status=error")["items"][0]["id"]
    session = foyer.api("GET", f"/api/sessions?app=mystica&device={signed_in['id']}")["items"][0]
    return {
        "in": signed_in,
        "unverified": unverified,
        "session": session["id"],
        "exchange": acting.exchanges(foyer, signed_in["id"], "login")[0]["id"],
        "refusal": refusal,
        "mail": foyer.mail(email)["id"],
        "account": foyer.api("GET", f"/api/accounts?q={email}")["items"][0]["id"],
    }


def open_page(name, foyer, shared_data, new_page):
    """Opens the page or screen in the state `name`."""
    base = foyer.base
    addresses = {
        "home": "/",
        "studio": "/studio/mystica",
        "studio-instant": "/studio/mystica-instant",
        "sessions": "/sessions",
        "traffic": "/traffic",
        "mailbox": "/mailbox",
        "session": f"/sessions/{shared_data['session']}",
        "exchange": f"/traffic/{shared_data['exchange']}",
        "refusal": f"/traffic/{shared_data['refusal']}",
        "resend": f"/traffic/{shared_data['refusal']}/resend",
        "comparison": f"/traffic/diff?a={shared_data['refusal']}&b={shared_data['exchange']}",
        "import": "/traffic/import",
        "mail": f"/mailbox/{shared_data['mail']}",
        "empty-search": "/sessions?q=nobody-is-called-this",
        "not-found": "/nowhere",
        "storage-edit": "/studio/mystica/storage/mystica_user_id",
        "forget": "/studio/mystica/clear",
        "timeline": "/studio/mystica/timeline",
        "backend-edit": "/studio/mystica/backend",
        "accounts": "/accounts",
        "account": f"/accounts/{shared_data['account']}",
        "account-lock": f"/accounts/{shared_data['account']}/lock",
        "account-add": "/accounts/new",
        "account-many": "/accounts/bulk",
        "snapshots": "/snapshots",
        "rules": "/rules",
        "rule": f"/rules/new?exchange={shared_data['exchange']}&kind=respond",
        "design-tokens": "/storyboard/bob/tokens",
        "copy": "/storyboard/clarity/copy",
        "state": "/storyboard/mystica/login/default",
        "screen-map": "/storyboard/mystica/map",
        "screen-map-run": "/storyboard/clarity/map?run=last",
        "accessibility": "/storyboard/mystica/accessibility?screen=verify",
        "compare": "/storyboard/mystica/compare",
        "walkthrough": "/walkthrough/mystica/verify?sizes=three",
        "walkthrough-branch": "/walkthrough/wall/login?branch=offline.submit",
        "storyboard": "/storyboard/mystica?kind=default&at=login/default",
        "storyboard-compare": "/storyboard/bob?compare=wall&kind=disabled&screen=login&zoom=50",
        "storyboard-empty": "/storyboard/mystica?kind=disabled",
        "settings": "/apps/mystica/settings",
        "map": "/apps/mystica/map",
        "settings-logout": "/apps/mystica/settings",
        "instant-map": "/apps/mystica-instant/map",
        "instant-settings": "/apps/mystica-instant/settings",
    }
    if name == "key":
        page = new_page(None)
        page.goto(base + "/")
        return page
    if name == "studio-signed-out":
        page = new_page("new")
        acting.expect_screen(acting.studio(page, foyer), "login")
        return page
    if name in addresses:
        page = new_page("in")
        if name == "studio":
            page.goto(base + "/apps/mystica/map")
        page.goto(base + addresses[name])
        if name == "studio":
            acting.expect_screen(acting.phone(page), "map")
        if name == "accessibility":
            expect(page.get_by_test_id("audit.all")).to_be_hidden(timeout=60_000)
        if name == "settings-logout":
            page.get_by_test_id("settings.logout").click()
            expect(page.get_by_test_id("settings.logout.confirm")).to_be_visible()
        return page
    if name.startswith("verify"):
        page = new_page("unverified")
        page.goto(base + "/apps/mystica/verify")
        acting.expect_screen(page, "verify")
        if name == "verify-toast":
            page.get_by_test_id("verify.resend").click()
            expect(page.get_by_test_id("toast")).to_be_visible()
        return page
    page = new_page("new")
    if name == "splash":
        # Stays on the splash: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        acting.start(page, foyer)
        acting.expect_screen(page, "splash")
        return page
    if name == "splash-error":
        page.goto(base + "/studio/mystica-instant")
        acting.expect_screen(acting.phone(page), "map")
        device = acting.device_of(page, foyer)
        foyer.api(
            "PATCH",
            f"/api/devices/{device}/apps/mystica-instant",
            {"backend": "local", "base": "http://127.0.0.1:9/x"},
        )
        acting.relaunch(page, foyer, "mystica-instant")
        expect(page.get_by_test_id("splash.error")).to_be_visible()
        return page
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    if name == "login-errors":
        acting.login(page, "x", "")
        expect(page.get_by_test_id("login.email.error")).to_be_visible()
    if name == "login-failure":
        acting.login(page, "nobody@example.com", MARK)
        expect(page.get_by_test_id("login.error")).to_be_visible()
    if name == "register":
        page.get_by_test_id("login.tab.register").click()
        acting.expect_screen(page, "register")
    return page


@pytest.fixture
def new_page(browsers, foyer, shared_data):
    def new_page(device_name):
        return browsers.device(
            foyer,
            key=device_name is not None,
            device=shared_data.get(device_name),
            reduced_motion="reduce",
        )

    return new_page


PHONE_WINDOWS = [(320, 640), (390, 844)]
APPS = {
    "bob": (bob, None),
    "wall": (anonymous, "wall_backend"),
    "socoto": (socoto, "project_with_accounts"),
    "clarity": (pulse, "firebase_with_accounts"),
}


@pytest.mark.parametrize("name", CONSOLE + SCREENS)
def test_every_page_fits_its_window_and_axe_finds_nothing(
    browsers, foyer, shared_data, new_page, name
):
    if name == "not-found":
        browsers.expect_status(404, "/nowhere")
    if name == "key":
        browsers.expect_status(401, "/")
    browsers.expect_network_error("ERR_FAILED", "/assets/screen.js")
    page = open_page(name, foyer, shared_data, new_page)
    acting.wait_for_styles(page)
    examine(
        browsers,
        page,
        name,
        [
            (320, 640),
            (390, 844),
            (600, 900),
            (720, 900),
            (844, 390),
            (1024, 768),
            (1366, 650),
            (1280, 900),
        ],
        controls=name in CONSOLE,
    )
    # The key page belongs to the console, not to an app.
    if name in SCREENS and name != "key":
        for width, height in PHONE_WINDOWS:
            acting.resize(page, width, height)
            assert page.evaluate(SMALL_CONTROLS, False) == [], width


@pytest.mark.parametrize(
    "app, name",
    [(app, name) for app, (app_module, _) in APPS.items() for name in app_module.STATES],
)
def test_every_app_state_fits_its_window_and_axe_finds_nothing(request, browsers, foyer, app, name):
    browsers.expect_network_error("ERR_FAILED", "/assets/screen.js")
    page = browsers.device(foyer, reduced_motion="reduce", viewport={"width": 390, "height": 844})
    app_module, backend = APPS[app]
    app_module.open_state(
        page, foyer, *([request.getfixturevalue(backend)] if backend else []), name
    )
    acting.wait_for_styles(page)
    examine(
        browsers,
        page,
        f"{app}-{name}",
        [(768, 1024), (844, 390), (1024, 768), (1280, 800), (320, 640), (390, 844)],
    )
    for width, height in PHONE_WINDOWS:
        acting.resize(page, width, height)
        # Bob's design document requires a minimum width too.
        assert page.evaluate(SMALL_CONTROLS, app == "bob") == [], width


# Controls of an app that are too small for a finger. The clickable area counts: a switch with the
# space around it, and a hidden radio button with its card.
SMALL_CONTROLS = """wide => {
    const height = e => {
        if (e.matches('.card-input')) e = e.closest('label');
        const extra = e.matches('.toggle-input')
            ? -2 * parseFloat(getComputedStyle(e, '::before').top) : 0;
        return e.getBoundingClientRect().height + extra;
    };
    return [...document.querySelectorAll(
            'a, button, input:not([type=hidden])')]
        .filter(e => e.checkVisibility({visibilityProperty: true})
            && !e.closest('[inert]') && !e.closest('.visually-hidden')
            && (height(e) < 43.9
                || wide && e.getBoundingClientRect().width < 43.9))
        .map(e => `${e.dataset.testid} ${height(e)}`);
}"""


def test_a_broken_app_is_reported_and_the_others_run(browsers, broken_foyer):
    browsers.expect_status(503, "/studio/broken")
    page = browsers.device(broken_foyer, reduced_motion="reduce")
    page.goto(broken_foyer.base)
    expect(page.get_by_test_id("home.app.mystica.open")).to_be_visible()
    page.get_by_test_id("home.app.broken.problem").click()
    expect(page.get_by_test_id("error.file")).to_contain_text("app.json5")
    examine(browsers, page, "broken", [(320, 640), (1280, 900)], controls=True)


@pytest.fixture(scope="module")
def broken_foyer(tmp_path_factory):
    apps = tmp_path_factory.mktemp("apps")
    (apps / "broken").mkdir()
    (apps / "broken/app.json5").write_text("{\n  name: 'Broken',\n  oh: 1\n}")
    server = Foyer("broken", ["--apps", str(apps)])
    yield server
    assert server.stop() == 0
