"""A stand-in for an app's real backend: slow, broken or hostile on request."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StandIn:
    """Answers every call by `script(method, path, body)`.

    The script gives a status and a body, and headers if it likes; a body that
    is no text is sent as JSON, and `None` is no body at all. It finds the
    request's headers in `here.headers`. While `hold()` is in force no answer
    leaves.
    """

    def __init__(self, script):
        self.script = script
        self.calls = []
        self.here = threading.local()
        self._gate = threading.Event()
        self._gate.set()
        self._arrived = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                with outer._arrived:
                    outer.calls.append((self.command, self.path))
                    outer._arrived.notify_all()
                outer._gate.wait(60)
                outer.here.headers = self.headers
                status, answer, *more = outer.script(self.command, self.path, body)
                kind = "text/plain"
                if answer is None:
                    answer = kind = ""
                elif not isinstance(answer, (str, bytes)):
                    answer, kind = json.dumps(answer), "application/json"
                if isinstance(answer, str):
                    answer = answer.encode()
                try:
                    self.send_response(status)
                    headers = {"Content-Type": kind} if kind else {}
                    headers |= (more or [{}])[0]
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:
                    pass  # Whoever asked has left.

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v1"

    def hold(self):
        self._gate.clear()

    def release(self):
        self._gate.set()

    def wait_for(self, count, timeout=15):
        """Returns when `count` calls have come in; false if they do not."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.calls) >= count, timeout)

    def stop(self):
        self.release()
        self.server.shutdown()
        self.server.server_close()
