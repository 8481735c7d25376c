import { Type } from '@sinclair/typebox';
import { nullable, PageQuery } from '@steward/http';
import { ENROLLMENT_STATUSES, FIRST_STATUSES, LIFECYCLE_STATES, REGISTRATION_METHODS } from '@steward/agents';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
const word = (description: string) => Type.String({ pattern: '^[a-z0-9_]{1,64}$', description });
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const time = Type.String({ format: 'date-time' });

export const AgentParams = Type.Object({ agent_id: uuid('The agent.') });
export const EnrollmentParams = Type.Object({ agent_id: uuid('The agent.'), enrollment_id: uuid('The enrollment.') });

const Kind = word('Kind of agent: claude_code, codex, or a custom name.');
const Fields = {
  display_name: text(120, 'Display name of the agent.'),
  owner_user_id: nullable(uuid('The user of the account who is responsible for the agent.')),
  tags: Type.Array(text(64, 'A tag; policies can match on it.'), { maxItems: 20, uniqueItems: true }),
};
const State = oneOf(
  LIFECYCLE_STATES,
  'Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history is retained.',
);

export const CreateAgentBody = Type.Object(
  {
    agent_kind: Kind,
    display_name: Fields.display_name,
    session_source_type: Type.Optional(
      nullable(text(64, 'Source type of the agent’s sessions; set together with session_source_id.')),
    ),
    session_source_id: Type.Optional(nullable(text(255, 'Id of the agent at its session source; unique per source.'))),
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
    lifecycle_reason: Type.Optional(
      nullable(text(500, 'Reason for the lifecycle state; set together with the state.')),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export const MergeBody = Type.Object(
  { duplicate_agent_id: uuid('Id of the duplicate agent, which is merged into this agent.') },
  { additionalProperties: false },
);
export const AgentsQuery = Type.Object(
  {
    ...PageQuery,
    agent_kind: Type.Optional(Kind),
    lifecycle_state: Type.Optional(State),
    tag: Type.Optional(text(64, 'Only agents with this tag.')),
    q: Type.Optional(text(120, 'Only agents whose name contains this string, ignoring case.')),
  },
  { additionalProperties: false },
);
export const EnrollmentsQuery = Type.Object(PageQuery, { additionalProperties: false });

const Facts = {
  gateway_routed: Type.Boolean({ description: 'Whether the agent’s model calls go through the gateway.' }),
  mcp_rewritten: Type.Boolean({ description: 'Whether the agent reaches its tool servers through the service.' }),
  mcp_server_count: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Number of tool servers in the agent’s configuration.',
  }),
};
const optionalFacts = {
  gateway_routed: Type.Optional(Facts.gateway_routed),
  mcp_rewritten: Type.Optional(Facts.mcp_rewritten),
  mcp_server_count: Type.Optional(Facts.mcp_server_count),
};
const Adapter = word(
  'Key of the program component (adapter) that changed the agent’s configuration file, for example codex.',
);
const ConfigPath = text(1024, 'Path of the configuration file. No event contains the path.');

export const CreateEnrollmentBody = Type.Object(
  {
    enrollment_type: word('How the agent was enrolled: cli, manual, or a custom name.'),
    adapter_key: Type.Optional(nullable(Adapter)),
    target_config_path: Type.Optional(nullable(ConfigPath)),
    status: Type.Optional(oneOf(FIRST_STATUSES, 'State of the enrollment; default pending.')),
    ...optionalFacts,
    candidate_id: Type.Optional(nullable(uuid('The discovery candidate.'))),
  },
  { additionalProperties: false },
);
export const ValidateBody = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether a call of the agent reached the service.' }),
    ...optionalFacts,
    message: Type.Optional(text(1000, 'Findings of the check.')),
  },
  { additionalProperties: false },
);
export const RestoreBody = Type.Object({}, { additionalProperties: false });

export const EnrollmentAnswer = Type.Object({
  id: uuid('The enrollment.'),
  agent_id: uuid('The enrolled agent.'),
  enrollment_type: Type.String(),
  adapter_key: nullable(Type.String()),
  target_config_path: nullable(Type.String()),
  status: oneOf(ENROLLMENT_STATUSES, 'State of the enrollment; `restored` is a final state.'),
  ...Facts,
  candidate_id: nullable(Type.String({ format: 'uuid' })),
  message: nullable(Type.String()),
  onboarded_at: nullable(time, 'When the enrollment was first validated.'),
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
  enrolled_via: oneOf(REGISTRATION_METHODS, 'How the agent was registered.'),
  lifecycle_state: State,
  lifecycle_reason: nullable(Type.String()),
  merged_into: nullable(uuid('The agent that this one was merged into.')),
  last_seen_at: nullable(time, 'Time of the last call with one of the agent’s keys, to the minute.'),
  last_model_call_at: nullable(time, 'Time of the last model call through the gateway, to the minute.'),
  last_permission_check_at: nullable(time, 'Time of the last permission check by the agent’s hook, to the minute.'),
  warnings: Type.Array(
    Type.Object({
      code: Type.Unsafe<'tool_calls_not_asked'>({ type: 'string', enum: ['tool_calls_not_asked'] }),
      message: Type.String({ description: 'The problem and how to solve it.' }),
    }),
    {
      description: 'Warnings about policies that appear to apply to the agent’s tool calls but have no effect on them.',
    },
  ),
  latest_enrollment: nullable(EnrollmentAnswer),
  created_at: time,
  updated_at: time,
});
