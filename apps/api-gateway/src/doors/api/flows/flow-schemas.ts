import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { EXECUTION_STATUSES, FAILURE_CATEGORIES, FLOW_TRIGGERS, HIDDEN_VALUE } from '@steward/slice-flows';
import { TrackerConfig, TrackerConfigAnswer } from '../trackers/tracker-schemas.ts';
import { ScheduleConfigFields } from './schedules/schedule-schemas.ts';
import { literals, sourceFields } from './source-fields.ts';

export const FlowParams = Type.Object({ flow_id: Type.String({ format: 'uuid', description: 'The flow.' }) });
export const ExecutionParams = Type.Object({
  execution_id: Type.String({ format: 'uuid', description: 'The execution.' }),
});

/**
 * A relative path inside the workspace as settings name it, and never a repository's own data, in any spelling a file system may
 * take for it; payload files have stricter rules of their own. Looks ahead past U+2028, where a dot of a pattern ends.
 */
const PATH_PATTERN =
  '^(?![/~])(?![^\\u0000]*(^|/)\\.\\.(/|$))(?![^\\u0000]*(^|/)(\\.[gG][iI][tT]|[gG][iI][tT]~\\d+)[. ]*(/|$))[^\\\\\\u0000-\\u001f]+$';

const EvidencePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: PATH_PATTERN,
  description: 'File or folder of the workspace; no segment may be .git.',
});
const ClonePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: PATH_PATTERN,
  description: 'Folder of the workspace the repository is cloned into; no segment may be .git.',
});

const WebhookConfig = Type.Object(
  {
    ...sourceFields,
    webhook_secret: Type.Optional(
      nullable(
        Type.String({
          maxLength: 200,
          description: 'Ignored: the service makes the secret. Accepted so that a read can be sent back.',
        }),
      ),
    ),
    supersede_on_update: Type.Optional(
      Type.Boolean({ description: 'A trigger with the value of an active execution stops that one and starts anew.' }),
    ),
    dedupe_path: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Payload path whose value allows one active execution, for example pull_request.number.',
      }),
    ),
  },
  { additionalProperties: false },
);

const GitCloneConfig = Type.Object(
  {
    repository_url: Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^(https?|ssh|git|file)://[^\\s]+$',
      description:
        'Repository to clone before the files are written. User and password are stored sealed and not answered again; {{secret.NAME}} may stand for them.',
    }),
    credentials: Type.Optional(
      nullable(
        Type.Literal(HIDDEN_VALUE, {
          description:
            'In answers: user and password are stored. Sent back, or left out, they stay while the URL leads to the same server; null removes them.',
        }),
      ),
    ),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_][A-Za-z0-9._/-]*$' })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Commits of history to fetch.' })),
    clone_path: Type.Optional(ClonePath),
  },
  { additionalProperties: false },
);

const Evidence = Type.Object(
  { enabled: Type.Boolean(), paths: Type.Array(EvidencePath, { maxItems: 100 }) },
  { additionalProperties: false, description: 'Files of the workspace kept as evidence of the run.' },
);

const Reporting = Type.Object(
  {
    cra: Type.Optional(
      Type.Boolean({ description: 'Exploited vulnerabilities in `result.json` that affect the product are reported.' }),
    ),
  },
  { additionalProperties: false, description: 'What results of the flow are reported as.' },
);

const NetworkAllow = Type.Array(Type.String({ minLength: 1, maxLength: 262 }), {
  maxItems: 100,
  description:
    'What the programs of its runs reach besides the API: "host", "host:port", "*.host" or "*" for public hosts; without a port 80 and 443. Default: nothing.',
});

const NetworkSecrets = Type.Array(
  Type.Object(
    {
      host: Type.String({ minLength: 1, maxLength: 253 }),
      header: Type.String({ minLength: 1, maxLength: 128 }),
      value: Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: '^[\\u0020-\\u007e]+$',
        description: 'With {{secret.NAME}}, for example "Bearer {{secret.GITHUB_TOKEN}}".',
      }),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 20,
    description:
      'Headers that requests to http://host are sent on with, as https, so that the programs of its runs never see the secret.',
  },
);

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Unique in the account.' });

const optional = {
  description: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  is_enabled: Type.Optional(Type.Boolean({ description: 'A disabled flow answers its triggers 409. Default true.' })),
  trigger: Type.Optional(literals(FLOW_TRIGGERS, 'What starts it besides a manual trigger. Default manual.')),
  ai_model_id: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  allowed_tools: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 500 })),
  webhook_config: Type.Optional(nullable(WebhookConfig)),
  tracker_config: Type.Optional(nullable(TrackerConfig)),
  schedule_config: Type.Optional(nullable(ScheduleConfigFields)),
  git_clone_config: Type.Optional(nullable(GitCloneConfig)),
  setup_commands: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
      maxItems: 100,
      description: 'Shell commands before the agent. {{secret.NAME}} becomes a shell variable with that secret.',
    }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, description: 'Time budget of one run. Default 3600.' }),
  ),
  evidence: Type.Optional(nullable(Evidence)),
  reporting: Type.Optional(nullable(Reporting)),
  network_allow: Type.Optional(NetworkAllow),
  network_secrets: Type.Optional(nullable(NetworkSecrets)),
};

