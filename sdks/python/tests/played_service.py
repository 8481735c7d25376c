"""A real HTTP server whose responses are determined by the test."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Tuple


class Received(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


Given = Tuple[int, Any, Dict[str, str]]


class PlayedService:
    """`answer` gets the request and the number of earlier requests; "cut" closes the connection."""

    def __init__(self) -> None:
        self.received: List[Received] = []
        self.answer: Callable[[Received, int], Any] = lambda _request, _index: (200, {}, {})
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Received(self.command, self.path, headers, self.rfile.read(size))
                service.received.append(request)
                given = service.answer(request, len(service.received) - 1)
                if given == "cut":
                    self.close_connection = True
                    return
                status, body, more = given
                content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode("utf-8")
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

            def log_message(self, *_given: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:{}".format(self.server.server_port)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
