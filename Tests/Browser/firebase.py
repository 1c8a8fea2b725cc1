"""A stand-in for Firebase Auth, modeled on its emulator, and for CLARITY's own backend.

Email enumeration protection is on, as in new projects.

Error bodies are Google's: `{"error": {"code", "message", "errors": [...]}}`. Tokens are the
emulator's: unsigned, with an empty third part.
"""

import base64
import itertools
import json
import time

IDENTITY = "/identitytoolkit.googleapis.com/v1/accounts:"
PROFILE = "/api/v1/auth/register"
ME = "/api/v1/auth/me"
CREATED_AT = "2026-01-02T03:04:05Z"


def google_error(message, code=400, reason="invalid", status=None):
    """An error response in Google's format."""
    error = {"code": code, "message": message, "errors": [{"message": message, "reason": reason}]}
    if reason != "notFound":
        error["errors"][0]["domain"] = "global"
    if status:
        error["status"] = status
    return code, {"error": error}


class Refused(Exception):
    def __init__(self, *args, **kwargs):
        self.response = google_error(*args, **kwargs)


class Firebase:
    """Accounts, codes and tokens; `script` of a `StandIn`."""

    def __init__(self):
        self.people = {}
        self.codes = {}
        self.mails = []
        self.profiles = {}
        self.numbers = itertools.count(1)
        # The responses to the next calls, by the end of their path.
        self.responses = {}

    def __call__(self, method, path, body):
        endpoint, _, query = path.partition("?")
        name = endpoint.rsplit(":", 1)[-1] if ":" in endpoint else endpoint
        fields = json.loads(body) if body else {}
        if self.responses.get(name):
            return self.responses[name].pop(0)
        try:
            if endpoint == PROFILE:
                return self._profile(fields)
            if endpoint == ME:
                return self._me()
            if "key=" not in query or query.endswith("key="):
                raise Refused(
                    "The request is missing a valid API key.", 403, "forbidden", "PERMISSION_DENIED"
                )
            call = getattr(self, "_" + name, None)
            if endpoint.startswith(IDENTITY) and call:
                return call(fields)
        except Refused as error:
            return error.response
        return google_error("Not Found", 404, "notFound", "NOT_FOUND")

    def fail(self, name, response):
        """Sends this response to the next call of `name`."""
        self.responses[name] = [response]

    # ---- Accounts

    def add(self, email, password, verified=True, name=None):
        person = {
            "localId": f"u{next(self.numbers)}",
            "email": email,
            "password": password,
            "emailVerified": verified,
            "createdAt": str(int(time.time() * 1000)),
            "refreshToken": f"refresh-of-{email}-{next(self.numbers)}",
        }
        if name:
            person["displayName"] = name
        self.people[email] = person
        return person

    def _signUp(self, fields):
        if fields["email"] in self.people:
            raise Refused("EMAIL_EXISTS")
        person = self.add(fields["email"], fields["password"], verified=False)
        return 200, {"kind": "identitytoolkit#SignupNewUserResponse", **self._session(person)}

    def _signInWithPassword(self, fields):
        person = self.people.get(fields.get("email"))
        if person is None or person["password"] != fields.get("password"):
            raise Refused("INVALID_LOGIN_CREDENTIALS")
        return 200, {
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "registered": True,
            **self._session(person),
        }

    def _lookup(self, fields):
        person = self._bearer(fields)
        name = {k: person[k] for k in ("displayName",) if k in person}
        email, created_at = person["email"], person["createdAt"]
        return 200, {
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [
                {
                    "localId": person["localId"],
                    "email": email,
                    **name,
                    "passwordHash": "UkVEQUNURUQ=",
                    "salt": "UkVEQUNURUQ=",
                    "emailVerified": person["emailVerified"],
                    "passwordUpdatedAt": int(created_at),
                    "providerUserInfo": [
                        {
                            "providerId": "password",
                            **name,
                            "federatedId": email,
                            "email": email,
                            "rawId": email,
                        }
                    ],
                    "validSince": created_at[:-3],
                    "lastLoginAt": created_at,
                    "createdAt": created_at,
                    "lastRefreshAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
                }
            ],
        }

    def _update(self, fields):
        person = self._bearer(fields)
        person["displayName"] = fields["displayName"]
        return 200, {
            "kind": "identitytoolkit#SetAccountInfoResponse",
            "localId": person["localId"],
            "email": person["email"],
            "displayName": person["displayName"],
            "emailVerified": person["emailVerified"],
        }

    def _delete(self, fields):
        del self.people[self._bearer(fields)["email"]]
        return 200, {"kind": "identitytoolkit#DeleteAccountResponse"}

    # ---- Codes by mail

    def _sendOobCode(self, fields):
        kind = fields.get("requestType")
        if kind == "VERIFY_EMAIL":
            email = self._bearer(fields)["email"]
        else:
            email = fields["email"]
            if email not in self.people:
                return 200, {
                    "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
                    "email": email,
                }
        code = f"code-{next(self.numbers)}"
        self.codes[code] = (kind, email)
        self.mails.append((kind, email, code))
        return 200, {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}

    def _resetPassword(self, fields):
        kind, email = self.codes.pop(fields["oobCode"])
        self.people[email]["password"] = fields["newPassword"]
        return 200, {
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": kind,
            "email": email,
        }

    def open_link(self, email, password=None):
        """Opens the newest link that was mailed to an address."""
        kind, _, code = [m for m in self.mails if m[1] == email][-1]
        if kind == "PASSWORD_RESET":
            return self._resetPassword({"oobCode": code, "newPassword": password})
        self.codes.pop(code)
        self.people[email]["emailVerified"] = True

    # ---- Tokens

    def _session(self, person):
        self.last_user = person
        return {
            "localId": person["localId"],
            "email": person["email"],
            "idToken": self._token(person),
            "refreshToken": person["refreshToken"],
            "expiresIn": "3600",
        }

    def _token(self, person, lifetime=3600):
        now = int(time.time())
        claims = {
            "iss": "https://securetoken.google.com/standin",
            "aud": "standin",
            "auth_time": now,
            "iat": now,
            "exp": now + lifetime,
            "sub": person["localId"],
            "user_id": person["localId"],
            "email": person["email"],
            "email_verified": person["emailVerified"],
            "jti": next(self.numbers),
            "firebase": {
                "identities": {"email": [person["email"]]},
                "sign_in_provider": "password",
            },
        }
        parts = [{"alg": "none", "typ": "JWT"}, claims]
        return (
            ".".join(
                base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts
            )
            + "."
        )

    def _bearer(self, fields):
        token = fields.get("idToken")
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * 3))
        person = self.people.get(claims["email"])
        if person is None:
            raise Refused("USER_NOT_FOUND")
        return person

    # ---- CLARITY's own backend

    def _me(self):
        """The profile of the last user who signed in: the script gets no headers."""
        profile = self.profiles.get(self.last_user["email"], {})
        return 200, {
            "user_id": self.last_user["localId"],
            "email": self.last_user["email"],
            "first_name": profile.get("first_name"),
            "last_name": profile.get("last_name"),
            "role": "patient",
            "permissions": [],
            "status": "active" if self.last_user["emailVerified"] else "pending_verification",
            "mfa_enabled": False,
            "email_verified": self.last_user["emailVerified"],
            "created_at": CREATED_AT,
            "last_login": CREATED_AT,
        }

    def _profile(self, fields):
        # Without an address it is that of the bearer token, of which the script gets none.
        email = fields.get("email", self.last_user["email"])
        self.profiles[email] = {**self.profiles.get(email, {}), **fields}
        person = self.people.get(email)
        if person:
            person["displayName"] = f"{fields['first_name']} {fields['last_name']}"
        return 201, {
            "user_id": person["localId"] if person else f"u{next(self.numbers)}",
            "email": email,
            "status": "pending_verification",
            "verification_email_sent": any(to == email for _, to, _ in self.mails),
            "created_at": CREATED_AT,
        }
