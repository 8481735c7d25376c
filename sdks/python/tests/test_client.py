import socket
import unittest
from datetime import datetime, timezone

from steward_sdk import Steward, StewardError
from tests.played_service import PlayedService

BUSY = (503, {"detail": {"code": "unavailable", "message": "Later."}, "request_id": "r-1"}, {})


class ClientTests(unittest.TestCase):
    def setUp(self) -> None:
        self.service = PlayedService()
        self.addCleanup(self.service.close)
        self.steward = Steward(self.service.url + "/", "stw_key", retry_delay=0.001)

    def refusal(self, work) -> StewardError:
        with self.assertRaises(StewardError) as caught:
            work()
        return caught.exception


class Calls(ClientTests):
    def test_path_query_body_and_credential_stand_where_the_service_expects_them(self) -> None:
        self.service.answer = lambda _request, _index: (200, {"id": "one"}, {})
        self.assertEqual(self.steward.read_flow_secret("a/b?c"), {"id": "one"})
        self.steward.import_sessions("{}", {"format": "codex", "label": ["team:a", "team:b"], "dry_run": True})
        self.steward.open_session({"session_source_type": "agent", "session_source_id": "größer"})
        secret, imported, opened = self.service.received
        self.assertEqual((secret.method, secret.path), ("GET", "/api/v1/flow-secrets/a%2Fb%3Fc"))
        self.assertEqual(secret.headers["authorization"], "Bearer stw_key")
        self.assertEqual(
            imported.path, "/api/v1/runtime-sessions/import?format=codex&label=team%3Aa&label=team%3Ab&dry_run=true"
        )
        self.assertEqual(imported.body, b"{}")
        self.assertEqual(opened.headers["content-type"], "application/json")
        self.assertEqual(opened.json(), {"session_source_type": "agent", "session_source_id": "größer"})

    def test_a_function_is_asked_for_the_credential_each_time(self) -> None:
        tokens = iter(["token-1", "token-2"])
        asking = Steward(self.service.url, lambda: next(tokens))
        self.service.answer = lambda _request, _index: (204, None, {})
        self.assertIsNone(asking.delete_flow("one"))
        asking.delete_flow("two")
        given = [request.headers["authorization"] for request in self.service.received]
        self.assertEqual(given, ["Bearer token-1", "Bearer token-2"])

    def test_an_error_has_the_code_the_field_and_the_request_id_of_the_service(self) -> None:
        detail = {"code": "invalid_request", "message": '"name" is missing.', "field": "name"}
        self.service.answer = lambda _request, _index: (422, {"detail": detail, "request_id": "r-7"}, {})
        error = self.refusal(lambda: self.steward.create_role({"name": "a", "permissions": []}))
        self.assertEqual((error.status, error.code, error.request_id), (422, "invalid_request", "r-7"))
        self.assertEqual((str(error), error.detail["field"]), ('"name" is missing.', "name"))
        self.service.answer = lambda _request, _index: (400, b"a page of a proxy", {})
        self.assertEqual(self.refusal(self.steward.read_me).code, "unexpected_answer")

    def test_a_redirect_takes_the_credential_nowhere(self) -> None:
        elsewhere = PlayedService()
        self.addCleanup(elsewhere.close)
        self.service.answer = lambda _request, _index: (302, None, {"location": elsewhere.url})
        self.assertEqual(self.refusal(self.steward.read_me).status, 302)
        self.assertEqual(elsewhere.received, [])

    def test_bytes_are_answered_as_they_came(self) -> None:
        self.service.answer = lambda _request, _index: (200, b"\x1f\x8b", {"content-type": "application/gzip"})
        answer = self.steward.download_execution_evidence("one")
        self.assertEqual((answer.body, answer.headers["content-type"]), (b"\x1f\x8b", "application/gzip"))


