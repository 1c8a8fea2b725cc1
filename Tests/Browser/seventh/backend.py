"""A real backend in a common setup: Django REST, djoser and Simple JWT.

    backend.py FOLDER [SMTP_PORT SMTP_USER]

Serves on a free port of 127.0.0.1 and prints its address. Stores its accounts in
FOLDER/accounts.sqlite and writes its mails as files to FOLDER/mails, or sends them to an SMTP
server of this machine. It does not know Foyer.
"""

import secrets
import socketserver
import sys
from datetime import timedelta
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
mail = {
    "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
    "EMAIL_FILE_PATH": folder / "mails",
}
if len(sys.argv) > 2:
    mail = {
        "EMAIL_HOST": "127.0.0.1",
        "EMAIL_PORT": int(sys.argv[2]),
        "EMAIL_HOST_USER": sys.argv[3],
        "EMAIL_HOST_PASSWORD": "any",
    }

settings.configure(
    # Tokens become invalid when the process ends.
    SECRET_KEY=secrets.token_urlsafe(48),
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "accounts.sqlite"}
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "rest_framework",
        "rest_framework_simplejwt.token_blacklist",
        "djoser",
    ],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    AUTH_PASSWORD_VALIDATORS=[
        {"NAME": "django.contrib.auth.password_validation." + name}
        for name in (
            "MinimumLengthValidator",
            "CommonPasswordValidator",
            "NumericPasswordValidator",
        )
    ],
    **mail,
    DEFAULT_FROM_EMAIL="harbour@example.com",
    DOMAIN="harbour.example.com",
    SITE_NAME="Harbour",
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "rest_framework_simplejwt.authentication.JWTAuthentication"
        ],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
    SIMPLE_JWT={
        "ACCESS_TOKEN_LIFETIME": timedelta(minutes=5),
        "ROTATE_REFRESH_TOKENS": True,
        "BLACKLIST_AFTER_ROTATION": True,
    },
    DJOSER={
        "SEND_ACTIVATION_EMAIL": True,
        "ACTIVATION_URL": "activate/{uid}/{token}",
        "PASSWORD_RESET_CONFIRM_URL": "reset/{uid}/{token}",
    },
)
django.setup()

# These modules read the settings when they are imported.
from django.contrib.auth.hashers import PBKDF2PasswordHasher  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework_simplejwt.views import TokenBlacklistView  # noqa: E402

# Foyer never meets the hashes, and Django's default takes a third of a second for each.
PBKDF2PasswordHasher.iterations = 1000

urlpatterns = [
    path("auth/", include("djoser.urls")),
    path("auth/", include("djoser.urls.jwt")),
    path("auth/jwt/blacklist/", TokenBlacklistView.as_view()),
]


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


call_command("migrate", verbosity=0)
with make_server("127.0.0.1", 0, get_wsgi_application(), Server, Quiet) as server:
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
