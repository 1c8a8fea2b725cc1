"""The search for secrets finds secrets, and only secrets."""

import base64
import json
import shutil
import sqlite3

import pytest
from sweep import contains_jwt, encodings, files_containing, main


def encode(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


TOKEN = b".".join((encode({"alg": "HS256"}), encode({"sub": "7"}), b"s" * 43))


def test_a_complete_jwt_is_found_anywhere_in_the_data():
    assert contains_jwt(TOKEN)
    assert contains_jwt(b'{"refresh":"' + TOKEN + b'"}')
    assert contains_jwt(b"eyJnoise.noisenoise." + TOKEN)


def test_a_jwt_without_its_signature_is_ignored():
    assert not contains_jwt(TOKEN.rpartition(b".")[0])


def test_random_data_that_begins_like_a_jwt_is_ignored():
    # The end of a sealed value: nonce, ciphertext and tag, all of them random.
    assert not contains_jwt(b"eyJ4s9dKx_0aQz1-.q83v_2tS8cYw.Zm9vYmFyYmF6cXV1eA")


def test_a_file_with_a_secret_in_any_encoding_is_found(tmp_path):
    for number, encoded in enumerate(encodings("Zq7x/Geheim und mehr")):
        (tmp_path / f"{number}").write_bytes(b"\0before " + encoded + b" after\xff")
    (tmp_path / "clean").write_bytes(b"nothing of it")
    files = sorted(tmp_path.iterdir())
    found = files_containing(set(encodings("Zq7x/Geheim und mehr")), files)
    assert found == [file for file in files if file.name != "clean"]
    assert files_containing({b"what nobody wrote"}, files) == []


@pytest.mark.parametrize("note, code", [("nothing", 0), ("the token-of-an-hour-1234567890", 1)])
def test_the_write_ahead_log_of_a_killed_process_is_searched(tmp_path, capsys, note, code):
    source, copy = tmp_path / "live.sqlite", tmp_path / "results/left.sqlite"
    copy.parent.mkdir()
    database = sqlite3.connect(source)
    database.execute("pragma journal_mode = wal")
    database.execute("create table notes (text)")
    database.execute("insert into notes values ('a@example.com'), (?)", [note])
    database.commit()
    for end in ["", "-wal", "-shm"]:
        shutil.copy(f"{source}{end}", f"{copy}{end}")
    database.close()
    (copy.parent / "tokens.json").write_text('["token-of-an-hour-1234567890"]')
    assert main(copy.parent) == code
    output = capsys.readouterr().out
    assert ("table notes" in output) == bool(code)
