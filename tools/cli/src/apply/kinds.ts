/** Kinds of documents, in the order in which they are created: each may refer to those before it. */
export const KINDS = ['model', 'tool-server', 'workflow', 'endpoint', 'channel', 'policy', 'budget', 'flow'] as const;

export type KindName = (typeof KINDS)[number];

export interface Kind {
  readonly path: string;
  /**
   * Field of the API that contains the name of a document; undefined if the account has only one document of this kind
   * (policy), or if other fields identify it.
   */
  readonly nameField?: string;
  /** Fields that identify an object that has no name. */
  readonly keyFields?: readonly string[];
  /** Fields of the request body, except for the name. */
  readonly fields: readonly string[];
  /** Fields that a create request does not accept; they are set by a subsequent change. */
  readonly changeOnly?: readonly string[];
  /** Fields that cannot be changed: if they differ, the object is replaced by a new one. */
  readonly fixed?: readonly string[];
  /** Fields that no response contains, with the field that shows whether there is a value. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields that are a credential although responses contain them: they are never printed. */
  readonly secret?: readonly string[];
  /**
   * Field with the address to which hidden fields are sent: the service deletes them if it changes, unless the request
   * contains them.
   */
  readonly address?: string;
  /** Values to which fields return when a document no longer contains them; the other fields keep their values. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * The fields are those of the bodies of `create...` in the OpenAPI document, with which a test compares them; the
 * defaults are compared with objects that the service creates.
 */
export const KIND: Readonly<Record<Exclude<KindName, 'policy'>, Kind>> = {
  model: {
    path: '/api/v1/ai-models',
    nameField: 'alias',
    fields: [
      ...['provider', 'model_identifier', 'base_url', 'api_key', 'prices', 'max_output_tokens', 'fallback_model_ids'],
      ...['is_default', 'enabled'],
    ],
    hidden: { api_key: 'has_api_key' },
    address: 'base_url',
    defaults: {
      ...{ api_key: null, prices: null, max_output_tokens: null, fallback_model_ids: [] },
      ...{ is_default: false, enabled: true },
    },
  },
  'tool-server': {
    path: '/api/v1/mcp-servers',
    nameField: 'name',
    fields: ['url', 'command', 'transport', 'headers', 'enabled'],
    hidden: { headers: 'has_headers' },
    address: 'url',
    defaults: { headers: null, enabled: true },
  },
  workflow: {
    path: '/api/v1/approval-workflows',
    nameField: 'name',
    fields: [
      ...['description', 'approver_user_ids', 'approver_roles', 'quorum', 'expires_seconds', 'approval_wait_seconds'],
      ...['require_comment', 'allow_self_approval', 'escalate_after_seconds', 'escalation_user_ids', 'channel_configs'],
      ...['approval_config', 'email', 'is_default', 'mode', 'ai_model_id', 'ai_guidelines', 'ai_confidence_threshold'],
    ],
    defaults: {
      ...{ description: '', approver_user_ids: [], approver_roles: [], quorum: 1, expires_seconds: 3600 },
      ...{ approval_wait_seconds: 120, require_comment: false, allow_self_approval: false },
      ...{ escalate_after_seconds: null, escalation_user_ids: [], channel_configs: [] },
      ...{ approval_config: { webhook_url: null }, email: null, is_default: false, mode: 'human', ai_model_id: null },
      ...{ ai_guidelines: '', ai_confidence_threshold: 0.8 },
    },
  },
  endpoint: {
    path: '/api/v1/event-webhooks/endpoints',
    nameField: 'description',
    fields: ['url', 'group', 'event_types', 'keep_answers', 'active'],
    changeOnly: ['active'],
    defaults: { group: null, event_types: [], keep_answers: false, active: true },
  },
  channel: {
    path: '/api/v1/notice-channels',
    nameField: 'description',
    fields: ['kind', 'url', 'notices', 'token', 'active'],
    changeOnly: ['active'],
    fixed: ['kind'],
    hidden: { token: 'token_hint' },
    secret: ['url'],
    address: 'url',
    defaults: {
      notices: ['approval.created', 'budget.threshold', 'budget.exceeded', 'webhook.endpoint_failing'],
      token: null,
      active: true,
    },
  },
  budget: {
    path: '/api/v1/budgets',
    keyFields: ['scope', 'scope_id', 'model_alias', 'period'],
    fields: [
      ...['scope', 'scope_id', 'model_alias', 'period', 'time_zone', 'currency', 'limit_amount', 'hard'],
      ...['unsized_calls', 'thresholds_percent', 'enabled'],
    ],
    fixed: ['scope', 'scope_id', 'model_alias', 'period', 'time_zone', 'currency'],
    defaults: {
      ...{ scope_id: null, model_alias: null, time_zone: 'UTC', currency: 'USD', hard: true, unsized_calls: 'hold' },
      ...{ thresholds_percent: [80], enabled: true },
    },
  },
  flow: {
    path: '/api/v1/flows',
    nameField: 'name',
    fields: [
      ...['prompt_template', 'agent_type', 'agent_config', 'description', 'is_enabled', 'trigger', 'ai_model_id'],
      ...['allowed_tools', 'webhook_config', 'tracker_config', 'schedule_config', 'git_clone_config', 'setup_commands'],
      ...['timeout_seconds', 'evidence', 'reporting', 'network_allow', 'network_secrets'],
    ],
    defaults: {
      ...{ agent_config: {}, description: null, is_enabled: true, trigger: 'manual', ai_model_id: null },
      ...{ allowed_tools: [], webhook_config: null, tracker_config: null, schedule_config: null },
      ...{ git_clone_config: null, setup_commands: [], timeout_seconds: 3600, evidence: null, reporting: null },
      ...{ network_allow: [], network_secrets: null },
    },
  },
};

export function isKind(text: unknown): text is KindName {
  return (KINDS as readonly unknown[]).includes(text);
}
