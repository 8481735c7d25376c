import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { EXECUTION_STATUSES, FAILURE_CATEGORIES, FLOW_TRIGGERS, HIDDEN_VALUE } from '@steward/flows';
import { allowedTools } from './allowed-tools-field.ts';
import { TrackerConfig, TrackerConfigAnswer } from './hooks/hook-schemas.ts';
import { ScheduleConfigFields } from './schedules/schedule-schemas.ts';
import { literals } from '@steward/api';
import { sourceFields } from './source-fields.ts';

export const FlowParams = Type.Object({ flow_id: Type.String({ format: 'uuid', description: 'The flow.' }) });
export const ExecutionParams = Type.Object({
  execution_id: Type.String({ format: 'uuid', description: 'The execution.' }),
});

/**
 * Matches a path in settings, relative to the workspace. It matches no path with a segment `.git` or its short name
 * `git~1`, in any capitalization and with any trailing dots or spaces; payload files have stricter rules. The
 * lookaheads use `[^\u0000]*` instead of `.*`, because a dot does not match U+2028, which a path may contain.
 */
const PATH_PATTERN =
  '^(?![/~])(?![^\\u0000]*(^|/)\\.\\.(/|$))(?![^\\u0000]*(^|/)(\\.[gG][iI][tT]|[gG][iI][tT]~\\d+)[. ]*(/|$))[^\\\\\\u0000-\\u001f]+$';

const EvidencePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: PATH_PATTERN,
  description: 'Path of a file or folder in the workspace; no segment may be .git.',
});
const ClonePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: PATH_PATTERN,
  description: 'Path of the folder in the workspace for the cloned repository; no segment may be .git.',
});

const WebhookConfig = Type.Object(
  {
    ...sourceFields,
    webhook_secret: Type.Optional(
      nullable(
        Type.String({
          maxLength: 200,
          description:
            'The field is ignored, since the service generates the secret. It is accepted so that a response can be sent back unchanged.',
        }),
      ),
    ),
    supersede_on_update: Type.Optional(
      Type.Boolean({
        description:
          'If true, a trigger whose dedupe value is that of an active execution stops this execution and starts a new one.',
      }),
    ),
    dedupe_path: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Path in the payload, for example pull_request.number; at most one execution per value at this path is active at a time.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WebhookConfig' },
);

const GitCloneConfig = Type.Object(
  {
    repository_url: Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^(https?|ssh|git|file)://[^\\s]+$',
      description:
        'URL of the repository, which is cloned before the `workspace_files` of the trigger are written. A user and password in the URL are stored encrypted and never returned; {{secret.NAME}} can be used in their place.',
    }),
    credentials: Type.Optional(
      nullable(
        Type.Literal(HIDDEN_VALUE, {
          description:
            'The response says whether user and password are stored. A request that omits the field or sends it back keeps the stored user and password if the URL points to the same server; null removes them.',
        }),
      ),
    ),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_][A-Za-z0-9._/-]*$' })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of commits to fetch.' })),
    clone_path: Type.Optional(ClonePath),
  },
  { additionalProperties: false, title: 'GitCloneConfig' },
);

const Evidence = Type.Object(
  { enabled: Type.Boolean(), paths: Type.Array(EvidencePath, { maxItems: 100 }) },
  {
    additionalProperties: false,
    title: 'EvidenceConfig',
    description: 'Workspace files to store as evidence of the run.',
  },
);

const Reporting = Type.Object(
  {
    cra: Type.Optional(
      Type.Boolean({
        description: 'Whether an event is emitted for each exploited vulnerability of the product in `result.json`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'ReportingConfig',
    description: 'Settings for the report of the flow’s results.',
  },
);

const NetworkAllow = Type.Array(Type.String({ minLength: 1, maxLength: 262 }), {
  maxItems: 100,
  description:
    'Hosts that programs of a run may reach in addition to the API: "host", "host:port", "*.host", or "*" for all public hosts. Without a port: 80 and 443. Default: none.',
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
        description: 'Header value; it can contain {{secret.NAME}}, for example "Bearer {{secret.GITHUB_TOKEN}}".',
      }),
    },
    { additionalProperties: false, title: 'NetworkSecret' },
  ),
  {
    maxItems: 20,
    description:
      'Headers that are added to requests of the run to http://host. These requests are forwarded over HTTPS. Programs of the run never see the values of these headers.',
  },
);

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Unique in the account.' });

