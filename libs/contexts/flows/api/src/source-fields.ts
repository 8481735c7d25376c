import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { SOURCE_NAMES } from '@steward/flows';
import { literals } from '@steward/api';

/** Fields of a webhook's source, as clients set and read them. */
export const sourceFields = {
  source: Type.Optional(
    literals(
      SOURCE_NAMES,
      'Service that sends the requests. The choice determines how signatures, media types, headers, deduplication and handshakes are handled. If no source is set, every sender of JSON is accepted: a request whose headers identify one of these services is handled like a request of that service; of any other request, only the payload is stored.',
    ),
  ),
  signing_secrets: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
        maxItems: 5,
        description:
          'Secrets with which the sender signs requests; each is tried, so that secrets can be rotated. They are stored encrypted and returned as "[hidden]". Sending "[hidden]" keeps the secret at that position, omitting the field keeps all secrets, and null removes them. If any is set, a request that matches none of them is refused with 401. For `sns`, the secrets are certificates in PEM format; for `cloudevents`, they are bearer tokens; for `gitlab`, a request may contain the secret itself as `X-Gitlab-Token` instead of a signature.',
      }),
    ),
  ),
  event_types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description:
        'Events that start a run, by the names that the sender uses, for example "pull_request.opened", "Merge Request Hook", "repo:push", "jira:issue_created". An empty list means all events.',
    }),
  ),
  filter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'Condition in CEL, as in policies, over `payload` and `event` (name, action, names), for example payload.pull_request.draft == false. Requests that do not match are ignored.',
    }),
  ),
  headers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), {
      maxItems: 20,
      description: 'Additional headers to pass to the run. Headers that may contain a credential are not allowed.',
    }),
  ),
};
