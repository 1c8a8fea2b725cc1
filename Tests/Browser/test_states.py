"""What holds in every state of every page and every app: axe finds nothing,
nothing scrolls sideways, every control can be reached and hit."""

import acting
import anonymous
import bob
import pulse
import pytest
import socoto
from anonymous import document  # noqa: F401  (a fixture)
from foyer import MARK, Foyer
from looking import examine
from playwright.sync_api import expect
from pulse import known_firebase  # noqa: F401  (a fixture)
from socoto import known_supabase  # noqa: F401  (a fixture)

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
    "look",
    "copy",
    "accessibility",
    "walkthrough",
    "walkthrough-branch",
    "storyboard",
    "storyboard-beside",
    "storyboard-empty",
    "flow",
    "flow-run",
    "scene",
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
def inhabited(foyer):
    """Two devices, one signed in, with sessions, calls and mails."""
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
    refusal = foyer.api("GET", "/api/exchanges?call=login&status=refused")["items"][0]["id"]
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


def visit(name, foyer, inhabited, new_page):
    """A page standing on what `name` means."""
    base = foyer.base
    addresses = {
        "home": "/",
        "studio": "/studio/mystica",
        "studio-instant": "/studio/mystica-instant",
        "sessions": "/sessions",
        "traffic": "/traffic",
        "mailbox": "/mailbox",
        "session": f"/sessions/{inhabited['session']}",
        "exchange": f"/traffic/{inhabited['exchange']}",
        "refusal": f"/traffic/{inhabited['refusal']}",
        "resend": f"/traffic/{inhabited['refusal']}/resend",
        "comparison": f"/traffic/diff?a={inhabited['refusal']}&b={inhabited['exchange']}",
        "import": "/traffic/import",
        "mail": f"/mailbox/{inhabited['mail']}",
        "empty-search": "/sessions?q=nobody-is-called-this",
        "not-found": "/nowhere",
        "storage-edit": "/studio/mystica/storage/mystica_user_id",
        "forget": "/studio/mystica/forget",
        "timeline": "/studio/mystica/timeline",
        "backend-edit": "/studio/mystica/backend",
        "accounts": "/accounts",
        "account": f"/accounts/{inhabited['account']}",
        "account-lock": f"/accounts/{inhabited['account']}/lock",
        "account-add": "/accounts/new",
        "account-many": "/accounts/many",
        "snapshots": "/snapshots",
        "look": "/storyboard/mystica/look",
        "copy": "/storyboard/mystica/copy",
        "scene": "/storyboard/mystica/login/default",
        "flow": "/storyboard/mystica/flow",
        "flow-run": "/storyboard/clarity/flow?seen=last",
        "accessibility": "/storyboard/mystica/accessibility?screen=verify",
        "walkthrough": "/walkthrough/mystica/verify?sizes=three",
        "walkthrough-branch": "/walkthrough/wall/login?branch=offline.submit",
        "storyboard": "/storyboard/mystica?kind=default&at=login/default",
        "storyboard-beside": "/storyboard/bob?beside=wall&kind=disabled&screen=login&zoom=50",
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
        acting.arrive(acting.studio(page, foyer), "login")
        return page
    if name in addresses:
        page = new_page("in")
        if name == "studio":
            page.goto(base + "/apps/mystica/map")
        page.goto(base + addresses[name])
        if name == "studio":
            acting.arrive(acting.phone(page), "map")
        if name == "accessibility":
            expect(page.get_by_test_id("audit.all")).to_be_hidden(timeout=60_000)
        if name == "settings-logout":
            page.get_by_test_id("settings.logout").click()
            expect(page.get_by_test_id("settings.logout.confirm")).to_be_visible()
        return page
    if name.startswith("verify"):
        page = new_page("unverified")
        page.goto(base + "/apps/mystica/verify")
        acting.arrive(page, "verify")
        if name == "verify-toast":
            page.get_by_test_id("verify.resend").click()
            expect(page.get_by_test_id("toast")).to_be_visible()
        return page
    page = new_page("new")
    if name == "splash":
        # Held on the splash: without scripts the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        acting.start(page, foyer)
        acting.arrive(page, "splash")
        return page
    if name == "splash-error":
        page.goto(base + "/studio/mystica-instant")
        acting.arrive(acting.phone(page), "map")
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
    acting.arrive(page, "login")
    if name == "login-errors":
        acting.login(page, "x", "")
        expect(page.get_by_test_id("login.email.error")).to_be_visible()
    if name == "login-failure":
        acting.login(page, "nobody@example.com", MARK)
        expect(page.get_by_test_id("login.error")).to_be_visible()
    if name == "register":
        page.get_by_test_id("login.tab.register").click()
        acting.arrive(page, "register")
    return page


@pytest.fixture
def new_page(visitors, foyer, inhabited):
    def new_page(who):
        return visitors.device(
            foyer, key=who is not None, device=inhabited.get(who), reduced_motion="reduce"
        )

    return new_page


PHONES = [(320, 640), (390, 844)]
APPS = {
    "bob": (bob, None),
    "wall": (anonymous, "document"),
    "socoto": (socoto, "known_supabase"),
    "clarity": (pulse, "known_firebase"),
}


@pytest.mark.parametrize("name", CONSOLE + SCREENS)
def test_every_page(visitors, foyer, inhabited, new_page, name):
    if name == "not-found":
        visitors.refused(404, "/nowhere")
    if name == "key":
        visitors.refused(401, "/")
    visitors.unanswered("ERR_FAILED", "/assets/screen.js")
    page = visit(name, foyer, inhabited, new_page)
    acting.painted(page)
    examine(
        visitors,
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
        reached=name in CONSOLE,
    )
    # The door is the console's.
    if name in SCREENS and name != "key":
        for width, height in PHONES:
            acting.resize(page, width, height)
            assert page.evaluate(SMALL, False) == [], width


@pytest.mark.parametrize(
    "app, name", [(app, name) for app, (player, _) in APPS.items() for name in player.STATES]
)
def test_every_state(request, visitors, foyer, app, name):
    visitors.unanswered("ERR_FAILED", "/assets/screen.js")
    page = visitors.device(foyer, reduced_motion="reduce", viewport={"width": 390, "height": 844})
    player, backend = APPS[app]
    player.stand(page, foyer, *([request.getfixturevalue(backend)] if backend else []), name)
    acting.painted(page)
    examine(
        visitors,
        page,
        f"{app}-{name}",
        [(768, 1024), (844, 390), (1024, 768), (1280, 800), (320, 640), (390, 844)],
    )
    for width, height in PHONES:
        acting.resize(page, width, height)
        # Bob's document asks for the width, too.
        assert page.evaluate(SMALL, app == "bob") == [], width


# Controls of an app that a finger may miss: what is pressed counts, so a
# switch with the room around it, and a hidden radio with its card.
SMALL = """wide => {
    const high = e => {
        if (e.matches('.card-input')) e = e.closest('label');
        const more = e.matches('.toggle-input')
            ? -2 * parseFloat(getComputedStyle(e, '::before').top) : 0;
        return e.getBoundingClientRect().height + more;
    };
    return [...document.querySelectorAll(
            'a, button, input:not([type=hidden])')]
        .filter(e => e.checkVisibility({visibilityProperty: true})
            && !e.closest('[inert]') && !e.closest('.unseen')
            && (high(e) < 43.9
                || wide && e.getBoundingClientRect().width < 43.9))
        .map(e => `${e.dataset.testid} ${high(e)}`);
}"""


def test_a_broken_app_is_told_and_the_others_run(visitors, broken_foyer):
    visitors.refused(503, "/studio/broken")
    page = visitors.device(broken_foyer, reduced_motion="reduce")
    page.goto(broken_foyer.base)
    expect(page.get_by_test_id("home.app.mystica.open")).to_be_visible()
    page.get_by_test_id("home.app.broken.problem").click()
    expect(page.get_by_test_id("error.file")).to_contain_text("app.json5")
    examine(visitors, page, "broken", [(320, 640), (1280, 900)], reached=True)


@pytest.fixture(scope="module")
def broken_foyer(tmp_path_factory):
    apps = tmp_path_factory.mktemp("apps")
    (apps / "broken").mkdir()
    (apps / "broken/app.json5").write_text("{\n  name: 'Broken',\n  oh: 1\n}")
    server = Foyer("broken", ["--apps", str(apps)])
    yield server
    assert server.stop() == 0
