"""The accounts of the embedded backend, changed on the console's pages."""

import re

import acting
import pytest
from playwright.sync_api import expect
from supabase import create_client
from supabase_auth.errors import AuthWeakPasswordError

ACCOUNTS = "/api/accounts"


def supabase_client(foyer):
    project = foyer.api("GET", "/api/backend")["clients"]["supabase"]
    return create_client(project["url"], project["anonKey"])


def open_account(page, foyer, email):
    """Opens the page of an account from the list."""
    page.goto(f"{foyer.base}/accounts?q={email}")
    page.get_by_test_id("accounts.user").click()
    expect(page.get_by_test_id("account.user")).to_have_text(email)
    acting.wait_for_styles(page)
    return page


def confirm_action(page, action):
    """Presses an action's button and confirms it."""
    page.get_by_test_id(f"account.{action}").click()
    confirm = page.locator("dialog").get_by_test_id("confirm.yes")
    with page.expect_navigation():
        confirm.click()


def test_an_account_added_on_the_page_signs_in(browsers, foyer, person):
    email, password = person()
    console = browsers.device(foyer)
    console.goto(foyer.base + "/accounts")
    console.get_by_test_id("accounts.add").click()
    form = console.locator("dialog")
    form.get_by_test_id("add.app").select_option("mystica")
    form.get_by_test_id("add.email").fill(email)
    form.get_by_test_id("add.password").fill(password)
    form.get_by_test_id("add.submit").click()
    expect(console.get_by_test_id("account.user")).to_have_text(email)
    expect(console.get_by_test_id("account.state")).to_have_text("Verified")

    phone = acting.start(browsers.device(foyer), foyer)
    acting.login(phone, email, password)
    acting.expect_signed_in(phone, email)
    # The account's page updates live: it shows the session, with a link to the device's session
    # page.
    link = console.get_by_test_id("account.session.link")
    expect(link).to_have_text("Mystica")
    link.click()
    expect(console.get_by_test_id("session.user")).to_have_text(email)
    console.get_by_test_id("session.fact.link").first.click()
    expect(console.get_by_test_id("account.user")).to_have_text(email)