class Retries(ClientTests):
    def flaky(self, failure, last=(200, {"id": "one"}, {})) -> None:
        self.service.received.clear()
        self.service.answer = lambda _request, index: failure if index < 2 else last

    def test_a_read_is_sent_again(self) -> None:
        for failure in (BUSY, (502, b"a page", {}), "cut"):
            with self.subTest(failure=failure):
                self.flaky(failure)
                self.assertEqual(self.steward.read_flow("one"), {"id": "one"})
                self.assertEqual(len(self.service.received), 3)

    def test_what_may_have_been_done_is_sent_once(self) -> None:
        self.flaky("cut")
        self.assertEqual(self.refusal(lambda: self.steward.create_flow({})).code, "unreachable")
        self.flaky(BUSY)
        self.assertEqual(self.refusal(lambda: self.steward.create_flow({})).status, 503)
        self.assertEqual(len(self.service.received), 1)

    def test_everything_is_sent_again_when_the_service_asks_for_it(self) -> None:
        self.flaky((429, BUSY[1], {"retry-after": "0"}))
        self.steward.create_flow({})
        self.assertEqual(len(self.service.received), 3)
        self.flaky((429, BUSY[1], {"retry-after": "3600"}))
        self.assertEqual(self.refusal(lambda: self.steward.create_flow({})).status, 429)

    def test_an_entry_with_an_external_id_is_sent_again(self) -> None:
        call = {"tool_name": "bash", "arguments": {}}
        self.flaky("cut")
        self.assertEqual(self.refusal(lambda: self.steward.store_tool_call("one", call)).code, "unreachable")
        self.flaky("cut")
        self.steward.store_tool_call("one", {**call, "external_id": "call-1"})
        self.assertEqual(len(self.service.received), 3)

    def test_all_attempts_of_a_trigger_have_one_idempotency_key(self) -> None:
        self.flaky("cut", (202, {}, {}))
        self.steward.trigger_flow("one", {"sha": "a"})
        keys = [request.headers["idempotency-key"] for request in self.service.received]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))
        self.steward.trigger_flow("one", {"sha": "a"})
        self.steward.trigger_flow("one", {"sha": "a"}, idempotency_key="build-42")
        self.assertNotEqual(self.service.received[3].headers["idempotency-key"], keys[0])
        self.assertEqual(self.service.received[4].headers["idempotency-key"], "build-42")

    def test_a_service_that_is_not_there_is_named_so(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        nobody = Steward("http://127.0.0.1:{}".format(port), retries=1, retry_delay=0.001)
        error = self.refusal(lambda: nobody.create_flow({}))
        self.assertEqual((error.code, error.status), ("unreachable", 0))


class Lists(ClientTests):
    def test_a_list_is_read_page_by_page(self) -> None:
        pages = {
            None: {"items": [{"id": 1}, {"id": 2}], "next_cursor": "b"},
            "b": {"items": [], "next_cursor": "c/="},
            "c%2F%3D": {"items": [{"id": 3}], "next_cursor": None},
        }
        self.service.answer = lambda request, _index: (
            200,
            pages[request.path.split("cursor=")[1] if "cursor=" in request.path else None],
            {},
        )
        flows = self.steward.list_flows({"limit": 2})
        self.assertEqual(len(self.service.received), 0)
        self.assertEqual(len(flows.first()["items"]), 2)
        self.assertEqual([flow["id"] for flow in flows], [1, 2, 3])
        self.assertEqual(len(self.service.received), 3)
        next(iter(self.steward.list_flows()))
        self.assertEqual(len(self.service.received), 4)

    def test_a_search_is_read_page_by_page(self) -> None:
        def answer(request, _index):
            cursor = request.json().get("cursor")
            return 200, {"results": [{"score": cursor}], "next_cursor": "next" if cursor is None else None}, {}

        self.service.answer = answer
        self.assertEqual([found["score"] for found in self.steward.search_all({"query": "cart"})], [None, "next"])


class Waits(ClientTests):
    def test_a_wait_ends_with_the_final_state_through_restarts_of_the_service(self) -> None:
        states = ["PENDING", "cut", "RUNNING", "FAILED"]
        self.service.answer = lambda _request, index: (
            "cut" if states[index] == "cut" else (200, {"status": states[index]}, {})
        )
        self.assertEqual(self.steward.wait_for_execution("one")["status"], "FAILED")
        self.assertEqual(self.service.received[0].path, "/api/v1/flows/executions/one?wait=30")

    def test_a_wait_for_an_approval_ends_with_the_decision_or_with_its_time(self) -> None:
        self.service.answer = lambda _request, index: (200, {"status": "pending" if index == 0 else "declined"}, {})
        self.assertEqual(self.steward.wait_for_approval("one")["status"], "declined")
        self.service.answer = lambda _request, _index: (200, {"status": "pending"}, {})
        error = self.refusal(lambda: self.steward.wait_for_approval("one", within=0.005))
        self.assertEqual(error.code, "wait_timeout")

    def test_a_wait_for_indexing_ends_when_content_has_vectors(self) -> None:
        def setting(enabled, pending, through, possible=True):
            corpus = {"pending": pending, "embedded_through": through}
            return 200, {"enabled": enabled, "deployment_embedding_enabled": possible, "corpus": corpus}, {}

        steps = [setting(True, 3, None), setting(True, 1, "2026-11-20T09:00:00.000Z")]
        self.service.answer = lambda _request, index: steps[index]
        self.assertTrue(self.steward.wait_for_indexing(datetime(2026, 11, 20, 9, tzinfo=timezone.utc)))
        self.service.answer = lambda _request, _index: setting(False, 3, None)
        self.assertFalse(self.steward.wait_for_indexing())
        self.service.answer = lambda _request, _index: setting(True, 3, None, possible=False)
        self.assertFalse(self.steward.wait_for_indexing())


if __name__ == "__main__":
    unittest.main()
