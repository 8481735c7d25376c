import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { TRACKER_KINDS } from '@steward/trackers';
import { literals, TrackerRepository } from '@steward/api';

const id = Type.String({ format: 'uuid', description: 'The connection.' });
const Kind = literals(TRACKER_KINDS, 'Kind of tracker; it cannot be changed later.');
const Name = Type.String({
  maxLength: 100,
  description: 'Name that agents use for the connection in tool calls; unique in the account.',
});
const Token = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Access token for the tracker; stored encrypted and never returned.',
});
const details = {
  base_url: Type.Optional(
    Type.String({
      description:
        'https base URL of a self-hosted tracker. Default: api.github.com, gitlab.com or api.linear.app; required for Jira.',
    }),
  ),
  username: Type.Optional(
    nullable(
      Type.String({ maxLength: 200 }),
      'Email address of the token’s owner, for Jira Cloud. If it is omitted, the server is assumed to run Jira Data Center.',
    ),
  ),
  repositories: Type.Optional(
    Type.Array(TrackerRepository, {
      maxItems: 100,
      description:
        'Repositories and projects that flows and agents may use; "acme/*" includes everything below "acme". Empty: all that the token can access.',
    }),
  ),
};

export const CreateTrackerBody = Type.Object(
  { name: Name, kind: Kind, token: Token, ...details },
  { additionalProperties: false },
);

export const UpdateTrackerBody = Type.Object(
  { name: Type.Optional(Name), token: Type.Optional(Token), ...details },
  { additionalProperties: false },
);

export const TrackerParams = Type.Object({ tracker_id: id });

export const TrackerQuery = Type.Object({ ...PageQuery }, { additionalProperties: false });

export const TrackerAnswer = Type.Object({
  id,
  name: Type.String(),
  kind: Kind,
  base_url: Type.String(),
  username: nullable(Type.String()),
  repositories: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

export const TestTrackerBody = Type.Object(
  { repository: Type.Optional(TrackerRepository) },
  { additionalProperties: false },
);

export const TrackerTrial = Type.Object({
  ok: Type.Boolean(),
  latency_ms: Type.Integer(),
  login: nullable(Type.String(), 'Name of the token’s owner at the tracker.'),
  name: nullable(Type.String()),
  scopes: nullable(Type.Array(Type.String()), 'Scopes of the token; null if the tracker does not report them.'),
  expires_at: nullable(
    Type.String(),
    'Expiry of the token, in the tracker’s format; null if the token never expires or the tracker does not report the expiry.',
  ),
  repository: nullable(
    Type.Object({
      name: Type.String(),
      may_read: Type.Boolean(),
      may_write: Type.Boolean(),
      may_manage_hooks: nullable(
        Type.Boolean(),
        'Whether the token may manage webhooks, which is required for events of the tracker to start flows.',
      ),
    }),
    'Permissions of the token in the requested repository.',
  ),
  error: nullable(
    Type.Object({
      code: Type.String({
        description: 'Code: unauthorized, forbidden, not_found, invalid, rate_limited, unavailable or unreachable.',
      }),
      message: Type.String(),
    }),
    'Reason for the failure; null on success.',
  ),
});
