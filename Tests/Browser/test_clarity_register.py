"""The page of CLARITY Pulse's registration.

`ClarityFormTests.swift`, `ClarityTests.swift` and `ClarityResumeTests.swift` test its rules, its
three calls and the messages for Firebase's errors.
"""

import acting
import pulse
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401


def open_registration(page, foyer, firebase):
    device = pulse.start_with_backend(page, foyer, firebase.server)
    acting.expect_screen(page, "login")
    page.get_by_test_id("login.register").click()
    acting.expect_screen(page, "register")
    return device


def test_weak_passwords_and_mismatches_show_while_typing(page, foyer, firebase, person):
    email, password = person()
    open_registration(page, foyer, firebase)
    field = page.get_by_test_id("register.password")
    error = page.get_by_test_id("register.password.error")
    field.press_sequentially("abc")
    expect(error).to_have_text("Password must contain at least one uppercase letter")
    field.fill("ABC")
    expect(error).to_have_text("Password must contain at least one lowercase letter")
    field.fill("Abc")
    expect(error).to_have_text("Password must contain at least one number")
    field.fill(password)
    expect(error).to_have_count(0)
    confirmation = page.get_by_test_id("register.confirm")
    confirmation.press_sequentially("x")
    expect(page.get_by_test_id("register.confirm.error")).to_have_text("Passwords do not match")
    # An empty password is no mismatch.
    field.fill("")
    expect(page.get_by_test_id("register.confirm.error")).to_have_count(0)
    field.fill(password)
    confirmation.fill(password)
    expect(page.locator(".field-error")).to_have_count(0)


def test_the_input_stays_until_all_three_calls_succeed(page, foyer, firebase, person):
    email, password = person()
    device = open_registration(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.fill_register(page, email, password, last="")
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text("All fields are required.")
    # The input is still there, and nothing was sent.
    expect(page.get_by_test_id("register.email")).to_have_value(email)
    assert acting.exchanges(foyer, device) == []
    page.get_by_test_id("register.lastName").fill("Quinn")
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text(
        "We couldn't finish creating your account. Please try again."
    )
    assert email in firebase.people and firebase.mails == []
    # The passwords are still filled in: one press is enough.
    page.get_by_test_id("register.submit").click()
    pulse.close_alert(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == ["createUser", "registerProfile", "registerProfile", "sendVerification"]


def test_a_switchs_label_links_to_the_accepted_text(page, foyer, firebase):
    open_registration(page, foyer, firebase)
    for name in ["terms", "privacy"]:
        url = f"https://clarity.health/{name}"
        link = page.get_by_test_id(f"register.{name}.link")
        expect(link).to_have_attribute("href", url)
        page.context.route(url, lambda route: route.fulfill(body="terms"))
        with page.context.expect_page() as tab:
            link.click()
        tab.value.wait_for_url(url)
        tab.value.close()
        # The link does not toggle the switch; the rest of the label does.
        expect(page.get_by_test_id(f"register.{name}")).not_to_be_checked()
        page.get_by_test_id(f"register.{name}").check()
        expect(page.get_by_test_id(f"register.{name}")).to_be_checked()


def test_links_at_the_top_and_the_end_lead_to_the_login(page, foyer, firebase):
    open_registration(page, foyer, firebase)
    for name in ["register.back", "register.login"]:
        page.get_by_test_id(name).click()
        acting.expect_screen(page, "login")
        page.get_by_test_id("login.register").click()
        acting.expect_screen(page, "register")


def test_the_form_is_disabled_while_registering(page, foyer, firebase, person):
    email, password = person()
    open_registration(page, foyer, firebase)
    pulse.fill_register(page, email, password)
    pending = acting.press_twice(page, "register.submit", firebase.server)
    assert pending["disabled"] and pending["spinning"]
    pulse.close_alert(page)
