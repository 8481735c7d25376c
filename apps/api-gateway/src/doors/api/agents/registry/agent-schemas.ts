import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { ENROLLMENT_STATUSES, FIRST_STATUSES, LIFECYCLE_STATES, WAYS_IN } from '@steward/slice-agents';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const word = (description: string) => Type.String({ pattern: '^[a-z0-9_]{1,64}$', description });
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const time = Type.String({ format: 'date-time' });

export const AgentParams = Type.Object({ agent_id: uuid('The agent.') });
export const EnrollmentParams = Type.Object({ agent_id: uuid('The agent.'), enrollment_id: uuid('The enrollment.') });

const Kind = word('What it is: claude_code, codex, a name of your own.');
const Fields = {
  display_name: text(120, 'What people call it.'),
  owner_user_id: nullable(uuid('Who answers for it: a user of the account.')),
  tags: Type.Array(text(64, 'Policies may ask for it.'), { maxItems: 20, uniqueItems: true }),
};
const State = oneOf(LIFECYCLE_STATES, 'Suspended: its keys are refused. Retired: they are gone, its history stays.');

export const CreateAgentBody = Type.Object(
  {
    agent_kind: Kind,
    display_name: Fields.display_name,
    session_source_type: Type.Optional(nullable(text(64, 'Where its sessions come from; with the id.'))),
    session_source_id: Type.Optional(nullable(text(255, 'Its name there; one agent for each.'))),
    owner_user_id: Type.Optional(Fields.owner_user_id),
    tags: Type.Optional(Fields.tags),
  },
  { additionalProperties: false },
);
export const UpdateAgentBody = Type.Object(
  {
    display_name: Type.Optional(Fields.display_name),
    owner_user_id: Type.Optional(Fields.owner_user_id),
    tags: Type.Optional(Fields.tags),
    lifecycle_state: Type.Optional(State),
    lifecycle_reason: Type.Optional(nullable(text(500, 'Why; goes with the state it is of.'))),
  },
  { additionalProperties: false, minProperties: 1 },
);
export const MergeBody = Type.Object(
  { duplicate_agent_id: uuid('The agent that turned out to be this one.') },
  { additionalProperties: false },
);
export const AgentsQuery = Type.Object(
  {
    ...PageQuery,
    agent_kind: Type.Optional(Kind),
    lifecycle_state: Type.Optional(State),
    tag: Type.Optional(text(64, 'That has this tag.')),
    q: Type.Optional(text(120, 'Part of its name, whatever the case of letters.')),
  },
  { additionalProperties: false },
);
export const EnrollmentsQuery = Type.Object(PageQuery, { additionalProperties: false });

const Facts = {
  gateway_routed: Type.Boolean({ description: 'Its model calls go through the gateway.' }),
  mcp_rewritten: Type.Boolean({ description: 'Its tool servers are reached through the service.' }),
  mcp_server_count: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Tool servers it is set up with.' }),
};
const optionalFacts = {
  gateway_routed: Type.Optional(Facts.gateway_routed),
  mcp_rewritten: Type.Optional(Facts.mcp_rewritten),
  mcp_server_count: Type.Optional(Facts.mcp_server_count),
};
const Adapter = word('What changed the configuration.');
const ConfigPath = text(1024, 'Where the configuration lies; no event says it.');

export const CreateEnrollmentBody = Type.Object(
  {
    enrollment_type: word('How it was enrolled: cli, manual, a name of your own.'),
    adapter_key: Type.Optional(nullable(Adapter)),
    target_config_path: Type.Optional(nullable(ConfigPath)),
    status: Type.Optional(oneOf(FIRST_STATUSES, 'How far it is; pending unless set.')),
    ...optionalFacts,
    candidate_id: Type.Optional(nullable(uuid('What discovery found.'))),
  },
  { additionalProperties: false },
);
export const ValidateBody = Type.Object(
  {
    ok: Type.Boolean({ description: 'A call of the agent came through.' }),
    ...optionalFacts,
    message: Type.Optional(text(1000, 'What was seen.')),
  },
  { additionalProperties: false },
);
export const RestoreBody = Type.Object({}, { additionalProperties: false });

export const EnrollmentAnswer = Type.Object({
  id: uuid('The enrollment.'),
  agent_id: uuid('Its agent.'),
  enrollment_type: Type.String(),
  adapter_key: nullable(Type.String()),
  target_config_path: nullable(Type.String()),
  status: oneOf(ENROLLMENT_STATUSES, 'How far it is; restored is the end.'),
  ...Facts,
  candidate_id: nullable(Type.String({ format: 'uuid' })),
  message: nullable(Type.String()),
  onboarded_at: nullable(time, 'When it was validated first.'),
  created_at: time,
  updated_at: time,
});

export const AgentAnswer = Type.Object({
  id: uuid('The agent.'),
  agent_kind: Type.String(),
  display_name: Type.String(),
  session_source_type: nullable(Type.String()),
  session_source_id: nullable(Type.String()),
  owner_user_id: nullable(Type.String({ format: 'uuid' })),
  tags: Type.Array(Type.String()),
  enrolled_via: oneOf(WAYS_IN, 'How it came into the registry.'),
  lifecycle_state: State,
  lifecycle_reason: nullable(Type.String()),
  merged_into: nullable(uuid('The agent it turned out to be.')),
  last_seen_at: nullable(time, 'A call with one of its keys, exact to a minute.'),
  last_model_call_at: nullable(time, 'A call of a model through the gateway, exact to a minute.'),
  last_permission_check_at: nullable(time, 'Its hook asked about a call of a tool, exact to a minute.'),
  warnings: Type.Array(
    Type.Object({
      code: Type.Unsafe<'tool_calls_not_asked'>({ type: 'string', enum: ['tool_calls_not_asked'] }),
      message: Type.String({ description: 'What is wrong, and what to do.' }),
    }),
    { description: 'What looks as if rules were in force, and is not.' },
  ),
  latest_enrollment: nullable(EnrollmentAnswer),
  created_at: time,
  updated_at: time,
});