def test_an_account_verified_on_the_page_signs_in(browsers, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    phone = acting.start(browsers.device(foyer), foyer)
    acting.login(phone, email, password)
    acting.expect_screen(phone, "verify")
    console = open_account(browsers.device(foyer), foyer, email)
    expect(console.get_by_test_id("account.state")).to_have_text("Unverified")
    confirm_action(console, "verify")
    expect(console.get_by_test_id("account.state")).to_have_text("Verified")
    acting.start(phone, foyer)
    acting.login(acting.relaunch(phone, foyer), email, password)
    acting.expect_signed_in(phone, email)


def test_a_locked_account_is_refused_until_it_is_unlocked(browsers, foyer, person):
    email, password = person()
    foyer.account(email, password)
    console = open_account(browsers.device(foyer), foyer, email)
    console.get_by_test_id("account.lock").click()
    dialog = console.locator("dialog")
    expect(dialog.get_by_test_id("action.text")).to_contain_text("429")
    dialog.get_by_test_id("action.seconds").select_option("3600")
    dialog.get_by_test_id("confirm.yes").click()
    expect(console.get_by_test_id("account.state")).to_have_text("Locked")

    phone = acting.start(browsers.device(foyer), foyer)
    acting.login(phone, email, password)
    expect(phone.get_by_test_id("login.error")).to_be_visible()
    confirm_action(console, "unlock")
    phone.get_by_test_id("login.password").fill(password)
    phone.get_by_test_id("login.submit").click()
    acting.expect_signed_in(phone, email)


def test_signing_out_everywhere_returns_the_app_to_the_login(browsers, foyer, person):
    phone, email, _ = acting.signed_in_device(browsers, foyer, person)
    console = open_account(browsers.device(foyer), foyer, email)
    expect(console.get_by_test_id("account.sessions")).to_have_text("2 of 2 active")
    confirm_action(console, "sign-out")
    expect(console.get_by_test_id("account.sessions")).to_have_text("0 of 2 active")
    acting.relaunch(phone, foyer)
    acting.expect_screen(phone, "login")
    expect(phone.get_by_test_id("login.error")).to_have_text("Session expired. Please login again.")


def test_a_new_password_replaces_the_old_one(browsers, foyer, person):
    phone, email, old = acting.signed_in_device(browsers, foyer, person)
    _, new = person()
    console = open_account(browsers.device(foyer), foyer, email)
    console.get_by_test_id("account.password").click()
    field = console.locator("dialog").get_by_test_id("action.password")
    assert field.input_value().startswith("Foyer-")
    field.fill("short")
    console.locator("dialog").get_by_test_id("confirm.yes").click()
    browsers.expect_status(422, r"/accounts/[\w-]+/password")
    expect(console.get_by_role("alert")).to_contain_text("8 characters")
    console.get_by_test_id("action.password").fill(new)
    with console.expect_navigation():
        console.get_by_test_id("confirm.yes").click()
    expect(console.get_by_test_id("account.state")).to_have_text("Verified")

    acting.relaunch(phone, foyer)
    acting.login(phone, email, old)
    expect(phone.get_by_test_id("login.error")).to_be_visible()
    phone.get_by_test_id("login.password").fill(new)
    phone.get_by_test_id("login.submit").click()
    acting.expect_signed_in(phone, email)


def test_a_disabled_account_resumes_its_session_when_enabled(browsers, foyer, person):
    phone, email, _ = acting.signed_in_device(browsers, foyer, person)
    console = open_account(browsers.device(foyer), foyer, email)
    confirm_action(console, "disable")
    expect(console.get_by_test_id("account.state")).to_have_text("Disabled")
    confirm_action(console, "enable")
    acting.relaunch(phone, foyer)
    acting.expect_signed_in(phone, email)


def test_a_thousand_accounts_are_added_at_once(browsers, foyer, person):
    _, password = person()
    console = browsers.device(foyer)
    console.goto(foyer.base + "/accounts?app=bob")
    console.get_by_test_id("accounts.bulk").click()
    form = console.locator("dialog")
    expect(form.get_by_test_id("add.app")).to_have_value("bob")
    expect(form.get_by_test_id("bulk.count")).to_have_value("1000")
    form.get_by_test_id("bulk.domain").fill("crowd.example.com")
    form.get_by_test_id("bulk.password").fill(password)
    form.get_by_test_id("bulk.submit").click()
    expect(console.get_by_test_id("pager.range")).to_have_text(re.compile(r"1–50 of 1,000"))
    console.get_by_test_id("pager.older").click()
    expect(console.get_by_test_id("pager.range")).to_have_text(re.compile(r"51–100 of 1,000"))
    name = console.get_by_test_id("accounts.user").last.inner_text()
    # The last account of the page can sign in.
    foyer._post(f"{foyer.backend}/main/bob/api/auth/login", {"email": name, "password": password})


def test_the_list_follows_changes_made_by_the_api(browsers, foyer, person):
    email, _ = person()
    console = browsers.device(foyer)
    console.goto(f"{foyer.base}/accounts?q={email}")
    expect(console.get_by_test_id("accounts.row")).to_have_count(0)
    added = foyer.api("POST", ACCOUNTS, {"app": "wall", "email": email})
    expect(console.get_by_test_id("accounts.row")).to_have_count(1)
    foyer.api("PATCH", f"{ACCOUNTS}/{added['id']}", {"verified": False})
    expect(console.get_by_test_id("accounts.state")).to_have_text("Unverified")
    foyer.api("DELETE", f"{ACCOUNTS}/{added['id']}")
    expect(console.get_by_test_id("accounts.row")).to_have_count(0)


def test_second_factors_and_metadata_are_changed_on_the_page(browsers, foyer, person):
    email, password = person()
    foyer.api("POST", ACCOUNTS, {"app": "socoto", "email": email, "password": password})
    client = supabase_client(foyer)
    client.auth.sign_in_with_password({"email": email, "password": password})
    client.auth.mfa.enroll({"factor_type": "totp", "friendly_name": "My phone"})
    page = open_account(browsers.device(foyer), foyer, email)

    factor = page.get_by_test_id("account.factor")
    expect(factor).to_contain_text("My phone")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        expect(factor.get_by_test_id("account.factor.code")).to_have_text(re.compile(r"^\d{6}$"))
        expect(factor.get_by_test_id("account.factor.code")).to_be_visible()
    factor.get_by_role("link", name="Remove My phone").click()
    page.locator("dialog").get_by_test_id("confirm.yes").click()
    expect(factor).to_have_count(0)

    page.get_by_role("link", name="Edit user_metadata").click()
    text = page.get_by_test_id("metadata.json")
    text.fill('{"team": ')
    browsers.expect_status(422, "/accounts/.*/metadata/user_metadata")
    page.get_by_test_id("metadata.save").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(text).to_have_value('{"team": ')
    text.fill('{"team": "blue"}')
    page.get_by_test_id("metadata.save").click()
    expect(page.get_by_test_id("account.metadata.user_metadata")).to_contain_text('"team": "blue"')
    assert client.auth.get_user().user.user_metadata == {"team": "blue"}
    assert client.auth.mfa.list_factors().all == []


def test_a_switch_of_a_contract_is_changed_with_the_keyboard(browsers, foyer, person):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/backend")
    page.get_by_role("link", name="Socoto").click()
    row = page.get_by_test_id("backend.switch.sixCharacterPasswords")
    expect(row).to_contain_text("Off")
    credentials = {"email": person()[0], "password": "sixsix"}
    with pytest.raises(AuthWeakPasswordError):
        supabase_client(foyer).auth.sign_up(credentials)
    row.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(row.get_by_text("On", exact=True)).to_be_visible()
    assert supabase_client(foyer).auth.sign_up(credentials).user.email == credentials["email"]
    # The server's tests share it.
    row.get_by_role("button").press("Enter")
    expect(row.get_by_text("Off", exact=True)).to_be_visible()


def test_accounts_work_without_scripts(browsers, foyer, person):
    email, password = person()
    console = browsers.device(foyer, java_script_enabled=False)
    console.goto(foyer.base + "/accounts")
    console.get_by_test_id("accounts.add").click()
    console.get_by_test_id("add.app").select_option("clarity")
    console.get_by_test_id("add.email").fill(email)
    console.get_by_test_id("add.password").fill(password)
    console.get_by_test_id("add.submit").click()
    expect(console.get_by_test_id("account.user")).to_have_text(email)
    console.get_by_test_id("account.lock").click()
    console.get_by_test_id("confirm.yes").click()
    expect(console.get_by_test_id("account.state")).to_have_text("Locked")
    console.get_by_test_id("account.mail").click()
    expect(console).to_have_url(re.compile(r"/mailbox\?to="))
    console.go_back()
    console.get_by_test_id("account.delete").click()
    console.get_by_test_id("confirm.yes").click()
    expect(console).to_have_url(re.compile("/accounts$"))
    assert foyer.api("GET", f"{ACCOUNTS}?q={email}")["total"] == 0
