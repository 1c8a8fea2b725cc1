"""Anonymous Wall from the first start to the logout."""

import json

import acting
import anonymous
from anonymous import document  # noqa: F401
from playwright.sync_api import expect


def test_from_the_registration_to_the_logout(page, foyer, document, person):
    email, _ = person()
    device = anonymous.pointed(page, foyer, document)
    expect(page.get_by_test_id("landing.register")).to_have_text("Get Started")
    expect(page.get_by_test_id("landing.login")).to_have_text("Login")
    anonymous.register(page, email)
    assert document.asked == [("/auth/register", {"email": email})]

    code = document.code(email)
    anonymous.login(page, code)
    anonymous.signed_in(page, email)
    assert document.asked_for("/auth/login") == [{"email": email, "verification_code": code}]

    # A cold start finds the session: no form, and nobody is asked.
    asked = len(document.asked)
    anonymous.relaunch(page, foyer)
    anonymous.signed_in(page, email)
    assert len(document.asked) == asked

    anonymous.press(page, "wall.logout")
    acting.arrive(page, "landing")
    assert anonymous.stored(foyer, device) == {}
    anonymous.relaunch(page, foyer)
    acting.arrive(page, "landing")
    assert len(document.asked) == asked


def test_a_code_asked_for_twice_on_the_login_signs_in(page, foyer, document, person):
    email, _ = person()
    anonymous.pointed(page, foyer, document)
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    anonymous.press(page, "login.getCode")
    assert document.server.wait_for(2)
    expect(page.get_by_test_id("login.notice")).to_have_text(anonymous.SENT)
    assert document.asked == [("/auth/request-code", {"email": email})] * 2
    anonymous.login(page, document.code(email))
    anonymous.signed_in(page, email)


def test_the_whole_journey_without_scripts(visitors, foyer, document, person):
    email, _ = person()
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/studio/wall")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    anonymous.point(foyer, device, document.server)

    def launch():
        acting.relaunch_in_studio(page, foyer, anonymous.APP)
        acting.arrive(page, "start")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.arrive(page, "landing")
    anonymous.to_register(page)
    # Without scripts the button can be pressed, and the rules answer.
    anonymous.press(page, "register.submit")
    expect(page.get_by_test_id("register.email.error")).to_have_text(anonymous.INVALID)
    anonymous.press(page, "register.login")
    anonymous.press(page, "login.register")
    anonymous.fill(page, "register.email", email)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert")).to_contain_text(anonymous.CHECK)
    anonymous.press(page, "alert.ok")
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    anonymous.get_code(page, email)
    # Return is the primary action, not the button that comes first.
    anonymous.fill(page, "login.code", document.code(email))
    page.keyboard.press("Enter")
    anonymous.signed_in(page, email)
    launch()
    anonymous.signed_in(page, email)
    anonymous.press(page, "wall.logout")
    acting.arrive(page, "landing")
    assert anonymous.stored(foyer, device) == {}


def test_the_whole_journey_in_the_studio(page, foyer, person):
    email, _ = person()
    view = acting.studio(page, foyer, "wall")
    acting.arrive(view, "landing")
    anonymous.register(view, email)
    # The code is in the mail that appears beside the phone.
    row = page.get_by_test_id("studio.mail.row").filter(has_text=email)
    expect(row).to_be_visible()
    anonymous.login(view, foyer.mail(email, "register")["code"])
    anonymous.signed_in(view, email)
    for key in anonymous.ITEMS:
        expect(page.get_by_test_id(f"storage.{key}.value")).to_be_visible()
    # The inspector shows where the token lies, and not the token.
    items = anonymous.stored(foyer, acting.device_of(page, foyer))
    assert {key: item["area"] for key, item in items.items()} == anonymous.ITEMS
    token = anonymous.value(foyer, acting.device_of(page, foyer), anonymous.TOKEN)
    assert token.count(".") == 2
    assert token not in json.dumps(items) and token not in page.content()
    acting.cold_start(page)
    anonymous.signed_in(view, email)
    anonymous.press(view, "wall.logout")
    acting.arrive(view, "landing")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
