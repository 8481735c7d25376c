import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { SOURCE_NAMES } from '@steward/slice-flows';

export const literals = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { description },
  );

/** What a client reads as it set it. */
export const sourceFields = {
  source: Type.Optional(
    literals(
      SOURCE_NAMES,
      'Who sends: its signature, media types, headers, repeats and handshakes. Left out: any sender of JSON, of whose requests nothing but the payload is kept.',
    ),
  ),
  signing_secrets: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
        maxItems: 5,
        description:
          'What the host signs with; with several each is tried, so that one can be replaced. Stored sealed, answered as "[hidden]", which keeps the one at its place; left out all stay, null removes them. With any, a request whose signature fits none is 401. Of sns certificates in PEM, of cloudevents bearers.',
      }),
    ),
  ),
  event_types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description:
        'Events that start a run, by the host’s own names, for example "pull_request.opened", "Merge Request Hook", "repo:push", "jira:issue_created". None: all.',
    }),
  ),
  filter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'Condition (CEL, as in policies) over `payload` and `event` (name, action, names), for example payload.pull_request.draft == false. What it is not true of is ignored.',
    }),
  ),
  headers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), {
      maxItems: 20,
      description: 'Headers that the run is told besides those of its source; none that may hold a credential.',
    }),
  ),
};
