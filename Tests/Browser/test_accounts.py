"""The embedded backend's people, as somebody who runs it changes them."""

import re

import acting
from playwright.sync_api import expect

ACCOUNTS = "/api/accounts"


def opened(page, foyer, email):
    """The page of an account, from the list."""
    page.goto(f"{foyer.base}/accounts?q={email}")
    page.get_by_test_id("accounts.user").click()
    expect(page.get_by_test_id("account.user")).to_have_text(email)
    acting.painted(page)
    return page


def do(page, act):
    """Presses an act's button and says yes."""
    page.get_by_test_id(f"account.{act}").click()
    yes = page.locator("dialog").get_by_test_id("confirm.yes")
    with page.expect_navigation():
        yes.click()


def test_somebody_added_by_hand_signs_in(visitors, foyer, person):
    email, password = person()
    desk = visitors.device(foyer)
    desk.goto(foyer.base + "/accounts")
    desk.get_by_test_id("accounts.add").click()
    form = desk.locator("dialog")
    form.get_by_test_id("add.app").select_option("mystica")
    form.get_by_test_id("add.email").fill(email)
    form.get_by_test_id("add.password").fill(password)
    form.get_by_test_id("add.submit").click()
    expect(desk.get_by_test_id("account.user")).to_have_text(email)
    expect(desk.get_by_test_id("account.state")).to_have_text("verified")

    phone = acting.start(visitors.device(foyer), foyer)
    acting.login(phone, email, password)
    acting.signed_in(phone, email)
    # The desk followed: there is a session, and it leads to the device's.
    link = desk.get_by_test_id("account.session.link")
    expect(link).to_have_text("Mystica")
    link.click()
    expect(desk.get_by_test_id("session.user")).to_have_text(email)
    desk.get_by_test_id("session.fact.link").first.click()
    expect(desk.get_by_test_id("account.user")).to_have_text(email)


