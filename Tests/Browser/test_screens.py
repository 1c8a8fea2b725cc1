"""Mystica's screens in all their states, as a person meets them."""

import json

import pytest
from playwright.sync_api import expect

import acting
from conftest import MARK
from standin import StandIn


@pytest.fixture
def standin():
    """A backend that says no to everything, until a test says otherwise."""
    server = StandIn(lambda *_: (500, {"error": {
        "code": "down", "message": "The servers are resting"}}))
    yield server
    server.stop()


def willing(method, path, body):
    """A backend that lets everybody in and fails at all else."""
    call = path.rsplit("/", 1)[1]
    user = {"id": "u1", "email": "x@example.com"}
    if call in ("login", "register"):
        user["email"] = json.loads(body)["email"]
        willing.user = user
        return 200, {"user": user, "session": {
            "access_token": "opaque-access-for-a-test",
            "refresh_token": "opaque-refresh-for-a-test"}}
    if call == "me":
        return 200, willing.user
    return 500, {"error": {"code": "down", "message": "Resting"}}


def pointed(page, foyer, standin, app="mystica"):
    """The app on this device, talking to the stand-in."""
    page.goto(foyer.base + "/studio/" + app)
    device = acting.device_of(page, foyer)
    acting.speak_to(foyer, device, standin.url, app)
    acting.start(page, foyer, app)
    return device


@pytest.mark.parametrize("email", ["", "a@b", "a b@c.d"])
@pytest.mark.parametrize("screen", ["login", "register"])
def test_a_bad_address_is_told_without_a_request(
        page, foyer, screen, email):
    acting.start(page, foyer)
    acting.arrive(page, "login")
    if screen == "register":
        page.get_by_test_id("login.tab.register").click()
    acting.fill(page, screen, email, MARK + "-long-enough")
    page.get_by_test_id(f"{screen}.submit").click()
    error = page.get_by_test_id(f"{screen}.email.error")
    expect(error).to_have_text("Please enter a valid email address")
    expect(error).to_have_attribute("role", "alert")
    expect(page.get_by_test_id(f"{screen}.email")).to_have_attribute(
        "aria-invalid", "true")
    assert acting.exchanges(foyer, acting.device_of(page, foyer)) == []


def test_seven_characters_are_refused_without_a_request_and_eight_are_sent(
        page, foyer, person):
    email, _ = person()
    acting.start(page, foyer)
    acting.register(page, email, "Zq7xGeh")
    expect(page.get_by_test_id("register.password.error")).to_have_text(
        "Password must be at least 8 characters")
    device = acting.device_of(page, foyer)
    assert acting.exchanges(foyer, device) == []
    acting.fill(page, "register", email, "Zq7xGehe")
    page.get_by_test_id("register.submit").click()
    acting.arrive(page, "verify")
    assert len(acting.exchanges(foyer, device, "register")) == 1


def test_editing_a_field_removes_its_error(page, foyer):
    acting.start(page, foyer)
    acting.login(page, "nonsense", "")
    expect(page.get_by_test_id("login.email.error")).to_be_visible()
    expect(page.get_by_test_id("login.password.error")).to_have_text(
        "Password is required")
    page.get_by_test_id("login.email").press_sequentially("x")
    expect(page.get_by_test_id("login.email.error")).to_have_count(0)
    expect(page.get_by_test_id("login.password.error")).to_be_visible()


