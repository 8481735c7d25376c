/** Kinds of documents, in the order in which they are created: each may refer to those before it. */
export const KINDS = ['model', 'tool-server', 'workflow', 'endpoint', 'policy', 'budget', 'flow'] as const;

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
}

/** The fields are those of the bodies of `create...` in the OpenAPI document; `kinds.test.ts` compares them. */
export const KIND: Readonly<Record<Exclude<KindName, 'policy'>, Kind>> = {
  model: {
    path: '/api/v1/ai-models',
    nameField: 'alias',
    fields: [
      ...['provider', 'model_identifier', 'base_url', 'api_key', 'prices', 'max_output_tokens', 'fallback_model_ids'],
      ...['is_default', 'enabled'],
    ],
    hidden: { api_key: 'has_api_key' },
  },
  'tool-server': {
    path: '/api/v1/mcp-servers',
    nameField: 'name',
    fields: ['url', 'command', 'transport', 'headers', 'enabled'],
    hidden: { headers: 'has_headers' },
  },
  workflow: {
    path: '/api/v1/approval-workflows',
    nameField: 'name',
    fields: [
      ...['description', 'approver_user_ids', 'approver_roles', 'quorum', 'expires_seconds', 'approval_wait_seconds'],
      ...['require_comment', 'allow_self_approval', 'escalate_after_seconds', 'escalation_user_ids', 'channel_configs'],
      ...['approval_config', 'email', 'is_default', 'mode', 'ai_model_id', 'ai_guidelines', 'ai_confidence_threshold'],
    ],
  },
  endpoint: {
    path: '/api/v1/event-webhooks/endpoints',
    nameField: 'description',
    fields: ['url', 'group', 'event_types', 'keep_answers', 'active'],
    changeOnly: ['active'],
  },
  budget: {
    path: '/api/v1/budgets',
    keyFields: ['scope', 'scope_id', 'model_alias', 'period'],
    fields: [
      ...['scope', 'scope_id', 'model_alias', 'period', 'time_zone', 'currency', 'limit_amount', 'hard'],
      ...['unsized_calls', 'thresholds_percent', 'enabled'],
    ],
    fixed: ['scope', 'scope_id', 'model_alias', 'period', 'time_zone', 'currency'],
  },
  flow: {
    path: '/api/v1/flows',
    nameField: 'name',
    fields: [
      ...['prompt_template', 'agent_type', 'agent_config', 'description', 'is_enabled', 'trigger', 'ai_model_id'],
      ...['allowed_tools', 'webhook_config', 'tracker_config', 'schedule_config', 'git_clone_config', 'setup_commands'],
      ...['timeout_seconds', 'evidence', 'reporting', 'network_allow', 'network_secrets'],
    ],
  },
};

export function isKind(text: unknown): text is KindName {
  return (KINDS as readonly unknown[]).includes(text);
}
