"""A generator makes a typed client of the description, without a warning."""

import enum
import importlib
import json
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def package(foyer, tmp_path_factory):
    """The name of the generated package, which can be imported."""
    folder = tmp_path_factory.mktemp("client")
    settings = folder / "settings.json"
    # No other program formats the generated sources; the generator knows no pictures.
    types = dict.fromkeys(["image/png", "application/pdf"], "application/octet-stream")
    settings.write_text(json.dumps({"post_hooks": [], "content_type_overrides": types}))
    name = "foyer_api"
    generated = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
        + ["--meta", "none", "--output-path", str(folder / name), "--config", str(settings)]
        + ["--url", f"{foyer.base}/api/openapi.json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr
    assert "warning" not in generated.stdout.lower(), generated.stdout
    sys.path.insert(0, str(folder))
    yield name
    sys.path.remove(str(folder))


def test_lists_and_enumerations_of_a_generated_client_have_names(package):
    models = importlib.import_module(f"{package}.models")
    for item in ["Account", "App", "Device", "Exchange", "Fault", "Mail", "Session", "Snapshot"]:
        assert hasattr(models, item), item
        assert hasattr(models, item + "List"), item
    unnamed = [name for name in dir(models) if "Response200" in name and "List" in name]
    assert unnamed == ["ListExchangesResponse200Type1"], "only the HAR"
    for name in ["DeviceSize", "ExchangeCause", "FaultKind", "SessionState", "StateKind"]:
        assert issubclass(getattr(models, name), enum.Enum), name


def test_a_generated_client_calls_foyer(package, foyer):
    client = importlib.import_module(f"{package}.client")
    models = importlib.import_module(f"{package}.models")
    calls = importlib.import_module(f"{package}.api.devices.list_devices")
    device = foyer.api("POST", "/api/devices")["id"]
    authenticated = client.AuthenticatedClient(base_url=foyer.base, token=foyer.key)
    devices = calls.sync(client=authenticated)
    assert isinstance(devices, models.DeviceList)
    assert device in [item.id for item in devices.items]
    assert all(isinstance(item.size, models.DeviceSize) for item in devices.items)
