"""The main journeys in Firefox: every app against the embedded backend, and the console."""

import itertools
import re

import pytest
from firefox import Firefox
from foyer import MARK, Foyer

numbers = itertools.count(1)
PASSWORD = f"{MARK}-Firefox-1"
# The key, as WebDriver spells it.
ENTER = "\ue007"
WRONG = f"{MARK}-Wrong-2"


@pytest.fixture(scope="module")
def foyer():
    server = Foyer("firefox")
    yield server
    server.remember_tokens()
    assert server.stop() == 0


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    # Not among the results: its history keeps the tokens of an implicit flow, which its contract
    # puts into the address, and the search for secrets would find them.
    browser = Firefox(tmp_path_factory.getbasetemp() / "firefox")
    yield browser
    browser.close()


@pytest.fixture
def firefox(browser, foyer):
    """A browser that has shown the key, as a device of its own."""
    browser.open(foyer.base + "/health")
    browser.do("DeleteAllCookies")
    browser.open(foyer.entrance)
    return browser


@pytest.fixture
def email():
    return f"fox{next(numbers)}@example.com"


def follow(firefox, foyer, email):
    """Opens the mailed link in a tab of its own."""
    here = firefox.do("GetWindowHandle")
    firefox.do("SwitchToWindow", handle=firefox.do("NewWindow", type="tab")["handle"])
    firefox.open(foyer.mail(email)["link"])
    firefox.shows("body", "(?i)verified|confirmed")
    firefox.do("CloseWindow")
    firefox.do("SwitchToWindow", handle=here)


