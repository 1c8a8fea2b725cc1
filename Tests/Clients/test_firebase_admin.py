"""firebase-admin from PyPI, pointed at the embedded backend as at Google's emulator."""

import base64
import itertools
import json
import time
import urllib.parse
import urllib.request

import firebase_admin
import pytest
import requests
from firebase_admin import auth, exceptions
from foyer import MARK

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def settings(foyer):
    return foyer.api("GET", "/api/backend")["clients"]["firebase"]


@pytest.fixture
def app(settings, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", settings["emulatorHost"])
    app = firebase_admin.initialize_app(
        options={"projectId": settings["projectId"]}, name=f"admin-{next(numbers)}"
    )
    yield app
    firebase_admin.delete_app(app)


@pytest.fixture
def user(app):
    number = next(numbers)
    return auth.create_user(
        uid=f"user-{number}",
        email=f"admin-{number}@example.com",
        password=f"{MARK}-admin-{number}",
        display_name="Ada",
        phone_number=f"+1555555{1000 + number}",
        photo_url="https://example.com/ada.png",
        email_verified=True,
        disabled=False,
        app=app,
    )


def client(settings, method, **body):
    """A client's request to Identity Toolkit."""
    return requests.post(
        f"http://{settings['emulatorHost']}/identitytoolkit.googleapis.com/v1/accounts:{method}",
        params={"key": settings["apiKey"]},
        json=body,
        timeout=30,
    ).json()


def id_token(settings, app, uid):
    """The ID token of a sign-in with a custom token."""
    token = auth.create_custom_token(uid, app=app).decode()
    return client(settings, "signInWithCustomToken", token=token)["idToken"]


def test_a_user_is_found_by_every_identifier(app, user):
    found = [
        auth.get_user(user.uid, app=app),
        auth.get_user_by_email(user.email, app=app),
        auth.get_user_by_phone_number(user.phone_number, app=app),
    ]
    assert {record.uid for record in found} == {user.uid}
    assert user.display_name == "Ada"
    assert user.email_verified
    assert {info.provider_id for info in user.provider_data} == {"password", "phone"}
    assert abs(user.user_metadata.creation_timestamp / 1000 - time.time()) < 60
    result = auth.get_users(
        [
            auth.UidIdentifier(user.uid),
            auth.EmailIdentifier(user.email),
            auth.PhoneIdentifier(user.phone_number),
            auth.ProviderIdentifier("google.com", "nobody"),
            auth.UidIdentifier("nobody"),
        ],
        app=app,
    )
    assert [record.uid for record in result.users] == [user.uid]
    assert len(result.not_found) == 2
    for call, value in [
        (auth.get_user, "nobody"),
        (auth.get_user_by_email, "nobody@example.com"),
        (auth.get_user_by_phone_number, "+15555550000"),
    ]:
        with pytest.raises(auth.UserNotFoundError):
            call(value, app=app)


def test_a_taken_identifier_is_rejected(app, user):
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid=user.uid, app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=user.email, app=app)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.create_user(phone_number=user.phone_number, app=app)


def test_a_user_is_updated(app, user):
    changed = auth.update_user(
        user.uid,
        email=f"changed-{user.email}",
        display_name=auth.DELETE_ATTRIBUTE,
        photo_url=auth.DELETE_ATTRIBUTE,
        phone_number=auth.DELETE_ATTRIBUTE,
        email_verified=False,
        disabled=True,
        app=app,
    )
    assert changed.email == f"changed-{user.email}"
    assert (changed.display_name, changed.photo_url, changed.phone_number) == (None, None, None)
    assert changed.disabled
    assert not changed.email_verified
    with pytest.raises(auth.UserNotFoundError):
        auth.update_user("nobody", display_name="x", app=app)


def test_a_password_set_by_an_administrator_works(app, user, settings):
    auth.update_user(user.uid, password=f"{MARK}-changed", app=app)
    signed_in = client(settings, "signInWithPassword", email=user.email, password=f"{MARK}-changed")
    assert signed_in["localId"] == user.uid


def test_custom_claims_are_in_id_tokens(app, user, settings):
    auth.set_custom_user_claims(user.uid, {"role": "editor"}, app=app)
    assert auth.get_user(user.uid, app=app).custom_claims == {"role": "editor"}
    claims = auth.verify_id_token(id_token(settings, app, user.uid), app=app)
    assert (claims["uid"], claims["role"]) == (user.uid, "editor")
    auth.set_custom_user_claims(user.uid, None, app=app)
    assert auth.get_user(user.uid, app=app).custom_claims is None
    with pytest.raises(auth.UserNotFoundError):
        auth.set_custom_user_claims("nobody", {}, app=app)


def test_a_custom_token_signs_in(app, settings):
    uid = f"custom-{next(numbers)}"
    token = auth.create_custom_token(uid, {"level": 3}, app=app).decode()
    signed_in = client(settings, "signInWithCustomToken", token=token)
    assert signed_in["isNewUser"]
    claims = auth.verify_id_token(signed_in["idToken"], app=app)
    assert (claims["uid"], claims["level"]) == (uid, 3)
    assert claims["firebase"]["sign_in_provider"] == "custom"
    with pytest.raises(auth.InvalidIdTokenError):
        auth.verify_id_token(token, app=app)


