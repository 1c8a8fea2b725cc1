"""Anonymous Wall from registration to logout."""

import json

import acting
import anonymous
from anonymous import wall_backend  # noqa: F401
from playwright.sync_api import expect


def test_register_sign_in_with_a_code_relaunch_and_log_out(page, foyer, wall_backend, person):
    email, _ = person()
    device = anonymous.start_with_backend(page, foyer, wall_backend)
    expect(page.get_by_test_id("landing.register")).to_have_text("Get Started")
    expect(page.get_by_test_id("landing.login")).to_have_text("Login")
    anonymous.register(page, email)
    assert wall_backend.requests == [("/auth/register", {"email": email})]

    code = wall_backend.code(email)
    anonymous.login(page, code)
    anonymous.expect_signed_in(page, email)
    assert wall_backend.bodies_of("/auth/login") == [{"email": email, "verification_code": code}]

    # A cold start restores the session without a form or a request for it.
    count = len(wall_backend.requests)
    anonymous.relaunch(page, foyer)
    anonymous.expect_signed_in(page, email)
    assert len(wall_backend.requests) == count

    anonymous.press(page, "wall.logout")
    acting.expect_screen(page, "landing")
    assert anonymous.stored(foyer, device) == {}
    anonymous.relaunch(page, foyer)
    acting.expect_screen(page, "landing")
    assert len(wall_backend.requests) == count


def test_a_code_requested_twice_on_the_login_signs_in(page, foyer, wall_backend, person):
    email, _ = person()
    anonymous.start_with_backend(page, foyer, wall_backend)
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    anonymous.press(page, "login.getCode")
    assert wall_backend.server.wait_for(2)
    expect(page.get_by_test_id("login.notice")).to_have_text(anonymous.SENT)
    assert wall_backend.requests == [("/auth/request-code", {"email": email})] * 2
    anonymous.login(page, wall_backend.code(email))
    anonymous.expect_signed_in(page, email)


def test_register_sign_in_and_log_out_without_scripts(browsers, foyer, wall_backend, person):
    email, _ = person()
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/studio/wall")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    anonymous.use_backend(foyer, device, wall_backend.server)

    def launch():
        acting.relaunch_in_studio(page, foyer, anonymous.APP)
        acting.expect_screen(page, "start")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.expect_screen(page, "landing")
    anonymous.to_register(page)
    # Without scripts the button is enabled, and the rules reject the form.
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
    anonymous.fill(page, "login.code", wall_backend.code(email))
    page.keyboard.press("Enter")
    anonymous.expect_signed_in(page, email)
    launch()
    anonymous.expect_signed_in(page, email)
    anonymous.press(page, "wall.logout")
    acting.expect_screen(page, "landing")
    assert anonymous.stored(foyer, device) == {}


def test_register_sign_in_and_log_out_in_the_studio(page, foyer, person):
    email, _ = person()
    view = acting.studio(page, foyer, "wall")
    acting.expect_screen(view, "landing")
    anonymous.register(view, email)
    # The code is in the mail that appears beside the phone.
    row = page.get_by_test_id("studio.mail.row").filter(has_text=email)
    expect(row).to_be_visible()
    anonymous.login(view, foyer.mail(email, "register")["code"])
    anonymous.expect_signed_in(view, email)
    for key in anonymous.ITEMS:
        expect(page.get_by_test_id(f"storage.{key}.value")).to_be_visible()
    # The inspector shows where the token is stored, not the token.
    items = anonymous.stored(foyer, acting.device_of(page, foyer))
    assert {key: item["area"] for key, item in items.items()} == anonymous.ITEMS
    token = anonymous.value(foyer, acting.device_of(page, foyer), anonymous.TOKEN)
    assert token.count(".") == 2
    assert token not in json.dumps(items) and token not in page.content()
    acting.cold_start(page)
    anonymous.expect_signed_in(view, email)
    anonymous.press(view, "wall.logout")
    acting.expect_screen(view, "landing")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
