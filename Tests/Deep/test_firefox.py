"""The main journeys in Firefox: every app against the embedded backend, and the console."""

import itertools
import re

import pytest
from firefox import Firefox
from foyer import MARK, Foyer

numbers = itertools.count(1)
PASSWORD = f"{MARK}-Firefox-1"
# The Enter key in WebDriver's encoding.
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
    # The profile is not stored with the results: its history has the tokens of an implicit flow,
    # which the contract puts into the URL, and the search for secrets would find them.
    browser = Firefox(tmp_path_factory.getbasetemp() / "firefox")
    yield browser
    browser.close()


@pytest.fixture
def firefox(browser, foyer):
    """The browser with the access key entered, as a new device."""
    browser.open(foyer.base + "/health")
    browser.execute("DeleteAllCookies")
    browser.open(foyer.entrance)
    return browser


@pytest.fixture
def email():
    return f"fox{next(numbers)}@example.com"


def follow(firefox, foyer, email):
    """Opens the mailed link in a new tab and closes the tab."""
    original = firefox.execute("GetWindowHandle")
    firefox.execute("SwitchToWindow", handle=firefox.execute("NewWindow", type="tab")["handle"])
    firefox.open(foyer.mail(email)["link"])
    firefox.wait_for_text("body", "(?i)verified|confirmed")
    firefox.execute("CloseWindow")
    firefox.execute("SwitchToWindow", handle=original)


def mystica(firefox, foyer, email):
    firefox.wait_for_screen("login")
    firefox.click("login.tab.register")
    firefox.wait_for_screen("register")
    firefox.fill("register", email=email, password=PASSWORD)
    firefox.click("register.submit")
    firefox.wait_for_screen("verify")
    follow(firefox, foyer, email)
    firefox.click("verify.back")
    firefox.wait_for_screen("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='login.error']", r"\w")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='map.email']", re.escape(email))
    firefox.click("map.settings")
    firefox.wait_for_screen("settings")
    firefox.click("settings.logout")
    firefox.click("settings.logout.confirm")
    firefox.wait_for_screen("login")


def mystica_instant(firefox, foyer, email):
    firefox.wait_for_screen("map")
    firefox.wait_for_text("[data-testid='map.player']", r"\w")


def bob(firefox, foyer, email):
    firefox.wait_for_screen("login")
    firefox.click("login.register")
    firefox.wait_for_screen("register")
    firefox.fill(
        "register",
        firstName="Wendy",
        lastName="Hart",
        email=email,
        password=PASSWORD,
        confirm=PASSWORD,
    )
    firefox.click("register.submit")
    firefox.wait_for_text("[data-testid='alert']", "Account created")
    firefox.click("alert.ok")
    firefox.wait_for_screen("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='alert']", "Login Error")
    firefox.click("alert.ok")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.click("login.submit")
    firefox.wait_for_screen("projects")
    firefox.click("projects.tab.settings")
    firefox.wait_for_screen("settings")
    firefox.click("settings.signOut")
    firefox.click("settings.signOut.confirm")
    firefox.wait_for_text("[data-testid='alert']", "Signed Out")


def wall(firefox, foyer, email):
    firefox.wait_for_screen("landing")
    firefox.click("landing.register")
    firefox.wait_for_screen("register")
    firefox.fill("register", email=email)
    firefox.click("register.submit")
    firefox.wait_for_text("[data-testid='alert']", "Success")
    firefox.click("alert.ok")
    firefox.wait_for_screen("login")
    firefox.fill("login", email=email, code="000000x")
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='login.error']", r"\w")
    firefox.fill("login", email=email, code=foyer.mail(email, "register")["code"])
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='wall.person']", re.escape(email))
    firefox.click("wall.logout")
    firefox.wait_for_screen("landing")


