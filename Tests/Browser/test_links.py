"""Links with an app's own URL scheme, and URLs of protected screens."""

import acting
import socoto
from playwright.sync_api import expect

LINK = "socoto://edit"


def open_link(page, link):
    page.get_by_test_id("studio.launches").click()
    page.get_by_test_id("studio.link").click()
    page.get_by_test_id("link").fill(link)
    page.get_by_test_id("link.open").click()


def test_the_studio_opens_a_link_after_the_sign_in(page, foyer, person):
    email, password = person()
    phone = acting.studio(page, foyer, socoto.APP)
    socoto.to_signup(phone)
    open_link(page, LINK)
    acting.expect_screen(phone, "signup")
    expect(page.get_by_test_id("studio.linked")).to_have_text("Opens edit after the sign-in")
    foyer.api("POST", "/api/accounts", {"app": socoto.APP, "email": email, "password": password})
    socoto.press(phone, "signup.signin")
    socoto.login(phone, email, password)
    acting.expect_screen(phone, "edit")
    expect(page.get_by_test_id("studio.linked")).to_have_count(0)


def test_a_link_of_another_app_is_an_error_in_the_dialog(page, foyer, browsers):
    browsers.expect_status(422, "/studio/socoto/link")
    browsers.expect_status(404, "/studio/socoto/link")
    phone = acting.studio(page, foyer, socoto.APP)
    acting.expect_screen(phone, "welcome")
    open_link(page, "bob://settings")
    expect(page.get_by_role("alert")).to_contain_text("Its links begin with socoto://")
    expect(page.get_by_test_id("link")).to_have_value("bob://settings")
    page.get_by_test_id("link").fill("socoto://castle")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Socoto has no screen castle")
    page.keyboard.press("Escape")
    acting.expect_screen(phone, "welcome")


def test_without_scripts_the_url_of_a_protected_screen_is_opened_after_the_sign_in(
    browsers, foyer, person
):
    email, password = person()
    foyer.api("POST", "/api/accounts", {"app": socoto.APP, "email": email, "password": password})
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/apps/{socoto.APP}/edit")
    socoto.to_signin(page)
    socoto.login(page, email, password)
    acting.expect_screen(page, "edit")


def test_without_scripts_the_studio_s_page_opens_a_link(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/studio/{socoto.APP}/link")
    page.get_by_test_id("link").fill("socoto://signup")
    page.get_by_test_id("link.open").click()
    expect(page).to_have_url(f"{foyer.base}/studio/{socoto.APP}")
    page.goto(f"{foyer.base}/apps/{socoto.APP}")
    acting.expect_screen(page, "signup")