const optional = {
  description: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  is_enabled: Type.Optional(
    Type.Boolean({
      description: 'Whether the flow can be started. Triggers of a disabled flow are refused with 409. Default true.',
    }),
  ),
  trigger: Type.Optional(
    literals(FLOW_TRIGGERS, 'Trigger that starts the flow, in addition to manual starts. Default manual.'),
  ),
  ai_model_id: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  allowed_tools: allowedTools,
  webhook_config: Type.Optional(nullable(WebhookConfig)),
  tracker_config: Type.Optional(nullable(TrackerConfig)),
  schedule_config: Type.Optional(nullable(ScheduleConfigFields)),
  git_clone_config: Type.Optional(nullable(GitCloneConfig)),
  setup_commands: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
      maxItems: 100,
      description:
        'Shell commands that run before the agent. {{secret.NAME}} is replaced by a shell variable that contains that secret.',
    }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, description: 'Time limit of one run, in seconds. Default 3600.' }),
  ),
  evidence: Type.Optional(nullable(Evidence)),
  reporting: Type.Optional(nullable(Reporting)),
  network_allow: Type.Optional(NetworkAllow),
  network_secrets: Type.Optional(nullable(NetworkSecrets)),
};

const PromptTemplate = Type.String({
  maxLength: 100_000,
  description:
    'Prompt template with placeholders such as {{trigger_event.payload.repository.name}} and the filter |truncate(N).',
});
const AgentType = literals(['command', 'builtin'] as const, 'Kind of agent: a command, or the built-in agent.');
const AgentConfig = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of "env" are stored encrypted and returned as "[hidden]". An update keeps values that are omitted or sent back as "[hidden]"; null removes a value. {{secret.NAME}} in a value refers to a named secret.',
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
    description: 'Values of `env` are "[hidden]". For callers without edit_flows, `command` is hidden as well.',
  }),
  allowed_tools: Type.Array(Type.String()),
  webhook_config: nullable(
    Type.Object({
      webhook_secret: Type.Optional(Type.String({ description: 'The secret; only for callers with edit_flows.' })),
      webhook_secret_hint: Type.Optional(nullable(Type.String({ description: 'Last four characters of the secret.' }))),
      supersede_on_update: Type.Optional(Type.Boolean()),
      dedupe_path: Type.Optional(Type.String()),
      ...sourceFields,
    }),
  ),
  tracker_config: nullable(TrackerConfigAnswer, 'Tracker whose events start the flow.'),
  schedule_config: nullable(ScheduleConfigFields),
  git_clone_config: Type.Unknown({
    description: 'The URL is returned without user and password; `credentials` says whether they are stored.',
  }),
  setup_commands: Type.Array(Type.String(), {
    description: 'Each value is "[hidden]" for callers without edit_flows.',
  }),
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
  status: literals(EXECUTION_STATUSES, 'Status of the execution.'),
  failure_category: nullable(
    literals(FAILURE_CATEGORIES, 'Kind of failure; null unless the status is failed or stopped.'),
  ),
  error_message: nullable(Type.String()),
  trigger_type: Type.String(),
  trigger_event_details: Type.Unknown({ description: 'Copy of the data of the trigger; file contents are redacted.' }),
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
  execution_status: literals(EXECUTION_STATUSES, 'Status at the time of the response.'),
  deduplicated: Type.Boolean({
    description: 'Whether an earlier trigger with the same idempotency key or dedupe value started the execution.',
  }),
  status_url: Type.String({
    description: 'URL of the execution; a request with ?wait=60 waits up to 60 seconds for the execution to end.',
  }),
});

export const IgnoredAnswer = Type.Object(
  {
    status: Type.Literal('ignored'),
    flow_id: Type.String({ format: 'uuid' }),
    reason: Type.String({
      description:
        'Why nothing is started: the request is not an event (for example, it is a ping), has an event type that the flow does not listen to, or is excluded by the filter.',
    }),
    event: nullable(Type.String({ description: 'Name that the sender uses for the event.' })),
    arrival_id: Type.String({ format: 'uuid', description: 'Id of the request in the list of arrivals.' }),
  },
  { title: 'IgnoredWebhook' },
);

export const Challenge = Type.Record(Type.String(), Type.String(), {
  description: 'The value that the sender expects in the response, for example {"challenge": "…"}.',
});
