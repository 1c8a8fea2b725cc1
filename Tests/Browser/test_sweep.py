"""The search for secrets sees what it looks for, and only that."""

import base64
import json

from sweep import holds_jwt


def part(value):
    return base64.urlsafe_b64encode(
        json.dumps(value).encode()).rstrip(b"=")


TOKEN = b".".join((part({"alg": "HS256"}), part({"sub": "7"}), b"s" * 43))


def test_a_whole_jwt_is_found_wherever_it_lies():
    assert holds_jwt(TOKEN)
    assert holds_jwt(b'{"refresh":"' + TOKEN + b'"}')
    assert holds_jwt(b"eyJnoise.noisenoise." + TOKEN)


def test_a_jwt_without_its_signature_is_no_find():
    assert not holds_jwt(TOKEN.rpartition(b".")[0])


def test_noise_that_begins_like_an_object_is_no_find():
    # The end of a sealed value: nonce, text and tag, all of them noise.
    assert not holds_jwt(b"eyJ4s9dKx_0aQz1-.q83v_2tS8cYw.Zm9vYmFyYmF6cXV1eA")