def test_a_revoked_token_is_rejected(app, user, settings):
    token = id_token(settings, app, user.uid)
    assert auth.verify_id_token(token, app=app, check_revoked=True)["uid"] == user.uid
    auth.update_user(user.uid, valid_since=int(time.time()) + 5, app=app)
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(token, app=app, check_revoked=True)
    assert client(settings, "lookup", idToken=token)["error"]["message"] == "TOKEN_EXPIRED"
    auth.revoke_refresh_tokens(user.uid, app=app)
    auth.update_user(user.uid, disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(token, app=app, check_revoked=True)


def test_a_session_cookie_is_verified(app, user, settings):
    token = id_token(settings, app, user.uid)
    cookie = auth.create_session_cookie(token, 3600, app=app)
    claims = auth.verify_session_cookie(cookie, app=app, check_revoked=True)
    assert claims["uid"] == user.uid
    assert claims["exp"] - claims["iat"] == 3600
    with pytest.raises(auth.InvalidSessionCookieError):
        auth.verify_session_cookie(token, app=app)
    with pytest.raises(auth.InvalidIdTokenError):
        auth.create_session_cookie("no token", 3600, app=app)


def test_the_keys_of_session_cookies_are_published(app, user, settings):
    cookie = auth.create_session_cookie(id_token(settings, app, user.uid), 3600, app=app)
    header = cookie.split(".")[0]
    key_id = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]
    keys = f"http://{settings['emulatorHost']}/www.googleapis.com/identitytoolkit/v3"
    certificates = requests.get(f"{keys}/relyingparty/publicKeys", timeout=30).json()
    assert certificates[key_id].startswith("-----BEGIN CERTIFICATE-----")


def test_links_are_returned(app, user, settings):
    action = auth.ActionCodeSettings("http://localhost:5173/done", handle_code_in_app=True)
    for generate, mode, method in [
        (auth.generate_password_reset_link, "resetPassword", "resetPassword"),
        (auth.generate_email_verification_link, "verifyEmail", "update"),
    ]:
        link = generate(user.email, action, app=app)
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)
        assert query["mode"] == [mode]
        assert query["continueUrl"] == ["http://localhost:5173/done"]
        assert client(settings, method, oobCode=query["oobCode"][0])["email"] == user.email
    link = auth.generate_sign_in_with_email_link(user.email, action, app=app)
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]
    signed_in = client(settings, "signInWithEmailLink", email=user.email, oobCode=code)
    assert signed_in["localId"] == user.uid
    with pytest.raises(auth.UserNotFoundError):
        auth.generate_email_verification_link("nobody@example.com", app=app)


def test_a_returned_link_verifies_an_address(app, settings):
    email = f"admin-{next(numbers)}@example.com"
    uid = auth.create_user(email=email, app=app).uid
    with urllib.request.urlopen(auth.generate_email_verification_link(email, app=app)) as answer:
        assert json.load(answer)["authEmulator"]["email"] == email
    assert auth.get_user(uid, app=app).email_verified


def test_users_are_listed_in_pages(app):
    created = {auth.create_user(app=app).uid for _ in range(3)}
    listed = [user.uid for user in auth.list_users(max_results=2, app=app).iterate_all()]
    assert created <= set(listed)
    assert listed == sorted(listed)
    assert len(listed) == len(set(listed))


def test_users_are_deleted(app, user):
    auth.delete_user(user.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.delete_user(user.uid, app=app)
    enabled = auth.create_user(app=app).uid
    disabled = auth.create_user(disabled=True, app=app).uid
    result = auth.delete_users([enabled, disabled, "nobody"], app=app)
    assert (result.success_count, result.failure_count) == (3, 0)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(enabled, app=app)


def test_users_are_imported(app, settings):
    number = next(numbers)
    # A hash of "password" by bcrypt.
    bcrypt = b"$2b$05$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK"
    records = [
        auth.ImportUserRecord(
            f"import-{number}",
            email=f"import-{number}@example.com",
            email_verified=True,
            custom_claims={"imported": True},
            provider_data=[auth.UserProvider(f"g-{number}", "google.com", display_name="G")],
            user_metadata=auth.UserMetadata(creation_timestamp=1_700_000_000_000),
        ),
        auth.ImportUserRecord(f"import-{number}-b", password_hash=bcrypt),
    ]
    result = auth.import_users(records, hash_alg=auth.UserImportHash.bcrypt(), app=app)
    assert (result.success_count, result.failure_count) == (2, 0)
    imported = auth.get_user(f"import-{number}", app=app)
    assert imported.custom_claims == {"imported": True}
    assert imported.user_metadata.creation_timestamp == 1_700_000_000_000
    assert [info.uid for info in imported.provider_data] == [f"g-{number}"]
    found = auth.get_users([auth.ProviderIdentifier("google.com", f"g-{number}")], app=app)
    assert [record.uid for record in found.users] == [imported.uid]
    again = auth.import_users([auth.ImportUserRecord("other", email=imported.email)], app=app)
    assert (again.failure_count, again.errors[0].index) == (1, 0)


def test_what_is_not_there_says_so(app):
    with pytest.raises(exceptions.FirebaseError, match="not implemented"):
        auth.get_oidc_provider_config("oidc.provider", app=app)
    with pytest.raises(exceptions.FirebaseError, match="not implemented"):
        auth.get_saml_provider_config("saml.provider", app=app)
    with pytest.raises(exceptions.FirebaseError, match="not implemented"):
        list(auth.list_oidc_provider_configs(app=app).iterate_all())
    with pytest.raises(exceptions.FirebaseError, match="not implemented"):
        list(auth.list_saml_provider_configs(app=app).iterate_all())
    with pytest.raises(exceptions.FirebaseError, match="not implemented"):
        auth.Client(app, tenant_id="tenant").get_user("nobody")