def test_verifying_by_hand_lets_somebody_in(visitors, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    phone = acting.start(visitors.device(foyer), foyer)
    acting.login(phone, email, password)
    acting.arrive(phone, "verify")
    desk = opened(visitors.device(foyer), foyer, email)
    expect(desk.get_by_test_id("account.state")).to_have_text("unverified")
    do(desk, "verify")
    expect(desk.get_by_test_id("account.state")).to_have_text("verified")
    acting.start(phone, foyer)
    acting.login(acting.relaunch(phone, foyer), email, password)
    acting.signed_in(phone, email)


def test_a_locked_account_is_refused_until_it_is_unlocked(visitors, foyer, person):
    email, password = person()
    foyer.account(email, password)
    desk = opened(visitors.device(foyer), foyer, email)
    desk.get_by_test_id("account.lock").click()
    dialog = desk.locator("dialog")
    expect(dialog.get_by_test_id("act.text")).to_contain_text("429")
    dialog.get_by_test_id("act.seconds").select_option("3600")
    dialog.get_by_test_id("confirm.yes").click()
    expect(desk.get_by_test_id("account.state")).to_have_text("locked")

    phone = acting.start(visitors.device(foyer), foyer)
    acting.login(phone, email, password)
    expect(phone.get_by_test_id("login.error")).to_be_visible()
    do(desk, "unlock")
    phone.get_by_test_id("login.password").fill(password)
    phone.get_by_test_id("login.submit").click()
    acting.signed_in(phone, email)


def test_signed_out_everywhere_the_app_falls_back_to_login(visitors, foyer, person):
    phone, email, _ = acting.player(visitors, foyer, person)
    desk = opened(visitors.device(foyer), foyer, email)
    expect(desk.get_by_test_id("account.sessions")).to_have_text("2 of 2 last")
    do(desk, "sign-out")
    expect(desk.get_by_test_id("account.sessions")).to_have_text("0 of 2 last")
    acting.relaunch(phone, foyer)
    acting.arrive(phone, "login")
    expect(phone.get_by_test_id("login.error")).to_have_text("Session expired. Please login again.")


def test_a_new_password_is_the_one_that_counts(visitors, foyer, person):
    phone, email, old = acting.player(visitors, foyer, person)
    _, new = person()
    desk = opened(visitors.device(foyer), foyer, email)
    desk.get_by_test_id("account.password").click()
    field = desk.locator("dialog").get_by_test_id("act.password")
    assert field.input_value().startswith("Foyer-")
    field.fill("short")
    desk.locator("dialog").get_by_test_id("confirm.yes").click()
    visitors.refused(422, r"/accounts/[\w-]+/password")
    expect(desk.get_by_role("alert")).to_contain_text("8 characters")
    desk.get_by_test_id("act.password").fill(new)
    with desk.expect_navigation():
        desk.get_by_test_id("confirm.yes").click()
    expect(desk.get_by_test_id("account.state")).to_have_text("verified")

    acting.relaunch(phone, foyer)
    acting.login(phone, email, old)
    expect(phone.get_by_test_id("login.error")).to_be_visible()
    phone.get_by_test_id("login.password").fill(new)
    phone.get_by_test_id("login.submit").click()
    acting.signed_in(phone, email)


def test_a_disabled_account_goes_on_when_it_is_enabled(visitors, foyer, person):
    phone, email, _ = acting.player(visitors, foyer, person)
    desk = opened(visitors.device(foyer), foyer, email)
    do(desk, "disable")
    expect(desk.get_by_test_id("account.state")).to_have_text("disabled")
    do(desk, "enable")
    acting.relaunch(phone, foyer)
    acting.signed_in(phone, email)


def test_a_thousand_are_added_at_once(visitors, foyer, person):
    _, password = person()
    desk = visitors.device(foyer)
    desk.goto(foyer.base + "/accounts?app=bob")
    desk.get_by_test_id("accounts.many").click()
    form = desk.locator("dialog")
    expect(form.get_by_test_id("add.app")).to_have_value("bob")
    expect(form.get_by_test_id("many.count")).to_have_value("1000")
    form.get_by_test_id("many.domain").fill("crowd.example.com")
    form.get_by_test_id("many.password").fill(password)
    form.get_by_test_id("many.submit").click()
    expect(desk.get_by_test_id("pager.range")).to_have_text(re.compile(r"1–50 of 1,000"))
    desk.get_by_test_id("pager.older").click()
    expect(desk.get_by_test_id("pager.range")).to_have_text(re.compile(r"51–100 of 1,000"))
    name = desk.get_by_test_id("accounts.user").last.inner_text()
    # The last of them signs in like the first.
    foyer._post(f"{foyer.backend}/main/bob/api/auth/login", {"email": name, "password": password})


def test_the_list_follows_what_others_add_and_delete(visitors, foyer, person):
    email, _ = person()
    desk = visitors.device(foyer)
    desk.goto(f"{foyer.base}/accounts?q={email}")
    expect(desk.get_by_test_id("accounts.row")).to_have_count(0)
    added = foyer.api("POST", ACCOUNTS, {"app": "wall", "email": email})
    expect(desk.get_by_test_id("accounts.row")).to_have_count(1)
    foyer.api("PATCH", f"{ACCOUNTS}/{added['id']}", {"verified": False})
    expect(desk.get_by_test_id("accounts.state")).to_have_text("unverified")
    foyer.api("DELETE", f"{ACCOUNTS}/{added['id']}")
    expect(desk.get_by_test_id("accounts.row")).to_have_count(0)


def test_accounts_work_without_script(visitors, foyer, person):
    email, password = person()
    desk = visitors.device(foyer, java_script_enabled=False)
    desk.goto(foyer.base + "/accounts")
    desk.get_by_test_id("accounts.add").click()
    desk.get_by_test_id("add.app").select_option("clarity")
    desk.get_by_test_id("add.email").fill(email)
    desk.get_by_test_id("add.password").fill(password)
    desk.get_by_test_id("add.submit").click()
    expect(desk.get_by_test_id("account.user")).to_have_text(email)
    desk.get_by_test_id("account.lock").click()
    desk.get_by_test_id("confirm.yes").click()
    expect(desk.get_by_test_id("account.state")).to_have_text("locked")
    desk.get_by_test_id("account.mail").click()
    expect(desk).to_have_url(re.compile(r"/mailbox\?to="))
    desk.go_back()
    desk.get_by_test_id("account.delete").click()
    desk.get_by_test_id("confirm.yes").click()
    expect(desk).to_have_url(re.compile("/accounts$"))
    assert foyer.api("GET", f"{ACCOUNTS}?q={email}")["total"] == 0