def socoto(firefox, foyer, email):
    firefox.wait_for_screen("welcome")
    firefox.click("welcome.signup")
    firefox.wait_for_screen("signup")
    firefox.fill("signup", fullName="Maya Okafor", email=email, password=PASSWORD, confirm=PASSWORD)
    firefox.check("signup.terms")
    firefox.click("signup.submit")
    firefox.wait_for_text("[data-testid='signup.notice']", "Account created")
    follow(firefox, foyer, email)
    firefox.click("signup.signin")
    firefox.wait_for_screen("signin")
    firefox.fill("signin", email=email, password=WRONG)
    firefox.click("signin.submit")
    firefox.wait_for_text("[data-testid='signin.error']", "Invalid login credentials")
    firefox.fill("signin", email=email, password=PASSWORD)
    firefox.click("signin.submit")
    firefox.wait_for_text("[data-testid='profile.email']", re.escape(email))
    firefox.click("profile.signOut")
    firefox.click("profile.signOut.confirm")
    firefox.wait_for_screen("welcome")


def clarity(firefox, foyer, email):
    firefox.wait_for_screen("login")
    firefox.click("login.register")
    firefox.wait_for_screen("register")
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
    firefox.click("register.submit")
    firefox.wait_for_text("[data-testid='alert']", "Registration Successful")
    firefox.click("alert.ok")
    firefox.wait_for_screen("login")
    firefox.fill("login", email=email, password=WRONG)
    firefox.click("login.submit")
    firefox.wait_for_text("[data-testid='login.error']", "Invalid email or password")
    firefox.fill("login", email=email, password=PASSWORD)
    firefox.click("login.submit")
    firefox.wait_for_screen("verify")
    follow(firefox, foyer, email)
    firefox.click("verify.verified")
    firefox.wait_for_text("[data-testid='dashboard.email']", re.escape(email))
    firefox.click("dashboard.tab.settings")
    firefox.wait_for_screen("settings")
    firefox.click("settings.signOut")
    firefox.click("settings.signOut.confirm")
    firefox.wait_for_screen("login")


@pytest.mark.parametrize(
    "journey",
    [mystica, mystica_instant, bob, wall, socoto, clarity],
    ids=lambda journey: journey.__name__,
)
def test_journey_from_registration_to_logout(firefox, foyer, email, journey):
    app = journey.__name__.replace("_", "-")
    firefox.open(f"{foyer.base}/apps/{app}/")
    journey(firefox, foyer, email)


def test_studio_and_traffic_update_live(firefox, foyer, email):
    foyer.account(email, PASSWORD)
    firefox.open(f"{foyer.base}/studio/mystica")
    studio = firefox.execute("GetWindowHandle")
    firefox.wait_for_text("[data-testid='studio.tokens.none']", r"\w")
    traffic = firefox.execute("NewWindow", type="tab")["handle"]
    firefox.execute("SwitchToWindow", handle=traffic)
    firefox.open(foyer.base + "/traffic")
    rows = "document.querySelectorAll('[data-testid=\"traffic.row\"]').length"
    before = firefox.execute_script(f"return {rows}")
    # Sign in inside the phone's frame only.
    firefox.execute("SwitchToWindow", handle=studio)
    firefox.execute("SwitchToFrame", element=firefox.find("#phone-frame"))
    firefox.wait_for_screen("login")
    # Submit by key: the frame is scaled down, so that a click would miss.
    firefox.fill("login", email=email, password=PASSWORD + ENTER)
    firefox.wait_for_text("[data-testid='map.email']", re.escape(email))
    firefox.execute("SwitchToFrame", element=None)
    firefox.wait_for_text("[data-testid='studio.state.current']", "map")
    firefox.find("[data-testid='studio.session']")
    firefox.execute("SwitchToWindow", handle=traffic)
    firefox.wait_until(f"return {rows} > {before}", "True")
    firefox.execute("CloseWindow")
    firefox.execute("SwitchToWindow", handle=studio)


def test_storyboard_opens_and_plays_its_tiles(firefox, foyer):
    firefox.open(foyer.base + "/storyboard/mystica")
    firefox.execute("SwitchToFrame", element=firefox.find("iframe"))
    firefox.find("body[data-screen]")
    firefox.execute("SwitchToFrame", element=None)