const PromptTemplate = Type.String({
  maxLength: 100_000,
  description:
    'Prompt with placeholders such as {{trigger_event.payload.repository.name}} and the filter |truncate(N).',
});
const AgentType = literals(['command', 'builtin'] as const, 'How the agent runs.');
const AgentConfig = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of "env" are stored sealed and answered as "[hidden]"; an update keeps those it leaves out or sends back as "[hidden]", null removes one. {{secret.NAME}} in a value stands for a named secret.',
  },
);

export const CreateFlowBody = Type.Object(
  {
    name: Name,
    prompt_template: PromptTemplate,
    agent_type: AgentType,
    agent_config: Type.Optional(AgentConfig),
    ...optional,
  },
  { additionalProperties: false },
);

export const UpdateFlowBody = Type.Object(
  {
    name: Type.Optional(Name),
    prompt_template: Type.Optional(PromptTemplate),
    agent_type: Type.Optional(AgentType),
    agent_config: Type.Optional(AgentConfig),
    ...optional,
  },
  { additionalProperties: false },
);

export const FlowAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: nullable(Type.String()),
  is_enabled: Type.Boolean(),
  trigger: Type.String(),
  prompt_template: Type.String(),
  ai_model_id: nullable(Type.String()),
  agent_type: Type.String(),
  agent_config: Type.Unknown({
    description: 'Values of `env` are "[hidden]"; so is `command` for callers without edit_flows.',
  }),
  allowed_tools: Type.Array(Type.String()),
  webhook_config: nullable(
    Type.Object({
      webhook_secret: Type.Optional(Type.String({ description: 'For callers with edit_flows.' })),
      webhook_secret_hint: Type.Optional(
        nullable(Type.String({ description: 'Last four characters, for everybody else.' })),
      ),
      supersede_on_update: Type.Optional(Type.Boolean()),
      dedupe_path: Type.Optional(Type.String()),
      ...sourceFields,
    }),
  ),
  tracker_config: nullable(TrackerConfigAnswer, 'The tracker whose events start it.'),
  schedule_config: nullable(ScheduleConfigFields),
  git_clone_config: Type.Unknown({
    description: 'The URL is without user and password; `credentials` says that they are stored.',
  }),
  setup_commands: Type.Array(Type.String(), { description: 'Each "[hidden]" for callers without edit_flows.' }),
  timeout_seconds: Type.Integer(),
  evidence: Type.Unknown(),
  reporting: nullable(Reporting),
  network_allow: Type.Array(Type.String()),
  network_secrets: nullable(NetworkSecrets),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

export const ExecutionAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  flow_id: Type.String({ format: 'uuid' }),
  flow_name: Type.String(),
  status: literals(EXECUTION_STATUSES, 'Where the run is.'),
  failure_category: nullable(literals(FAILURE_CATEGORIES, 'Null unless failed or stopped.')),
  error_message: nullable(Type.String()),
  trigger_type: Type.String(),
  trigger_event_details: Type.Unknown({ description: 'Snapshot of the trigger; file contents are redacted.' }),
  resolved_input_prompt: nullable(Type.String()),
  runtime_session_id: nullable(Type.String({ format: 'uuid' })),
  result: Type.Unknown(),
  evidence_receipt: Type.Unknown(),
  created_at: Type.String({ format: 'date-time' }),
  started_at: nullable(Type.String({ format: 'date-time' })),
  finished_at: nullable(Type.String({ format: 'date-time' })),
});

export const TriggerAnswer = Type.Object({
  status: Type.Literal('accepted'),
  flow_id: Type.String({ format: 'uuid' }),
  execution_id: Type.String({ format: 'uuid' }),
  execution_status: literals(EXECUTION_STATUSES, 'Status when the answer was made.'),
  deduplicated: Type.Boolean({ description: 'True when an earlier execution answers this trigger.' }),
  status_url: Type.String({ description: 'Where to read the execution; ?wait=60 waits for its end.' }),
});

export const IgnoredAnswer = Type.Object({
  status: Type.Literal('ignored'),
  flow_id: Type.String({ format: 'uuid' }),
  reason: Type.String({ description: 'Why nothing runs: a ping, another event, the filter.' }),
  event: nullable(Type.String({ description: 'The host’s name of the event.' })),
  arrival_id: Type.String({ format: 'uuid', description: 'Where it stands in GET /flows/{flow_id}/arrivals.' }),
});

export const Challenge = Type.Record(Type.String(), Type.String(), {
  description: 'What the host sent to be sent back, for example {"challenge": "…"}.',
});
