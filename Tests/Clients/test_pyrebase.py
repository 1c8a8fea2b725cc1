"""pyrebase4 from PyPI against the embedded backend.

The client uses Google's https URLs, so its requests are redirected.
"""

import itertools
import json
import urllib.parse
import urllib.request

import pyrebase
import pytest
import requests
from foyer import MARK
from redirect import redirect_to

numbers = itertools.count(1)


@pytest.fixture
def auth(foyer, monkeypatch):
    """The client's `auth()`, configured with the settings that the console reports."""
    settings = foyer.api("GET", "/api/backend")["clients"]["firebase"]
    redirect_to(settings["emulatorHost"], monkeypatch)
    return pyrebase.initialize_app(
        {
            "apiKey": settings["apiKey"],
            "storageBucket": "unused",
            "authDomain": f"{settings['projectId']}.firebaseapp.com",
            "databaseURL": f"https://{settings['projectId']}.firebaseio.com",
        }
    ).auth()


@pytest.fixture
def credentials():
    number = next(numbers)
    return f"pyrebase-{number}@example.com", f"{MARK}-pyrebase-{number}"


def error_message(call, *arguments):
    """Calls a function that fails, and returns the message of Google's error."""
    with pytest.raises(requests.HTTPError) as caught:
        call(*arguments)
    return json.loads(caught.value.strerror)["error"]["message"]


def follow(link):
    """Opens a link as a browser does."""
    request = urllib.request.Request(link, headers={"Accept": "text/html"})
    with urllib.request.urlopen(request, timeout=10) as page:
        return page.read().decode()


def test_sign_up_and_sign_in_return_the_same_account(auth, credentials):
    email, _ = credentials
    created = auth.create_user_with_email_and_password(*credentials)
    signed_in = auth.sign_in_with_email_and_password(*credentials)
    assert signed_in["localId"] == created["localId"]
    assert signed_in["registered"] is True
    users = auth.get_account_info(signed_in["idToken"])["users"]
    assert [user["email"] for user in users] == [email]
    assert users[0]["emailVerified"] is False


def test_a_mailed_link_verifies_the_address(auth, foyer, credentials):
    email, _ = credentials
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    assert auth.send_email_verification(token)["email"] == email
    assert "Email verified" in follow(foyer.mail(email)["link"])
    user = auth.get_account_info(token)["users"][0]
    assert user["emailVerified"] is True


def test_a_refresh_gives_a_token_for_the_same_session(auth, credentials):
    created = auth.create_user_with_email_and_password(*credentials)
    for _ in range(2):
        refreshed = auth.refresh(created["refreshToken"])
        assert refreshed["refreshToken"] == created["refreshToken"]
        assert refreshed["userId"] == created["localId"]
        assert auth.get_account_info(refreshed["idToken"])["users"]
    assert error_message(auth.refresh, "no such token") == "INVALID_REFRESH_TOKEN"


def test_a_forgotten_password_is_replaced_by_mail(auth, foyer, credentials):
    email, old_password = credentials
    old = auth.create_user_with_email_and_password(*credentials)
    auth.send_password_reset_email(email)
    link = foyer.mail(email, "reset")["link"]
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"]
    new_password = f"{MARK}-chosen"
    response = auth.verify_password_reset_code(code[0], new_password)
    assert (response["email"], response["requestType"]) == (email, "PASSWORD_RESET")
    assert auth.sign_in_with_email_and_password(email, new_password)["idToken"]
    assert (
        error_message(auth.sign_in_with_email_and_password, email, old_password)
        == "INVALID_PASSWORD"
    )
    assert error_message(auth.refresh, old["refreshToken"]) == "TOKEN_EXPIRED"
    assert (
        error_message(auth.verify_password_reset_code, code[0], new_password) == "INVALID_OOB_CODE"
    )


def test_a_display_name_is_set_and_returned(auth, credentials):
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    auth.update_profile(token, display_name="Ada Lovelace")
    user = auth.get_account_info(token)["users"][0]
    assert user["displayName"] == "Ada Lovelace"


def test_a_deleted_account_is_rejected(auth, credentials):
    created = auth.create_user_with_email_and_password(*credentials)
    auth.delete_user_account(created["idToken"])
    assert error_message(auth.get_account_info, created["idToken"]) == "USER_NOT_FOUND"
    assert error_message(auth.refresh, created["refreshToken"]) == "USER_NOT_FOUND"
    assert error_message(auth.sign_in_with_email_and_password, *credentials) == "EMAIL_NOT_FOUND"


def test_error_messages_match_googles(auth, credentials):
    email, _ = credentials
    auth.create_user_with_email_and_password(*credentials)
    create = auth.create_user_with_email_and_password
    assert error_message(create, *credentials) == "EMAIL_EXISTS"
    assert error_message(create, f"other-{email}", "12345") == (
        "WEAK_PASSWORD : Password should be at least 6 characters"
    )
    assert error_message(create, "no-address", f"{MARK}-x") == "INVALID_EMAIL"


def test_an_anonymous_user_has_no_email(auth, foyer):
    token = auth.sign_in_anonymous()["idToken"]
    user = auth.get_account_info(token)["users"][0]
    assert "email" not in user
    foyer.api("PATCH", "/api/backend/clarity", {"switches": {"anonymous": False}})
    try:
        assert error_message(auth.sign_in_anonymous) == "ADMIN_ONLY_OPERATION"
    finally:
        foyer.api("PATCH", "/api/backend/clarity", {"switches": {"anonymous": True}})
