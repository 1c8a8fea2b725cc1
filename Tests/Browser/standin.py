"""A stand-in for an app's real backend, which can be slow, broken or hostile."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StandIn:
    """Responds to every call with `script(method, path, body)`.

    The script returns a status and a body, and optionally headers; a body that is not text is sent
    as JSON, and `None` is no body. The request's headers are in `request.headers`. After `hold()`
    no response is sent until `release()`.
    """

    def __init__(self, script):
        self.script = script
        self.calls = []
        self.request = threading.local()
        self._released = threading.Event()
        self._released.set()
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
                outer._released.wait(60)
                outer.request.headers = self.headers
                status, content, *more = outer.script(self.command, self.path, body)
                content_type = "text/plain"
                if content is None:
                    content = content_type = ""
                elif not isinstance(content, (str, bytes)):
                    content, content_type = json.dumps(content), "application/json"
                if isinstance(content, str):
                    content = content.encode()
                try:
                    self.send_response(status)
                    headers = {"Content-Type": content_type} if content_type else {}
                    headers |= (more or [{}])[0]
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    pass  # The client has disconnected.

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v1"

    def hold(self):
        self._released.clear()

    def release(self):
        self._released.set()

    def wait_for(self, count, timeout=15):
        """Waits until `count` calls have been received; false after the timeout."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.calls) >= count, timeout)

    def stop(self):
        self.release()
        self.server.shutdown()
        self.server.server_close()
