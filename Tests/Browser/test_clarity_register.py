"""CLARITY Pulse's registration, as its page shows it.

Its rules, its three calls and the words for what Firebase says are told by
`ClarityFormTests.swift`, `ClarityTests.swift` and `ClarityResumeTests.swift`.
"""

import acting
import pulse
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401


def opened(page, foyer, firebase):
    device = pulse.pointed(page, foyer, firebase.server)
    acting.arrive(page, "login")
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    return device


def test_strength_and_mismatch_are_told_while_typing(page, foyer, firebase, person):
    email, password = person()
    opened(page, foyer, firebase)
    field = page.get_by_test_id("register.password")
    said_of = page.get_by_test_id("register.password.error")
    field.press_sequentially("abc")
    expect(said_of).to_have_text("Password must contain at least one uppercase letter")
    field.fill("ABC")
    expect(said_of).to_have_text("Password must contain at least one lowercase letter")
    field.fill("Abc")
    expect(said_of).to_have_text("Password must contain at least one number")
    field.fill(password)
    expect(said_of).to_have_count(0)
    again = page.get_by_test_id("register.confirm")
    again.press_sequentially("x")
    expect(page.get_by_test_id("register.confirm.error")).to_have_text("Passwords do not match")
    # Nothing to compare with is no mismatch.
    field.fill("")
    expect(page.get_by_test_id("register.confirm.error")).to_have_count(0)
    field.fill(password)
    again.fill(password)
    expect(page.locator(".field-error")).to_have_count(0)


def test_what_was_typed_stays_until_all_three_calls_are_done(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.fill_register(page, email, password, last="")
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text("All fields are required.")
    # Everything typed is still there, and nothing was sent.
    expect(page.get_by_test_id("register.email")).to_have_value(email)
    assert acting.exchanges(foyer, device) == []
    page.get_by_test_id("register.lastName").fill("Quinn")
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text(
        "We couldn't finish creating your account. Please try again."
    )
    assert email in firebase.people and firebase.mails == []
    # The passwords stand there still: one press is enough.
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == ["createUser", "registerProfile", "registerProfile", "sendVerification"]


def test_a_toggles_words_lead_to_what_is_accepted(page, foyer, firebase):
    opened(page, foyer, firebase)
    for name in ["terms", "privacy"]:
        accepted = f"https://clarity.health/{name}"
        link = page.get_by_test_id(f"register.{name}.link")
        expect(link).to_have_attribute("href", accepted)
        page.context.route(accepted, lambda route: route.fulfill(body="terms"))
        with page.context.expect_page() as tab:
            link.click()
        tab.value.wait_for_url(accepted)
        tab.value.close()
        # The link is no switch, the rest of the label is.
        expect(page.get_by_test_id(f"register.{name}")).not_to_be_checked()
        page.get_by_test_id(f"register.{name}").check()
        expect(page.get_by_test_id(f"register.{name}")).to_be_checked()


def test_the_way_to_the_login_is_at_the_top_and_at_the_end(page, foyer, firebase):
    opened(page, foyer, firebase)
    for name in ["register.back", "register.login"]:
        page.get_by_test_id(name).click()
        acting.arrive(page, "login")
        page.get_by_test_id("login.register").click()
        acting.arrive(page, "register")


def test_while_it_registers_the_whole_form_rests(page, foyer, firebase, person):
    email, password = person()
    opened(page, foyer, firebase)
    pulse.fill_register(page, email, password)
    resting = acting.press_twice(page, "register.submit", firebase.server)
    assert resting["rests"] and resting["spins"]
    pulse.answer_alert(page)
