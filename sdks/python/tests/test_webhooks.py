import base64
import hashlib
import hmac
import json
import unittest

from steward_sdk import WebhookVerificationError, verify_webhook

SECRET = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
OLDER = "whsec_ISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0A="
NOW = 1_790_000_000
BODY = json.dumps({"id": "e-1", "type": "policy.denied", "data": {"tool_name": "größer"}}, ensure_ascii=False)


def service(secret=SECRET, time=NOW, body=BODY):
    mac = hmac.new(secret.encode(), "{}.{}".format(time, body).encode(), hashlib.sha256).hexdigest()
    return {"X-Service-Signature": "t={},v1={}".format(time, mac)}


def standard(secret=SECRET, time=NOW, body=BODY):
    key = base64.b64decode(secret[6:])
    mac = base64.b64encode(hmac.new(key, "m-1.{}.{}".format(time, body).encode(), hashlib.sha256).digest()).decode()
    return {"webhook-id": "m-1", "webhook-timestamp": str(time), "webhook-signature": "v1," + mac}


class Webhooks(unittest.TestCase):
    def refusal(self, *given, **options) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            verify_webhook(*given, **{"now": NOW, **options})
        return caught.exception.code

    def test_a_signed_request_is_accepted_in_both_forms(self) -> None:
        for headers in (service(), standard()):
            for body in (BODY, BODY.encode("utf-8")):
                event = verify_webhook(body, headers, SECRET, now=NOW)
                self.assertEqual((event["type"], event["data"]["tool_name"]), ("policy.denied", "größer"))

    def test_secrets_are_taken_without_their_prefix_and_during_a_rotation(self) -> None:
        for headers in (service(), standard()):
            for secrets in (SECRET[6:], [OLDER, SECRET], [OLDER[6:], SECRET[6:]]):
                self.assertEqual(verify_webhook(BODY, headers, secrets, now=NOW)["id"], "e-1")
            self.assertEqual(self.refusal(BODY, headers, OLDER), "signature_mismatch")
        self.assertEqual(verify_webhook(BODY, service("of my own"), "of my own", now=NOW)["id"], "e-1")

    def test_a_request_that_is_not_right_is_refused_with_its_reason(self) -> None:
        self.assertEqual(self.refusal(BODY, service(), ""), "secret_missing")
        self.assertEqual(self.refusal(BODY, service(), []), "secret_missing")
        self.assertEqual(self.refusal({"id": "e-1"}, service(), SECRET), "body_not_raw")
        self.assertEqual(self.refusal(BODY, {}, SECRET), "header_missing")
        self.assertEqual(self.refusal(BODY, {"X-Service-Signature": "t=1,t=2,v1=" + "a" * 64}, SECRET), "header_malformed")
        self.assertEqual(self.refusal(BODY, {"X-Service-Signature": "t=1,v1=zz"}, SECRET), "header_malformed")
        self.assertEqual(self.refusal(BODY + " ", service(), SECRET), "signature_mismatch")
        self.assertEqual(self.refusal(BODY, service(), SECRET, now=NOW + 301), "timestamp_too_old")
        self.assertEqual(self.refusal(BODY, service(), SECRET, now=NOW - 301), "timestamp_in_future")
        self.assertEqual(self.refusal("no JSON", service(body="no JSON"), SECRET), "body_not_json")
        self.assertEqual(self.refusal("[]", service(body="[]"), SECRET), "body_not_event")


if __name__ == "__main__":
    unittest.main()
