"""A stand-in for CLARITY's later backend: its own API in front of Cognito.

Failures are FastAPI's: `{"detail": …}` with a problem or a sentence.
"""

import itertools
import json

AUTH = "/api/v1/auth/"
USER_POOL = "/cognito-idp.us-east-1.amazonaws.com/"


def problem(status, kind, title, detail):
    return status, {
        "detail": {
            "type": kind,
            "title": title,
            "detail": detail,
            "status": status,
            "instance": f"https://api.clarity.health/requests/{kind}",
        }
    }


class Cognito:
    """Accounts and six-digit codes; `script` of a `StandIn`."""

    def __init__(self):
        self.people = {}
        self.codes = {}
        self.bodies = []
        # The address of each access token.
        self.tokens = {}
        self.numbers = itertools.count(1)

    def __call__(self, method, path, body):
        name = path.removeprefix(AUTH)
        fields = json.loads(body) if body else {}
        if path == USER_POOL:
            return self._call_user_pool(fields)
        if method == "PUT":
            name += "-update"
        self.bodies.append((name, fields))
        handler = getattr(self, "_" + name.replace("-", "_"), None)
        return handler(fields) if handler else (404, {"detail": "Not Found"})

    def bodies_of(self, name):
        return [body for called, body in self.bodies if called == name]

    def _tokens(self, person):
        number = next(self.numbers)
        self.last_user = person
        self.tokens[f"cognito-access-{number}"] = person["email"]
        return {
            "access_token": f"cognito-access-{number}",
            "refresh_token": f"cognito-refresh-{number}",
            "token_type": "bearer",
            "expires_in": 3600,
            "scope": "full_access",
        }

    def add(self, email, password, name, verified=True):
        self.people[email] = {
            "user_id": f"c{next(self.numbers)}",
            "email": email,
            "password": password,
            "email_verified": verified,
            "display_name": name,
            "auth_provider": "cognito",
        }

    def _register(self, fields):
        email = fields["email"]
        self.add(email, fields["password"], fields.get("display_name"), verified=False)
        self._mail(email)
        return 202, {"requires_email_verification": True}

    def _mail(self, email):
        self.codes[email] = f"{next(self.numbers) + 100000}"

    def _login(self, fields):
        person = self.people.get(fields["email"])
        if person is None or person["password"] != fields["password"]:
            return problem(
                401, "invalid_credentials", "Invalid Credentials", "Invalid email or password."
            )
        if not person["email_verified"]:
            return problem(
                403,
                "email_not_verified",
                "Email Not Verified",
                "Please verify your email before logging in.",
            )
        return 200, self._tokens(person)

    def _me(self, fields):
        profile = dict(self.last_user)
        profile.pop("password")
        return 200, profile

    def _me_update(self, fields):
        self.last_user["display_name"] = fields["display_name"]
        return 200, {
            "user_id": self.last_user["user_id"],
            "email": self.last_user["email"],
            "display_name": fields["display_name"],
            "updated": True,
        }

    def _call_user_pool(self, fields):
        """Cognito's own DeleteUser: the answer is empty."""
        headers = self.server.request.headers
        assert headers["X-Amz-Target"] == "AWSCognitoIdentityProviderService.DeleteUser"
        assert headers["Content-Type"] == "application/x-amz-json-1.1"
        if self.people.pop(self.tokens[fields["AccessToken"]], None) is None:
            return 400, {"__type": "UserNotFoundException", "message": "User does not exist."}
        return 200, None, {"Content-Type": "application/x-amz-json-1.1"}

    def _logout(self, fields):
        return 200, {"message": "Successfully logged out"}

    def _confirm_email(self, fields):
        if fields["code"] != self.codes.get(fields["email"]):
            return problem(
                400, "invalid_code", "Invalid Code", "The verification code is invalid or expired."
            )
        self.people[fields["email"]]["email_verified"] = True
        return 200, {"status": "confirmed"}

    def _resend_confirmation(self, fields):
        self._mail(fields["email"])
        return 200, {"status": "sent"}
