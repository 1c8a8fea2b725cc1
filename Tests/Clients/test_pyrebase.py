"""pyrebase4 as it comes from PyPI against the embedded backend.

Its addresses are Google's, https and all: they are led to the backend, which
has each host's paths below the host's name.
"""

import itertools
import json
import urllib.parse
import urllib.request

import pyrebase
import pytest
import requests
from foyer import MARK

numbers = itertools.count(1)


@pytest.fixture
def auth(foyer, monkeypatch):
    """The client's `auth()`, configured with what the console tells."""
    told = foyer.api("GET", "/api/backend")["clients"]["firebase"]
    leave = requests.Session.send

    def led(session, request, **options):
        address = urllib.parse.urlsplit(request.url)
        assert address.scheme == "https"
        assert address.hostname.endswith("googleapis.com")
        request.url = request.url.replace("https://", f"http://{told['emulatorHost']}/", 1)
        return leave(session, request, **options)

    monkeypatch.setattr(requests.Session, "send", led)
    return pyrebase.initialize_app(
        {
            "apiKey": told["apiKey"],
            "storageBucket": "unused",
            "authDomain": f"{told['projectId']}.firebaseapp.com",
            "databaseURL": f"https://{told['projectId']}.firebaseio.com",
        }
    ).auth()


@pytest.fixture
def person():
    number = next(numbers)
    return f"pyrebase-{number}@example.com", f"{MARK}-pyrebase-{number}"


def refusal(call, *given):
    """What Google's error says."""
    with pytest.raises(requests.HTTPError) as caught:
        call(*given)
    return json.loads(caught.value.strerror)["error"]["message"]


def follow(link):
    with urllib.request.urlopen(link, timeout=10) as page:
        return page.read().decode()


def test_somebody_signs_up_and_in_and_is_known(auth, person):
    email, _ = person
    made = auth.create_user_with_email_and_password(*person)
    entered = auth.sign_in_with_email_and_password(*person)
    assert entered["localId"] == made["localId"]
    assert entered["registered"] is True
    known = auth.get_account_info(entered["idToken"])["users"]
    assert [user["email"] for user in known] == [email]
    assert known[0]["emailVerified"] is False


def test_a_mailed_link_verifies_the_address(auth, foyer, person):
    email, _ = person
    token = auth.create_user_with_email_and_password(*person)["idToken"]
    assert auth.send_email_verification(token)["email"] == email
    assert "Email verified" in follow(foyer.mail(email)["link"])
    user = auth.get_account_info(token)["users"][0]
    assert user["emailVerified"] is True


def test_a_refresh_gives_a_token_for_the_same_session(auth, person):
    made = auth.create_user_with_email_and_password(*person)
    for _ in range(2):
        next = auth.refresh(made["refreshToken"])
        assert next["refreshToken"] == made["refreshToken"]
        assert next["userId"] == made["localId"]
        assert auth.get_account_info(next["idToken"])["users"]
    assert refusal(auth.refresh, "no such token") == "INVALID_REFRESH_TOKEN"


def test_a_forgotten_password_is_replaced_by_mail(auth, foyer, person):
    email, forgotten = person
    old = auth.create_user_with_email_and_password(*person)
    auth.send_password_reset_email(email)
    link = foyer.mail(email, "reset")["link"]
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"]
    chosen = f"{MARK}-chosen"
    done = auth.verify_password_reset_code(code[0], chosen)
    assert (done["email"], done["requestType"]) == (email, "PASSWORD_RESET")
    assert auth.sign_in_with_email_and_password(email, chosen)["idToken"]
    assert (
        refusal(auth.sign_in_with_email_and_password, email, forgotten)
        == "INVALID_LOGIN_CREDENTIALS"
    )
    assert refusal(auth.refresh, old["refreshToken"]) == "TOKEN_EXPIRED"
    assert refusal(auth.verify_password_reset_code, code[0], chosen) == "INVALID_OOB_CODE"


def test_a_name_is_set_and_told(auth, person):
    token = auth.create_user_with_email_and_password(*person)["idToken"]
    auth.update_profile(token, display_name="Ada Lovelace")
    user = auth.get_account_info(token)["users"][0]
    assert user["displayName"] == "Ada Lovelace"


def test_who_deleted_the_account_is_gone(auth, person):
    made = auth.create_user_with_email_and_password(*person)
    auth.delete_user_account(made["idToken"])
    assert refusal(auth.get_account_info, made["idToken"]) == "USER_NOT_FOUND"
    assert refusal(auth.refresh, made["refreshToken"]) == "USER_NOT_FOUND"
    assert refusal(auth.sign_in_with_email_and_password, *person) == "INVALID_LOGIN_CREDENTIALS"


def test_refusals_are_googles(auth, person):
    email, _ = person
    auth.create_user_with_email_and_password(*person)
    create = auth.create_user_with_email_and_password
    assert refusal(create, *person) == "EMAIL_EXISTS"
    assert refusal(create, f"other-{email}", "12345") == (
        "WEAK_PASSWORD : Password should be at least 6 characters"
    )
    assert refusal(create, "nobody", f"{MARK}-x") == "INVALID_EMAIL"
    assert refusal(auth.sign_in_anonymous) == "ADMIN_ONLY_OPERATION"
