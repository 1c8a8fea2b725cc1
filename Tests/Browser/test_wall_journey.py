"""Anonymous Wall from the first start to the logout, in both dialects."""

import acting
import anonymous
import pytest
from anonymous import document, java  # noqa: F401
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


def test_a_code_asked_for_on_the_login_signs_in(page, foyer, document, person):
    email, _ = person()
    anonymous.pointed(page, foyer, document)
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    assert document.asked == [("/auth/request-code", {"email": email})]
    anonymous.login(page, document.code(email))
    anonymous.signed_in(page, email)


def test_a_second_code_is_asked_for_and_signs_in(page, foyer, document, person):
    email, _ = person()
    anonymous.pointed(page, foyer, document)
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    anonymous.press(page, "login.getCode")
    assert document.server.wait_for(2)
    expect(page.get_by_test_id("login.notice")).to_have_text(anonymous.SENT)
    assert len(document.asked_for("/auth/request-code")) == 2
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


def test_the_java_servers_registration(page, foyer, java, person):
    email = person()[0].replace("example.com", "mit.edu")
    device = anonymous.pointed(page, foyer, java, "campus")
    anonymous.register(page, email)
    assert java.asked == [("/email/send-code", {"email": email, "purpose": "register"})]
    code = java.code(email)
    anonymous.login(page, code)
    anonymous.signed_in(page, email)
    assert java.asked[-1] == ("/register/email", {"email": email, "code": code})
    [left] = acting.exchanges(foyer, device, "login")
    assert left["status"] == 201
    assert set(anonymous.stored(foyer, device)) == set(anonymous.ITEMS)

    # The next time a code is one to sign in with.
    anonymous.press(page, "wall.logout")
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    anonymous.login(page, java.code(email))
    anonymous.signed_in(page, email)
    assert [path for path, _ in java.asked[-2:]] == ["/email/send-code", "/login/email"]


def test_the_java_servers_refusals(page, foyer, java, person):
    email = person()[0]
    java.people["known@mit.edu"] = "u1"
    anonymous.pointed(page, foyer, java, "campus")
    anonymous.to_register(page)
    # A conflict comes without a body; the words are the app's.
    anonymous.fill(page, "register.email", "known@mit.edu")
    anonymous.press(page, "register.submit")
    expect(anonymous.error(page, "register")).to_have_text(
        "An account with this email already exists"
    )
    # A school's address is asked for only once the code is typed.
    anonymous.fill(page, "register.email", email)
    anonymous.press(page, "register.submit")
    anonymous.press(page, "alert.ok")
    anonymous.login(page, java.code(email))
    expect(anonymous.error(page)).to_have_text(
        "Only school/educational email addresses are allowed for registration"
    )
    # A code sent to sign in with, and one nobody sent.
    anonymous.fill(page, "login.email", "nobody@mit.edu")
    anonymous.press(page, "login.getCode")
    expect(anonymous.error(page)).to_have_text("Email not found")
    anonymous.get_code(page, "known@mit.edu")
    anonymous.login(page, "x")
    expect(anonymous.error(page)).to_have_text("Invalid or expired code")
    java.expire()
    anonymous.login(page, java.code("known@mit.edu"))
    expect(anonymous.error(page)).to_have_text("Code has expired")
    java.say("/login/email", (500, "no JSON"), java.malformed)
    anonymous.press(page, "login.submit")
    expect(anonymous.error(page)).to_have_text("Invalid response from server")
    anonymous.press(page, "login.submit")
    expect(anonymous.error(page)).to_have_text("Bad Request")


@pytest.mark.parametrize("backend", ["embedded", "campusEmbedded"])
def test_the_embedded_backend_mails_the_code(page, foyer, person, backend):
    email = person()[0]
    if backend == "campusEmbedded":
        email = email.replace("example.com", "mit.edu")
    page.goto(f"{foyer.base}/studio/wall")
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", anonymous.place(device), {"backend": backend})
    anonymous.start(page, foyer)
    anonymous.register(page, email)
    anonymous.login(page, mailed(foyer, email, "register"))
    anonymous.signed_in(page, email)
    anonymous.press(page, "wall.logout")
    anonymous.to_login(page)
    anonymous.get_code(page, email)
    anonymous.login(page, "000000x")
    expect(anonymous.error(page)).to_be_visible()
    anonymous.login(page, mailed(foyer, email, "login"))
    anonymous.signed_in(page, email)

    # Who registers again is told that there is no need to.
    anonymous.press(page, "wall.logout")
    anonymous.to_register(page)
    anonymous.fill(page, "register.email", email)
    anonymous.press(page, "register.submit")
    expect(anonymous.error(page, "register")).to_have_text(
        "An account with this email already exists"
    )


def test_the_whole_journey_in_the_studio(page, foyer, person):
    email, _ = person()
    view = acting.studio(page, foyer, "wall")
    acting.arrive(view, "landing")
    anonymous.register(view, email)
    # The code is in the mail that appears beside the phone.
    row = page.get_by_test_id("studio.mail.row").filter(has_text=email)
    expect(row).to_be_visible()
    anonymous.login(view, mailed(foyer, email, "register"))
    anonymous.signed_in(view, email)
    for key in anonymous.ITEMS:
        expect(page.get_by_test_id(f"storage.{key}.value")).to_be_visible()
    acting.cold_start(page)
    anonymous.signed_in(view, email)
    anonymous.press(view, "wall.logout")
    acting.arrive(view, "landing")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()


def mailed(foyer, email, purpose):
    """The code of the newest caught mail."""
    return foyer.mail(email, purpose)["code"]
