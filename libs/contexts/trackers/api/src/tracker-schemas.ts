import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { TRACKER_KINDS } from '@steward/trackers';
import { literals, TrackerRepository } from '@steward/api';

const id = Type.String({ format: 'uuid', description: 'The connection.' });
const Kind = literals(TRACKER_KINDS, 'Which tracker it is; it stays.');
const Name = Type.String({ maxLength: 100, description: 'What tools of agents call it by; unique in the account.' });
const Token = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'A token of the tracker. Stored encrypted and never returned.',
});
const details = {
  base_url: Type.Optional(
    Type.String({
      description:
        'Where a tracker of one’s own stands, https. Left out: api.github.com, gitlab.com, api.linear.app; Jira has none.',
    }),
  ),
  username: Type.Optional(
    nullable(
      Type.String({ maxLength: 200 }),
      'Of Jira Cloud: the e-mail address whose token it is. Without it Jira is taken for Data Center.',
    ),
  ),
  repositories: Type.Optional(
    Type.Array(TrackerRepository, {
      maxItems: 100,
      description:
        'What flows and agents may use it for; "acme/*" stands for all below a place. None: all that the token reaches.',
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
  login: nullable(Type.String(), 'Whose token it is, as the tracker calls them.'),
  name: nullable(Type.String()),
  scopes: nullable(Type.Array(Type.String()), 'What the token may; null where the tracker does not tell.'),
  expires_at: nullable(Type.String(), 'As the tracker writes it; null where it does not tell, or never.'),
  repository: nullable(
    Type.Object({
      name: Type.String(),
      may_read: Type.Boolean(),
      may_write: Type.Boolean(),
      may_manage_hooks: nullable(Type.Boolean(), 'Whether flows can start by its events.'),
    }),
    'Of the repository that was asked about.',
  ),
  error: nullable(
    Type.Object({
      code: Type.String({
        description: 'unauthorized, forbidden, not_found, invalid, rate_limited, unavailable or unreachable.',
      }),
      message: Type.String(),
    }),
    'Why it did not answer so.',
  ),
});
