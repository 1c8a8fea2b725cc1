"""firebase-rest-api from PyPI against the embedded backend, with its requests redirected."""

import itertools
import json
import urllib.parse

import firebase
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from foyer import MARK
from redirect import redirect_to

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def service_account():
    """A service account's key, which this test makes."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return {
        "type": "service_account",
        "project_id": "clarity-pulse",
        "private_key_id": "key-1",
        "private_key": pem.decode(),
        "client_email": "server@clarity-pulse.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.googleapis.com/token",
    }


@pytest.fixture
def settings(foyer):
    return foyer.api("GET", "/api/backend")["clients"]["firebase"]


@pytest.fixture
def auth(settings, service_account, monkeypatch):
    redirect_to(settings["emulatorHost"], monkeypatch)
    auth = firebase.initialize_app(
        {
            "apiKey": settings["apiKey"],
            "authDomain": f"{settings['projectId']}.firebaseapp.com",
            "databaseURL": f"https://{settings['projectId']}.firebaseio.com",
            "projectId": settings["projectId"],
            "storageBucket": "unused",
            "serviceAccount": service_account,
        }
    ).auth()
    # Newer releases of google-auth wrap the signer, whose key the client reads.
    auth.credentials._signer = getattr(auth.credentials.signer, "_impl", auth.credentials.signer)
    return auth


@pytest.fixture
def credentials():
    number = next(numbers)
    return f"rest-{number}@example.com", f"{MARK}-rest-{number}"


@pytest.fixture
def private_emails(foyer):
    """Responses do not reveal whether an email has an account."""
    foyer.api("PATCH", "/api/backend/clarity", {"switches": {"emailPrivacy": True}})
    yield
    foyer.api("PATCH", "/api/backend/clarity", {"switches": {"emailPrivacy": False}})


def error_message(call, *arguments):
    """Calls a function that fails, and returns the message of Google's error."""
    with pytest.raises(requests.HTTPError) as caught:
        call(*arguments)
    return json.loads(caught.value.strerror)["error"]["message"]


def oob_code(link):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]


def test_sign_up_and_sign_in(auth, credentials):
    created = auth.create_user_with_email_and_password(*credentials)
    signed_in = auth.sign_in_with_email_and_password(*credentials)
    assert signed_in["localId"] == created["localId"]
    assert error_message(auth.create_user_with_email_and_password, *credentials) == "EMAIL_EXISTS"
    assert (
        error_message(auth.sign_in_with_email_and_password, credentials[0], f"{MARK}-wrong")
        == "INVALID_PASSWORD"
    )
    assert error_message(auth.send_password_reset_email, "nobody@example.com") == "EMAIL_NOT_FOUND"


def test_failures_are_not_told_apart_where_emails_are_private(auth, credentials, private_emails):
    auth.create_user_with_email_and_password(*credentials)
    sign_in = auth.sign_in_with_email_and_password
    assert error_message(sign_in, credentials[0], f"{MARK}-wrong") == "INVALID_LOGIN_CREDENTIALS"
    assert error_message(sign_in, "nobody@example.com", f"{MARK}-x") == "INVALID_LOGIN_CREDENTIALS"
    assert auth.send_password_reset_email("nobody@example.com")["email"] == "nobody@example.com"


def test_an_anonymous_user_signs_in(auth):
    user = auth.get_account_info(auth.sign_in_anonymous()["idToken"])["users"][0]
    assert "email" not in user


def test_a_custom_token_signs_in(auth):
    token = auth.create_custom_token(f"rest-{next(numbers)}", {"level": 3})
    claims = auth.verify_id_token(auth.sign_in_with_custom_token(token)["idToken"])
    assert claims["level"] == 3
    assert error_message(auth.sign_in_with_custom_token, "token").startswith("INVALID_CUSTOM_TOKEN")


def test_a_refresh_gives_another_id_token(auth, credentials):
    created = auth.create_user_with_email_and_password(*credentials)
    refreshed = auth.refresh(created["refreshToken"])
    assert refreshed["localId"] == created["localId"]
    assert auth.verify_id_token(refreshed["idToken"])["sub"] == created["localId"]
    assert error_message(auth.refresh, "token") == "INVALID_REFRESH_TOKEN"


def test_a_mailed_code_verifies_the_address(auth, foyer, credentials, settings):
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    assert auth.send_email_verification(token)["email"] == credentials[0]
    requests.post(
        "https://www.googleapis.com/identitytoolkit/v3/relyingparty/setAccountInfo",
        params={"key": settings["apiKey"]},
        json={"oobCode": oob_code(foyer.mail(credentials[0])["link"])},
        timeout=30,
    ).raise_for_status()
    assert auth.get_account_info(token)["users"][0]["emailVerified"]
    assert error_message(auth.send_email_verification, "token") == "INVALID_ID_TOKEN"


def test_a_forgotten_password_is_replaced(auth, foyer, credentials):
    auth.create_user_with_email_and_password(*credentials)
    auth.send_password_reset_email(credentials[0])
    code = oob_code(foyer.mail(credentials[0], "reset")["link"])
    assert auth.verify_password_reset_code(code, f"{MARK}-chosen")["email"] == credentials[0]
    assert auth.sign_in_with_email_and_password(credentials[0], f"{MARK}-chosen")["idToken"]
    assert (
        error_message(auth.verify_password_reset_code, code, f"{MARK}-again") == "INVALID_OOB_CODE"
    )


def test_an_email_and_a_password_are_changed(auth, credentials):
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    changed = auth.change_email(token, f"changed-{credentials[0]}")
    assert changed["email"] == f"changed-{credentials[0]}"
    assert auth.change_password(changed["idToken"], f"{MARK}-changed")["idToken"]
    assert (
        error_message(auth.change_password, changed["idToken"], "12345")
        == "WEAK_PASSWORD : Password should be at least 6 characters"
    )
    assert error_message(auth.change_email, changed["idToken"], "x") == "INVALID_EMAIL"


def test_a_profile_is_changed(auth, credentials):
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    auth.update_profile(token, display_name="Ada", photo_url="https://example.com/a.png")
    user = auth.get_account_info(token)["users"][0]
    assert (user["displayName"], user["photoUrl"]) == ("Ada", "https://example.com/a.png")
    auth.update_profile(token, delete_attribute=["DISPLAY_NAME", "PHOTO_URL"])
    assert "displayName" not in auth.get_account_info(token)["users"][0]
    assert error_message(auth.update_profile, "token") == "INVALID_ID_TOKEN"


def test_custom_claims_are_in_id_tokens(auth, credentials):
    created = auth.create_user_with_email_and_password(*credentials)
    # The client would get this token from Google's token service.
    auth.credentials.token = "ya29.token"
    auth.set_custom_user_claims(created["localId"], {"role": "editor"})
    claims = auth.verify_id_token(auth.refresh(created["refreshToken"])["idToken"])
    assert claims["role"] == "editor"
    assert error_message(auth.set_custom_user_claims, "nobody", {}) == "USER_NOT_FOUND"


def test_an_account_is_deleted(auth, credentials):
    token = auth.create_user_with_email_and_password(*credentials)["idToken"]
    auth.delete_user_account(token)
    assert error_message(auth.get_account_info, token) == "USER_NOT_FOUND"
    assert error_message(auth.delete_user_account, token) == "USER_NOT_FOUND"


def test_a_providers_page_is_not_there(auth):
    auth.client_secret = {"client_id": "id", "redirect_uris": ["http://localhost"]}
    message = "Sign-in with IDP is not yet supported."
    assert error_message(auth.authenticate_login_with_google) == message
    assert error_message(auth.authenticate_login_with_facebook) == message