def test_a_wrong_password_keeps_the_address_and_empties_the_password(
        page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.login(page, email, password + "-wrong")
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Invalid email or password")
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    expect(page.get_by_test_id("login.password")).to_have_value("")
    expect(page.get_by_test_id("login.submit")).to_be_enabled()


def test_a_short_password_is_sent_at_login(page, foyer, person):
    email, _ = person()
    acting.start(page, foyer)
    acting.login(page, email, "Zq7")
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Invalid email or password")
    device = acting.device_of(page, foyer)
    assert len(acting.exchanges(foyer, device, "login")) == 1


def test_a_taken_address_keeps_the_whole_form(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.register(page, email, password)
    expect(page.get_by_test_id("register.error")).to_have_text(
        "An account with this email already exists")
    expect(page.get_by_test_id("register.email")).to_have_value(email)
    expect(page.get_by_test_id("register.password")).to_have_value(password)


def test_an_unverified_person_is_asked_to_verify(page, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    acting.start(page, foyer)
    acting.login(page, email, password)
    acting.arrive(page, "verify")
    expect(page.locator("body")).to_contain_text("verify your email",
                                                 ignore_case=True)
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text(
        "Verification email sent")


def test_a_failing_resend_says_the_same(page, foyer, person, standin):
    standin.script = willing
    email, password = person()
    pointed(page, foyer, standin)
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text(
        "Verification email sent")
    assert ("POST", "/api/v1/auth/resend-verification") in standin.calls


def test_the_eye_shows_and_hides_the_password(page, foyer):
    acting.start(page, foyer)
    acting.fill(page, "login", "a@b.c", MARK)
    field = page.get_by_test_id("login.password")
    eye = page.get_by_test_id("login.password.reveal")
    expect(eye).to_have_accessible_name("Show password")
    eye.click()
    expect(field).to_have_attribute("type", "text")
    expect(eye).to_have_accessible_name("Hide password")
    eye.click()
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_value(MARK)


def test_a_double_click_sends_one_request(page, foyer, person, standin):
    email, password = person()
    device = pointed(page, foyer, standin)
    acting.fill(page, "login", email, password)
    # The script is there once the eye is.
    expect(page.get_by_test_id("login.password.reveal")).to_be_visible()
    standin.hold()
    # The page itself tells how it rests: while its next one is awaited,
    # nothing can be asked of it from outside.
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const part = n => document.querySelector(
                `[data-testid='login.${n}']`);
            console.log(JSON.stringify({
                busy: target.getAttribute('aria-busy'),
                rests: ['email', 'password', 'submit'].map(
                    n => part(n).matches(':disabled')),
                spinner: part('submit').querySelector('.spinner')
                    .checkVisibility({visibilityProperty: true}),
            }));
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("login.submit").dblclick(no_wait_after=True)
    assert json.loads(told.value.text) == {
        "busy": "true", "rests": [True, True, True], "spinner": True}
    assert standin.wait_for(1)
    standin.release()
    expect(page.get_by_test_id("login.error")).to_be_visible()
    assert len(standin.calls) == 1
    assert len(acting.exchanges(foyer, device, "login")) == 1


def test_the_servers_own_words_are_shown(page, foyer, person, standin):
    email, password = person()
    pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "The servers are resting")


def test_a_backends_markup_is_text(page, foyer, person, standin):
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    standin.script = lambda *_: (500, {"error": {
        "code": evil, "message": evil}})
    page.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    email, password = person()
    pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(evil)
    page.goto(foyer.base + "/studio/mystica")
    expect(page.get_by_test_id("exchanges.row").first).to_be_visible()
    page.goto(foyer.base + "/traffic")
    page.get_by_test_id("traffic.row").first.get_by_role(
        "link").first.click()
    expect(page.get_by_test_id("exchange.answer.body")).to_contain_text(
        "onerror=alert(1)")
    assert page.locator("img[src=x]").count() == 0


def test_typed_markup_is_text(page, foyer):
    evil = "\"><script>alert(1)</script>@x.y"
    page.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    acting.start(page, foyer)
    acting.login(page, evil, MARK)
    expect(page.get_by_test_id("login.email")).to_have_value(evil)


def test_an_answer_that_is_no_json_is_told(page, foyer, person, standin):
    standin.script = lambda *_: (200, "It works!")
    email, password = person()
    pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Invalid response from server. Please try again.")


def test_a_dead_server_is_no_wrong_password(page, foyer, person, standin):
    email, password = person()
    pointed(page, foyer, standin)
    standin.stop()
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_be_visible()
    said = page.get_by_test_id("login.error").inner_text()
    assert said in (
        "Could not reach the server. Please try again.",
        "No internet connection. Please check your network and try again.")


def test_a_launch_without_a_server_keeps_the_tokens_and_offers_a_retry(
        visitors, foyer, person, standin):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    acting.speak_to(foyer, device, standin.url)
    standin.stop()
    acting.relaunch(page, foyer)
    expect(page.get_by_test_id("splash.error")).to_be_visible()
    keys = {i["key"] for i in foyer.api("GET", place)["storage"]}
    assert "mystica_access_token" in keys
    foyer.api("PATCH", place, {"backend": "embedded"})
    page.get_by_test_id("splash.retry").click()
    acting.signed_in(page, email)


def test_cancelling_the_logout_sends_nothing(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    page.get_by_test_id("map.settings").click()
    page.get_by_test_id("settings.logout").click()
    dialog = page.get_by_test_id("settings.logout.dialog")
    expect(dialog).to_contain_text("Are you sure you want to logout?")
    page.get_by_test_id("settings.logout.cancel").click()
    expect(dialog).to_have_count(0)
    page.get_by_test_id("settings.logout").click()
    expect(page.get_by_test_id("settings.logout.cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert acting.exchanges(foyer, device, "logout") == []
    acting.relaunch(page, foyer)
    acting.signed_in(page, email)


def test_a_logout_the_server_refuses_is_a_logout(
        page, foyer, person, standin):
    standin.script = willing
    email, password = person()
    device = pointed(page, foyer, standin)
    acting.login(page, email, password)
    acting.signed_in(page, email)
    acting.logout(page)
    assert ("POST", "/api/v1/auth/logout") in standin.calls
    state = foyer.api("GET", f"/api/devices/{device}/apps/mystica")
    assert [i for i in state["storage"]
            if i["key"].startswith("mystica_")] == []


def test_a_login_by_keyboard_alone(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.arrive(page, "login")

    def tab_to(name):
        for _ in range(25):
            here = page.evaluate(
                "document.activeElement?.dataset.testid ?? ''")
            if here == name:
                # What has the focus is seen to have it.
                seen = page.evaluate("""() => {
                    const s = getComputedStyle(document.activeElement);
                    const box = document.activeElement.closest('.field-box');
                    const b = box ? getComputedStyle(box) : s;
                    return s.outlineStyle !== 'none'
                        || s.boxShadow !== 'none' || b.boxShadow !== 'none'
                        || b.outlineStyle !== 'none';
                }""")
                assert seen, f"{name} does not show its focus"
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("login.email")
    page.keyboard.type(email)
    tab_to("login.password")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    acting.signed_in(page, email)
    tab_to("map.settings")
    page.keyboard.press("Enter")
    acting.arrive(page, "settings")
    tab_to("settings.logout")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.logout.cancel")).to_be_focused()
    tab_to("settings.logout.confirm")
    page.keyboard.press("Enter")
    acting.arrive(page, "login")


def test_the_form_is_at_most_400_wide_and_centred(page, foyer):
    acting.start(page, foyer)
    acting.arrive(page, "login")
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    middle = box["x"] + box["width"] / 2
    assert abs(middle - 640) <= 2


def test_every_target_is_44_points_high(page, foyer, person):
    acting.start(page, foyer)
    acting.arrive(page, "login")
    for name in ["login.tab.register", "login.tab.login", "login.email",
                 "login.password", "login.password.reveal", "login.submit"]:
        control = page.get_by_test_id(name)
        box = control.locator("xpath=ancestor-or-self::*["
                              "contains(@class,'field-box')]"
                              ).first.bounding_box() \
            if name in ("login.email", "login.password") \
            else control.bounding_box()
        assert box["height"] >= 44, name


def test_a_wrong_address_gets_a_page_that_helps(visitors, foyer):
    visitors.expect("404")
    page = visitors.device(foyer)
    for path in ["/nowhere", "/apps/nobody/", "/apps/mystica/nowhere",
                 "/sessions/ses_nobody", "/traffic/exc_nobody",
                 "/mailbox/mail_nobody"]:
        answer = page.goto(foyer.base + path)
        assert answer.status == 404, path
        expect(page.get_by_test_id("error.title")).to_be_visible()
        expect(page.get_by_test_id("error.home")).to_be_visible()