def mystica(firefox, foyer, email):
    firefox.arrive("login")
    firefox.press("login.tab.register")
    firefox.arrive("register")
    firefox.fill("register", email=email, password=PASSWORD)
    firefox.press("register.submit")
    firefox.arrive("verify")
    follow(firefox, foyer, email)
    firefox.press("verify.back")
    firefox.arrive("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.press("login.submit")
    firefox.shows("[data-testid='login.error']", r"\w")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.press("login.submit")
    firefox.shows("[data-testid='map.email']", re.escape(email))
    firefox.press("map.settings")
    firefox.arrive("settings")
    firefox.press("settings.logout")
    firefox.press("settings.logout.confirm")
    firefox.arrive("login")


def mystica_instant(firefox, foyer, email):
    firefox.arrive("map")
    firefox.shows("[data-testid='map.player']", r"\w")


def bob(firefox, foyer, email):
    firefox.arrive("login")
    firefox.press("login.register")
    firefox.arrive("register")
    firefox.fill(
        "register",
        firstName="Wendy",
        lastName="Hart",
        email=email,
        password=PASSWORD,
        confirm=PASSWORD,
    )
    firefox.press("register.submit")
    firefox.shows("[data-testid='alert']", "Account created")
    firefox.press("alert.ok")
    firefox.arrive("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.press("login.submit")
    firefox.shows("[data-testid='alert']", "Login Error")
    firefox.press("alert.ok")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.press("login.submit")
    firefox.arrive("projects")
    firefox.press("projects.tab.settings")
    firefox.arrive("settings")
    firefox.press("settings.signOut")
    firefox.press("settings.signOut.confirm")
    firefox.shows("[data-testid='alert']", "Signed Out")


def wall(firefox, foyer, email):
    firefox.arrive("landing")
    firefox.press("landing.register")
    firefox.arrive("register")
    firefox.fill("register", email=email)
    firefox.press("register.submit")
    firefox.shows("[data-testid='alert']", "Success")
    firefox.press("alert.ok")
    firefox.arrive("login")
    firefox.fill("login", email=email, code="000000x")
    firefox.press("login.submit")
    firefox.shows("[data-testid='login.error']", r"\w")
    firefox.fill("login", email=email, code=foyer.mail(email, "register")["code"])
    firefox.press("login.submit")
    firefox.shows("[data-testid='wall.person']", re.escape(email))
    firefox.press("wall.logout")
    firefox.arrive("landing")


def socoto(firefox, foyer, email):
    firefox.arrive("welcome")
    firefox.press("welcome.signup")
    firefox.arrive("signup")
    firefox.fill("signup", fullName="Maya Okafor", email=email, password=PASSWORD, confirm=PASSWORD)
    firefox.check("signup.terms")
    firefox.press("signup.submit")
    firefox.shows("[data-testid='signup.notice']", "Account created")
    follow(firefox, foyer, email)
    firefox.press("signup.signin")
    firefox.arrive("signin")
    firefox.fill("signin", email=email, password=WRONG)
    firefox.press("signin.submit")
    firefox.shows("[data-testid='signin.error']", "Invalid login credentials")
    firefox.fill("signin", email=email, password=PASSWORD)
    firefox.press("signin.submit")
    firefox.shows("[data-testid='profile.email']", re.escape(email))
    firefox.press("profile.signOut")
    firefox.press("profile.signOut.confirm")
    firefox.arrive("welcome")


def clarity(firefox, foyer, email):
    firefox.arrive("login")
    firefox.press("login.register")
    firefox.arrive("register")
    firefox.fill(
        "register",
        firstName="Avery",
        lastName="Quinn",
        email=email,
        password=PASSWORD,
        confirm=PASSWORD,
    )
    firefox.check("register.terms")
    firefox.check("register.privacy")
    firefox.press("register.submit")
    firefox.shows("[data-testid='alert']", "Registration Successful")
    firefox.press("alert.ok")
    firefox.arrive("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.press("login.submit")
    firefox.shows("[data-testid='login.error']", "Invalid email or password")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.press("login.submit")
    firefox.arrive("verify")
    follow(firefox, foyer, email)
    firefox.press("verify.verified")
    firefox.shows("[data-testid='dashboard.email']", re.escape(email))
    firefox.press("dashboard.tab.settings")
    firefox.arrive("settings")
    firefox.press("settings.signOut")
    firefox.press("settings.signOut.confirm")
    firefox.arrive("login")


@pytest.mark.parametrize(
    "journey",
    [mystica, mystica_instant, bob, wall, socoto, clarity],
    ids=lambda journey: journey.__name__,
)
def test_an_app_from_its_registration_to_its_logout(firefox, foyer, email, journey):
    app = journey.__name__.replace("_", "-")
    firefox.open(f"{foyer.base}/apps/{app}/")
    journey(firefox, foyer, email)


def test_the_studio_and_the_traffic_show_live_what_happens(firefox, foyer, email):
    foyer.account(email, PASSWORD)
    firefox.open(f"{foyer.base}/studio/mystica")
    studio = firefox.do("GetWindowHandle")
    firefox.shows("[data-testid='studio.tokens.none']", r"\w")
    traffic = firefox.do("NewWindow", type="tab")["handle"]
    firefox.do("SwitchToWindow", handle=traffic)
    firefox.open(foyer.base + "/traffic")
    rows = "document.querySelectorAll('[data-testid=\"traffic.row\"]').length"
    before = firefox.run(f"return {rows}")
    # In the phone's frame, without touching what is around it.
    firefox.do("SwitchToWindow", handle=studio)
    firefox.do("SwitchToFrame", element=firefox.find("#phone-frame"))
    firefox.arrive("login")
    # A click would miss: the frame is drawn smaller than it is.
    firefox.fill("login", email=email, password=PASSWORD + ENTER)
    firefox.shows("[data-testid='map.email']", re.escape(email))
    firefox.do("SwitchToFrame", element=None)
    firefox.shows("[data-testid='studio.state.current']", "map")
    firefox.find("[data-testid='studio.session']")
    firefox.do("SwitchToWindow", handle=traffic)
    firefox.until(f"return {rows} > {before}", "True")
    firefox.do("CloseWindow")
    firefox.do("SwitchToWindow", handle=studio)


def test_the_storyboard_opens_and_its_tiles_are_played(firefox, foyer):
    firefox.open(foyer.base + "/storyboard/mystica")
    firefox.do("SwitchToFrame", element=firefox.find("iframe"))
    firefox.find("body[data-screen]")
    firefox.do("SwitchToFrame", element=None)
