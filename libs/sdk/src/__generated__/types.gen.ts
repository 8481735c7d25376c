// Made from the OpenAPI document by `npm run docs`.

export type AcceptInvitationRequest = {
  /**
   * Token of the invitation.
   */
  token: string;
  /**
   * 8 to 200 characters; common passwords and the user’s own name are refused.
   */
  password: string;
  full_name?: string | null;
};

export type AcceptToolRequest = {
  /**
   * Hash of the definition that was reviewed. If the tool has changed since the review, the response is 409.
   */
  definition_hash?: string;
};

export type AcceptedTrigger = {
  status: "accepted";
  flow_id: string;
  execution_id: string;
  /**
   * Status at the time of the response.
   */
  execution_status: "PENDING" | "INITIALIZING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "STOPPED";
  /**
   * Whether an earlier trigger with the same idempotency key or dedupe value started the execution.
   */
  deduplicated: boolean;
  /**
   * URL of the execution; a request with ?wait=60 waits up to 60 seconds for the execution to end.
   */
  status_url: string;
};

export type AcceptedWebhook = AcceptedTrigger | IgnoredWebhook;

export type Agent = {
  /**
   * The agent.
   */
  id: string;
  agent_kind: string;
  display_name: string;
  session_source_type: string | null;
  session_source_id: string | null;
  owner_user_id: string | null;
  tags: Array<string>;
  /**
   * How the agent was registered.
   */
  enrolled_via: "operator_registration" | "discovery" | "runtime";
  /**
   * Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history is retained.
   */
  lifecycle_state: "active" | "suspended" | "retired";
  lifecycle_reason: string | null;
  merged_into: string | null;
  /**
   * Time of the last call with one of the agent’s keys, to the minute.
   */
  last_seen_at: string | null;
  /**
   * Time of the last model call through the gateway, to the minute.
   */
  last_model_call_at: string | null;
  /**
   * Time of the last permission check by the agent’s hook, to the minute.
   */
  last_permission_check_at: string | null;
  /**
   * Warnings about policies that appear to apply to the agent’s tool calls but have no effect on them.
   */
  warnings: Array<{
    code: "tool_calls_not_asked";
    /**
     * The problem and how to solve it.
     */
    message: string;
  }>;
  latest_enrollment: Enrollment | null;
  created_at: string;
  updated_at: string;
};

export type AgentPage = {
  items: Array<Agent>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type AiModel = {
  /**
   * The model.
   */
  id: string;
  alias: string;
  /**
   * Provider of the model; generic_compatible is any OpenAI-compatible API.
   */
  provider: "openai" | "anthropic" | "generic_compatible";
  base_url: string;
  model_identifier: string;
  /**
   * Whether an API key of the provider is stored.
   */
  has_api_key: boolean;
  prices: {
    /**
     * US dollars per million tokens of input; null when unknown.
     */
    input_per_mtok_usd: number | null;
    /**
     * US dollars per million tokens of output.
     */
    output_per_mtok_usd: number | null;
    /**
     * US dollars per million tokens of input read from a cache.
     */
    cached_input_per_mtok_usd: number | null;
  };
  /**
   * Source of the prices.
   */
  price_source: "catalogue" | "custom" | "unknown";
  /**
   * Maximum output tokens of a call.
   */
  max_output_tokens: number | null;
  fallback_model_ids: Array<string>;
  is_default: boolean;
  enabled: boolean;
  /**
   * Possible problems with the settings.
   */
  warnings: Array<{
    code: string;
    field: string;
    message: string;
  }>;
  created_at: string;
  updated_at: string;
};

export type AiModelPage = {
  items: Array<AiModel>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ApiKey = {
  id: string;
  name: string;
  /**
   * Last four characters of the key.
   */
  hint: string;
  scopes: Array<string> | null;
  user_id: string;
  /**
   * The key with which this one was created; when that key is revoked or expires, this one stops working as well.
   */
  parent_id: string | null;
  runtime_principal: unknown;
  /**
   * Keys of the kind `key` act on behalf of their owner. The other kinds can be used only for the operations whose `x-credential-kinds` include them.
   */
  kind: "key" | "agent_key" | "discovery_key";
  /**
   * Maximum permissions of a key of this kind, regardless of what its owner and scopes allow. Null: the kind does not limit the permissions.
   */
  most_permissions: Array<string> | null;
  /**
   * Limits of the key: its models, calls and tokens. Null: no limits.
   */
  limits: {
    models: Array<string> | null;
    calls_per_minute: number | null;
    calls_per_day: number | null;
    tokens_per_minute: number | null;
    tokens_per_day: number | null;
  } | null;
  /**
   * Usage in the current minute and day (UTC), including reservations of calls in flight. Null: no limits.
   */
  limits_used: {
    calls_per_minute: number;
    calls_per_day: number;
    tokens_per_minute: number;
    tokens_per_day: number;
  } | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

export type ApiKeyPage = {
  items: Array<ApiKey>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type AppliedPolicy = {
  /**
   * Number of the version; 0 is the default document, which is in force until a document is applied.
   */
  version: number;
  /**
   * Format of the document.
   */
  format: "yaml" | "json";
  /**
   * Reason for the change.
   */
  message: string | null;
  /**
   * The older version whose content was applied again.
   */
  rolled_back_to: number | null;
  /**
   * Number of rules.
   */
  rules: number;
  /**
   * The user who applied the version.
   */
  created_by: string | null;
  /**
   * Time when the version was applied; null for the default document.
   */
  created_at: string | null;
  /**
   * True if a new version was created, or would have been created without the dry run; false if the document is identical to the one in force.
   */
  changed: boolean;
  /**
   * Whether this was a dry run; if so, `version` is the version in force.
   */
  dry_run: boolean;
  /**
   * Changes compared with the previous version.
   */
  changes: Array<{
    kind: "added" | "removed" | "changed" | "moved";
    /**
     * Path of the change, with rule ids, for example rules/no-drop/action.
     */
    path: string;
    before: unknown;
    after: unknown;
  }>;
  warnings: Array<PolicyProblem>;
};

export type ApplyPolicyQuery = {
  /**
   * Whether to return what would change, without applying the document.
   */
  dry_run?: "1" | "0" | "true" | "false";
  /**
   * Reason for the change, shown in the list of versions.
   */
  message?: string;
};

export type ApprovalRequest = {
  /**
   * The request.
   */
  id: string;
  /**
   * Every status except pending is final.
   */
  status: "pending" | "approved" | "declined" | "expired" | "cancelled";
  tool_name: string;
  /**
   * Server of the tool; "local" for tools that are not called through the service.
   */
  server: string;
  /**
   * Arguments of the call, with credentials masked.
   */
  arguments: unknown;
  /**
   * Sentence that names the caller and the tool, without the arguments of the call.
   */
  summary: string;
  reasoning: string | null;
  /**
   * Workflow whose approvers decide on the request.
   */
  approval_workflow_id: string;
  /**
   * Number of approvals by different people that the request needs. If the workflow’s quorum is lowered while the request is pending, this number is lowered as well.
   */
  quorum: number;
  /**
   * Whether the request can still be approved, given the current users, roles and workflow: enough people can still decide, or a model is asked first and has not responded. Null if the request is no longer pending.
   */
  quorum_reachable: boolean | null;
  /**
   * Why too few people can decide, and how to fix this; null unless quorum_reachable is false.
   */
  stuck_reason: string | null;
  /**
   * Names of people who may still decide, now or after escalation; at most ten.
   */
  may_decide: Array<string>;
  /**
   * Whether only people may decide on the request, never an AI model.
   */
  human_only: boolean;
  votes: Array<{
    user_id: string;
    display: string;
    /**
     * The person’s decision.
     */
    decision: "approve" | "decline";
    comment: string | null;
    via: "api" | "email";
    at: string;
  }>;
  managed_agent_id: string | null;
  managed_agent_name: string | null;
  runtime_session_id: string | null;
  execution_id: string | null;
  api_key_id: string | null;
  /**
   * The user whose credential was used for the call.
   */
  requester_user_id: string;
  /**
   * The policy rule that required the approval.
   */
  rule: {
    source: "policy" | "default";
    rule_id: string | null;
    rule_name: string | null;
    expression: string | null;
  } | null;
  policy_version: number;
  /**
   * Hash of the tool’s definition; the approval is valid only for this definition. Null for tools that are not called through the service.
   */
  definition_hash: string | null;
  requested_at: string;
  expires_at: string;
  /**
   * Time from which the users in the workflow’s escalation_user_ids may also decide.
   */
  escalated_at: string | null;
  resolved_at: string | null;
  /**
   * The person, model, bypass or system that decided.
   */
  actor: {
    kind: "user" | "ai" | "bypass" | "system";
    id: string | null;
    reason?: string;
    /**
     * Alias of the model; set if the kind is ai.
     */
    model?: string;
    /**
     * Confidence of the model, from 0 to 1.
     */
    confidence?: number;
  } | null;
  comment: string | null;
  /**
   * When the request was first delivered to a receiver of the workflow; only receivers of the kind webhook count.
   */
  webhook_posted_at: string | null;
  webhook_error: string | null;
  /**
   * Response of the model that was asked first. Null: no model was asked, or it has not responded.
   */
  ai: {
    decision: "approve" | "decline" | "ask_people" | null;
    confidence: number | null;
    /**
     * The model’s explanation of its decision; if the model made no decision, the reason why.
     */
    reason: string;
  } | null;
};

export type ApprovalRequestPage = {
  items: Array<ApprovalRequest>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ApprovalWorkflow = {
  /**
   * The workflow.
   */
  id: string;
  name: string;
  description: string;
  approver_user_ids: Array<string>;
  approver_roles: Array<string>;
  quorum: number;
  expires_seconds: number;
  approval_wait_seconds: number;
  require_comment: boolean;
  allow_self_approval: boolean;
  escalate_after_seconds: number | null;
  escalation_user_ids: Array<string>;
  channel_configs: Array<{
    /**
     * webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text message.
     */
    kind: "webhook" | "slack" | "mattermost";
    url: string;
  }>;
  approval_config: {
    webhook_url: string | null;
  };
  /**
   * Whether approvers receive email.
   */
  email: boolean;
  webhook_secret_hint: string | null;
  is_default: boolean;
  /**
   * ai_first: a model is asked before people, unless the rule sets human_only.
   */
  mode: "human" | "ai_first";
  ai_model_id: string | null;
  ai_guidelines: string;
  ai_confidence_threshold: number;
  /**
   * The active bypass; new requests are approved automatically until it ends.
   */
  bypass: {
    until: string;
    reason: string;
    /**
     * The user who started the bypass.
     */
    user_id: string;
  } | null;
  created_at: string;
  updated_at: string;
};

export type ApprovalWorkflowPage = {
  items: Array<ApprovalWorkflow>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type AuditEntry = {
  id: string;
  occurred_at: string;
  actor: {
    kind: string;
    id: string | null;
  };
  source: string;
  action: string;
  resource_type: string;
  resource_id: string | null;
  status: string;
  details: unknown;
};

export type AuditEntryPage = {
  items: Array<AuditEntry>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type BackfillState = {
  /**
   * Whether the history sweeper is enabled in this deployment.
   */
  enabled: boolean;
  backfill_state: "not_started" | "in_progress" | "complete";
  backfill_complete: boolean;
  /**
   * Start of the range in which the search index is complete; null if there are no chunks.
   */
  indexed_from: string | null;
  /**
   * Position of the backfill, which reads the newest sessions first: the start time of the last session that it has indexed completely or, if only the age limit was extended, the previous age limit. Null if it has no position.
   */
  cursor_started_at: string | null;
  /**
   * Time at which the backfill last made progress.
   */
  last_pass_at: string | null;
  /**
   * Why the last pass stopped.
   */
  stop_reason: "account_rows" | "pass_rows" | "pass_seconds" | "finished" | "failed" | null;
  /**
   * When the backfill was completed; null while it is in progress and if it has never run.
   */
  completed_at: string | null;
  /**
   * Number of sessions within the age limit that the backfill has not read yet, counted up to 100,000.
   */
  remaining_sessions: number;
  /**
   * Whether `remaining_sessions` is exact; otherwise it is a lower bound.
   */
  remaining_sessions_is_exact: boolean;
  /**
   * Estimated number of remaining sessions without any indexed content, extrapolated from the newest 1,000 remaining sessions.
   */
  sessions_without_chunks: number;
  /**
   * Estimated average number of chunks per session, based on the newest sessions (at most 50) that `sessions_without_chunks` counts.
   */
  chunks_per_session: number;
  /**
   * Estimated seconds until the backfill is complete, provided that the sweeper is running.
   */
  estimated_seconds: number;
  /**
   * Estimated time of completion; null if the sweeper is off or no sessions remain.
   */
  estimated_completion_at: string | null;
};

export type Backtest = {
  id: string;
  status: "queued" | "running" | "finished" | "failed";
  /**
   * Policy version in force at the time of the request.
   */
  version: number;
  /**
   * Baseline, with which the decisions are compared. version: the decisions of the policy version in `version`. recorded: every recorded call counts as allowed.
   */
  compared_with: "version" | "recorded";
  since: string;
  until: string;
  /**
   * Maximum number of calls.
   */
  limit: number;
  /**
   * Number of calls examined so far; the newest calls are examined first.
   */
  examined: number;
  /**
   * Number of examined calls that were recorded without arguments; these calls are evaluated with empty arguments.
   */
  without_arguments: number;
  /**
   * Time of the oldest call examined so far; null before the first call is examined.
   */
  examined_back_to: string | null;
  decisions: {
    allow: number;
    deny: number;
    require_approval: number;
  };
  /**
   * Decisions of the baseline on the same calls; null if an earlier version of the service examined some of these calls.
   */
  decisions_before: {
    allow: number;
    deny: number;
    require_approval: number;
  } | null;
  /**
   * Every rule of the tested document in order, then the default, then rules that only the version in force has; null whenever `decisions_before` is null.
   */
  rules: Array<{
    /**
     * Null for the default, which decides if no rule does.
     */
    rule_id: string | null;
    /**
     * Number of calls that the rule decided in the version in force; 0 if `compared_with` is `recorded`.
     */
    before: number;
    /**
     * Number of calls that the rule decides in the tested document.
     */
    after: number;
    /**
     * Number of the calls counted in `after` that the baseline decides differently.
     */
    changed: number;
  }> | null;
  /**
   * Number of calls that would be decided differently.
   */
  changed: number;
  /**
   * The newest calls that would be decided differently; at most 50.
   */
  changed_examples: Array<{
    tool_call_id: string;
    runtime_session_id: string;
    occurred_at: string;
    tool_name: string;
    before: "allow" | "deny" | "require_approval";
    after: "allow" | "deny" | "require_approval";
    /**
     * Rule that decides; null if no rule decides and a default applies.
     */
    rule_id: string | null;
  }>;
  /**
   * Why the backtest failed.
   */
  error: string | null;
  created_at: string;
  /**
   * Time when the backtest ended; null while it is queued or running.
   */
  finished_at: string | null;
};

export type BegunLogin = {
  /**
   * URL of the page where the person logs in and grants access.
   */
  authorization_url: string;
  /**
   * URL to which the login page redirects the browser, with the parameters `code` and `state`.
   */
  redirect_uri: string;
  /**
   * Time by which the login must be finished.
   */
  expires_at: string;
};

export type Budget = {
  id: string;
  /**
   * Scope of the budget: only calls within it count.
   */
  scope: "account" | "managed_agent" | "api_key" | "flow";
  scope_id: string | null;
  model_alias: string | null;
  /**
   * Period after which the spent amount is reset to zero; weeks begin on Monday.
   */
  period: "hourly" | "daily" | "weekly" | "monthly" | "yearly" | "all_time";
  /**
   * IANA name of the time zone in which days, weeks, months and years begin, such as Europe/Berlin; UTC unless set. Hourly periods always begin on the hour in UTC.
   */
  time_zone: string;
  limit_amount: number;
  currency: "USD";
  hard: boolean;
  /**
   * How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs, earlier responses, provider tools): `hold` (default) reserves the cost of the largest possible input until the call ends, and `refuse` refuses the call.
   */
  unsized_calls: "hold" | "refuse";
  thresholds_percent: Array<number>;
  enabled: boolean;
  /**
   * Start of the current period; null for `all_time`.
   */
  period_start: string | null;
  /**
   * End of the current period; null for `all_time`.
   */
  period_end: string | null;
  /**
   * US dollars spent on finished calls in the period.
   */
  spent_amount: number;
  /**
   * Amount reserved for calls in flight: the sum of their maximum costs, in US dollars.
   */
  reserved_amount: number;
  /**
   * Spent amount as a percentage of the limit, never rounded up.
   */
  percent_used: number;
  created_at: string;
  updated_at: string;
};

export type BudgetPage = {
  items: Array<Budget>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type CancelApprovalRequest = {
  /**
   * Comment; visible to the caller of the tool call, and to the webhooks and chat channels that receive the decision.
   */
  comment?: string | null;
};

export type CancelOperatorNoteRequest = {
  [key: string]: never;
};

export type ChangePasswordRequest = {
  current_password: string;
  /**
   * 8 to 200 characters; common passwords and the user’s own name are refused.
   */
  new_password: string;
};

export type CheckPermissionRequest = {
  /**
   * Name of the tool on its server.
   */
  tool_name: string;
  /**
   * Server of the tool; default "local".
   */
  server?: string;
  /**
   * Arguments of the call, as the tool would receive them; default {}.
   */
  arguments?: unknown;
  /**
   * The agent’s reason for the call, shown to approvers.
   */
  reasoning?: string | null;
  runtime_session_id?: string | null;
  execution_id?: string | null;
  /**
   * Whether the caller can show the returned notes to its agent; default true.
   */
  takes_operator_notes?: boolean;
  /**
   * Maximum number of seconds that the response may wait for an approval; default 0.
   */
  wait_seconds?: number;
};

export type ConnectToolServerRequest = {
  /**
   * Client id of this service at the authorization server. If it is omitted, the service registers itself there (RFC 7591).
   */
  client_id?: string;
  /**
   * Client secret; stored encrypted and never returned.
   */
  client_secret?: string;
  /**
   * Scopes, separated by spaces; default: the scopes that the tool server requests or, if it requests none, supports.
   */
  scope?: string;
  /**
   * URL to which the browser is redirected after the login. Default: the console. Command-line programs use a loopback address (http://127.0.0.1:PORT/...).
   */
  redirect_uri?: string;
};

export type CreateAgentRequest = {
  /**
   * Kind of agent: claude_code, codex, or a custom name.
   */
  agent_kind: string;
  /**
   * Display name of the agent.
   */
  display_name: string;
  session_source_type?: string | null;
  session_source_id?: string | null;
  owner_user_id?: string | null;
  tags?: Array<string>;
};

export type CreateAiModelRequest = {
  /**
   * Name that clients send in the field `model`; unique in the account.
   */
  alias: string;
  /**
   * Provider of the model; generic_compatible is any OpenAI-compatible API.
   */
  provider: "openai" | "anthropic" | "generic_compatible";
  /**
   * Name of the model at its provider.
   */
  model_identifier: string;
  /**
   * https base URL of the API including its version. Optional for openai and anthropic.
   */
  base_url?: string;
  /**
   * API key of the provider; stored encrypted and never returned. An empty string or null removes it.
   */
  api_key?: string | null;
  /**
   * Prices set by the account; null: prices of the catalog.
   */
  prices?: ModelPrices | null;
  /**
   * Maximum output tokens of a call; null: unknown.
   */
  max_output_tokens?: number | null;
  /**
   * Models to try in this order if the call fails; at most three.
   */
  fallback_model_ids?: Array<string>;
  /**
   * Whether this is the default model. True replaces the current default.
   */
  is_default?: boolean;
  /**
   * False: calls to the model are refused.
   */
  enabled?: boolean;
};

export type CreateApiKeyRequest = {
  name: string;
  expires_at?: string | null;
  /**
   * Permissions that the key is limited to, at most those of the caller. Null: all permissions of its owner; an empty list: none. The key can create and revoke keys only if this list contains `manage_api_keys`; null does not grant that.
   */
  scopes?: Array<Permission> | null;
  runtime_principal?: {
    /**
     * Kind of principal, for example managed_agent.
     */
    type: string;
    id: string;
    name?: string | null;
  } | null;
  limits?: KeyLimits | null;
};

export type CreateApprovalWorkflowRequest = {
  /**
   * Unique in the account.
   */
  name: string;
  description?: string;
  /**
   * Users who are asked to decide. If no users or roles are set, everyone who may decide approvals is asked.
   */
  approver_user_ids?: Array<string>;
  /**
   * Roles whose users are asked to decide.
   */
  approver_roles?: Array<string>;
  /**
   * Number of approvals by different people that a request needs; a single decline declines the request.
   */
  quorum?: number;
  /**
   * Seconds after which an undecided request expires.
   */
  expires_seconds?: number;
  /**
   * Maximum seconds that a call waits for its approval on an open connection.
   */
  approval_wait_seconds?: number;
  /**
   * Whether a decision needs a comment.
   */
  require_comment?: boolean;
  /**
   * Whether the requester may decide their own request.
   */
  allow_self_approval?: boolean;
  /**
   * Seconds after which the users in escalation_user_ids may also decide.
   */
  escalate_after_seconds?: number | null;
  /**
   * Users who are asked if nobody has decided after escalate_after_seconds.
   */
  escalation_user_ids?: Array<string>;
  /**
   * Receivers of the requests and of their outcomes.
   */
  channel_configs?: Array<{
    /**
     * webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text message.
     */
    kind: "webhook" | "slack" | "mattermost";
    url?: string;
    webhook_url?: string;
  }>;
  /**
   * Older format that names a single receiver.
   */
  approval_config?: {
    /**
     * Address of the receiver; null removes it.
     */
    webhook_url?: string | null;
    /**
     * Signing secret of your choice; generated if omitted.
     */
    webhook_secret?: string;
  };
  /**
   * Whether approvers receive email; null: yes if the deployment sends email (MAIL_FROM).
   */
  email?: boolean | null;
  /**
   * Whether this workflow handles calls whose rule names no workflow. If true, this workflow replaces the previous default workflow.
   */
  is_default?: boolean;
  /**
   * ai_first: a model is asked before people, unless the rule sets human_only.
   */
  mode?: "human" | "ai_first";
  ai_model_id?: string | null;
  /**
   * Instructions for the model.
   */
  ai_guidelines?: string;
  /**
   * Minimum confidence for the model’s decision to take effect; default 0.8.
   */
  ai_confidence_threshold?: number;
};

export type CreateBudgetRequest = {
  /**
   * Scope of the budget: only calls within it count.
   */
  scope: "account" | "managed_agent" | "api_key" | "flow";
  /**
   * Id of the key, flow or agent; null for the account.
   */
  scope_id?: string | null;
  /**
   * Alias of the model whose calls are counted; null: all models.
   */
  model_alias?: string | null;
  /**
   * Period after which the spent amount is reset to zero; weeks begin on Monday.
   */
  period: "hourly" | "daily" | "weekly" | "monthly" | "yearly" | "all_time";
  /**
   * IANA name of the time zone in which days, weeks, months and years begin, such as Europe/Berlin; UTC unless set. Hourly periods always begin on the hour in UTC.
   */
  time_zone?: string;
  currency?: "USD";
  /**
   * US dollars, at most six decimals.
   */
  limit_amount: number;
  /**
   * Whether calls that would exceed the limit are refused; default true.
   */
  hard?: boolean;
  /**
   * How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs, earlier responses, provider tools): `hold` (default) reserves the cost of the largest possible input until the call ends, and `refuse` refuses the call.
   */
  unsized_calls?: "hold" | "refuse";
  /**
   * Percentages of the limit. For each percentage, one alert is sent per period when spend reaches it; default [80].
   */
  thresholds_percent?: Array<number>;
  /**
   * False: the budget still counts spend but does not refuse calls or send alerts.
   */
  enabled?: boolean;
};

export type CreateEndpointRequest = {
  /**
   * URL of the endpoint: absolute http or https, at most 2048 characters, without credentials or fragment.
   */
  url: string;
  /**
   * Optional description.
   */
  description?: string;
  /**
   * Group of endpoints; null for none.
   */
  group?: string | null;
  /**
   * Event types to receive; empty means every v1 event. See the catalog.
   */
  event_types?: Array<string>;
  /**
   * Whether the first KiB of the receiver’s response to each attempt is stored, with credentials masked.
   */
  keep_answers?: boolean;
};

export type CreateEnrollmentRequest = {
  /**
   * How the agent was enrolled: cli, manual, or a custom name.
   */
  enrollment_type: string;
  adapter_key?: string | null;
  target_config_path?: string | null;
  /**
   * State of the enrollment; default pending.
   */
  status?: "pending" | "applied" | "validated";
  /**
   * Whether the agent’s model calls go through the gateway.
   */
  gateway_routed?: boolean;
  /**
   * Whether the agent reaches its tool servers through the service.
   */
  mcp_rewritten?: boolean;
  /**
   * Number of tool servers in the agent’s configuration.
   */
  mcp_server_count?: number;
  candidate_id?: string | null;
};

export type CreateFlowRequest = {
  /**
   * Unique in the account.
   */
  name: string;
  /**
   * Prompt template with placeholders such as {{trigger_event.payload.repository.name}} and the filter |truncate(N).
   */
  prompt_template: string;
  /**
   * Kind of agent: a command, or the built-in agent.
   */
  agent_type: "command" | "builtin";
  /**
   * Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of "env" are stored encrypted and returned as "[hidden]". An update keeps values that are omitted or sent back as "[hidden]"; null removes a value. {{secret.NAME}} in a value refers to a named secret.
   */
  agent_config?: {
    [key: string]: unknown;
  };
  description?: string | null;
  /**
   * Whether the flow can be started. Triggers of a disabled flow are refused with 409. Default true.
   */
  is_enabled?: boolean;
  /**
   * Trigger that starts the flow, in addition to manual starts. Default manual.
   */
  trigger?: "manual" | "webhook" | "tracker" | "schedule";
  ai_model_id?: string | null;
  /**
   * Tools that a built-in agent may call: tools of the workspace, and tools at `/mcp/v1` by their names there or by a prefix followed by `*`. If the list is empty, the agent may call all tools of the workspace, including `run_shell`, and none at `/mcp/v1`.
   */
  allowed_tools?: Array<string>;
  webhook_config?: WebhookConfig | null;
  tracker_config?: TrackerConfig | null;
  schedule_config?: ScheduleConfig | null;
  git_clone_config?: GitCloneConfig | null;
  /**
   * Shell commands that run before the agent. {{secret.NAME}} is replaced by a shell variable that contains that secret.
   */
  setup_commands?: Array<string>;
  /**
   * Time limit of one run, in seconds. Default 3600.
   */
  timeout_seconds?: number;
  evidence?: EvidenceConfig | null;
  reporting?: ReportingConfig | null;
  /**
   * Hosts that programs of a run may reach in addition to the API: "host", "host:port", "*.host", or "*" for all public hosts. Without a port: 80 and 443. Default: none.
   */
  network_allow?: Array<string>;
  network_secrets?: Array<NetworkSecret> | null;
};

export type CreateListenerRequest = {
  /**
   * Optional description.
   */
  description?: string;
  /**
   * Event types to listen to; empty means every v1 event. See the catalog.
   */
  event_types?: Array<string>;
};

export type CreateNoticeChannelRequest = {
  /**
   * Service that shows the notices.
   */
  kind: "slack" | "teams" | "ntfy";
  /**
   * Slack: the URL of an incoming webhook. Teams: the URL of a workflow that posts a card when it receives a webhook request. ntfy: the URL of a topic.
   */
  url: string;
  /**
   * Optional description, such as the name of the Slack channel.
   */
  description?: string;
  /**
   * Notices that are posted. Default: notices about new approval requests, about budgets that reach a threshold or are used up, and about endpoints whose deliveries fail.
   */
  notices?: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
  /**
   * Access token of ntfy, sent as a bearer token. It is never returned.
   */
  token?: string;
};

export type CreatePortalLinkRequest = {
  /**
   * Group of endpoints that the holder of the link sees and manages.
   */
  group: string;
  /**
   * Event types to which the endpoints of the portal may subscribe. See the catalog.
   */
  event_types: Array<string>;
  /**
   * Origins of the pages that may contain the portal in a frame, for example `https://app.example.com`. Empty: no page may.
   */
  frame_origins?: Array<string>;
};

export type CreatePushSubscriptionRequest = {
  /**
   * `endpoint` of the subscription that the browser created.
   */
  url: string;
  keys: {
    /**
     * Public key of the browser, base64url.
     */
    p256dh: string;
    /**
     * Secret of the browser, base64url.
     */
    auth: string;
  };
  /**
   * Notices that are pushed to the browser. A notice is pushed only if you may read its subject, such as the approval request.
   */
  notices: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
  /**
   * Name of the browser.
   */
  description?: string;
};

export type CreateRoleRequest = {
  /**
   * Unique in the account; stored in lower case.
   */
  name: string;
  permissions: Array<
    | "manage_users"
    | "view_runtime_sessions"
    | "manage_runtime_sessions"
    | "search_session_content"
    | "manage_budgets"
    | "view_policies"
    | "manage_policies"
    | "view_flows"
    | "create_flows"
    | "edit_flows"
    | "delete_flows"
    | "execute_flows"
    | "view_trackers"
    | "manage_trackers"
    | "view_approvals"
    | "decide_approvals"
    | "manage_approval_workflows"
    | "view_agents"
    | "manage_agents"
    | "control_managed_agent"
    | "view_audit_logs"
    | "view_ai_models"
    | "manage_ai_models"
    | "view_cost"
    | "manage_kill_switch"
    | "report_discovery"
  >;
};

export type CreateSavedSearchRequest = {
  /**
   * Unique among your saved searches; 1 to 120 characters.
   */
  name: string;
  /**
   * Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512 characters.
   */
  query: string;
  /**
   * Default keyword.
   */
  mode?: "keyword" | "semantic" | "hybrid";
  filters?: SearchFilters;
  /**
   * Maximum number of snippets per session; default 3.
   */
  max_snippets_per_session?: number;
  /**
   * Default true.
   */
  include_snippet_text?: boolean;
  /**
   * Visibility: only the owner (default), or the account.
   */
  visibility?: "private" | "account";
};

export type CreateToolServerRequest = {
  /**
   * Name of the server, part of the names of its tools; unique in the account.
   */
  name: string;
  /**
   * https URL of the server; a query is allowed.
   */
  url?: string;
  /**
   * Command of a server with the transport stdio, given instead of `url`; an update replaces the whole object.
   */
  command?: ToolServerCommand;
  /**
   * Transport: HTTP, or a program that a flow worker runs.
   */
  transport?: "streamable_http" | "stdio";
  /**
   * Headers sent with each request; stored encrypted and never returned. An empty object or null removes them.
   */
  headers?: {
    [key: string]: unknown | string;
  } | null;
  /**
   * False: the tools of the server are not offered.
   */
  enabled?: boolean;
};

export type CreateTrackerRequest = {
  /**
   * Name that agents use for the connection in tool calls; unique in the account.
   */
  name: string;
  /**
   * Kind of tracker; it cannot be changed later.
   */
  kind: "github" | "gitlab" | "jira" | "linear";
  /**
   * Access token for the tracker; stored encrypted and never returned.
   */
  token: string;
  /**
   * https base URL of a self-hosted tracker. Default: api.github.com, gitlab.com or api.linear.app; required for Jira.
   */
  base_url?: string;
  /**
   * Email address of the token’s owner, for Jira Cloud. If it is omitted, the server is assumed to run Jira Data Center.
   */
  username?: string | null;
  /**
   * Repositories and projects that flows and agents may use; "acme*" includes everything below "acme". Empty: all that the token can access.
   */
  repositories?: Array<string>;
};

export type CreateUserRequest = {
  /**
   * Letters, digits, dot, underscore and dash; unique, ignoring case.
   */
  username: string;
  /**
   * Unique, ignoring case.
   */
  email: string;
  password?: string | null;
  /**
   * Name of a system role or of a custom role of the account.
   */
  role: string;
  full_name?: string | null;
};

export type CreatedApiKey = {
  id: string;
  name: string;
  /**
   * Last four characters of the key.
   */
  hint: string;
  scopes: Array<string> | null;
  user_id: string;
  /**
   * The key with which this one was created; when that key is revoked or expires, this one stops working as well.
   */
  parent_id: string | null;
  runtime_principal: unknown;
  /**
   * Keys of the kind `key` act on behalf of their owner. The other kinds can be used only for the operations whose `x-credential-kinds` include them.
   */
  kind: "key" | "agent_key" | "discovery_key";
  /**
   * Maximum permissions of a key of this kind, regardless of what its owner and scopes allow. Null: the kind does not limit the permissions.
   */
  most_permissions: Array<string> | null;
  /**
   * Limits of the key: its models, calls and tokens. Null: no limits.
   */
  limits: {
    models: Array<string> | null;
    calls_per_minute: number | null;
    calls_per_day: number | null;
    tokens_per_minute: number | null;
    tokens_per_day: number | null;
  } | null;
  /**
   * Usage in the current minute and day (UTC), including reservations of calls in flight. Null: no limits.
   */
  limits_used: {
    calls_per_minute: number;
    calls_per_day: number;
    tokens_per_minute: number;
    tokens_per_day: number;
  } | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  /**
   * The API key, returned only once.
   */
  key: string;
};

export type CreatedEndpoint = {
  /**
   * The endpoint.
   */
  id: string;
  /**
   * Receiver URL.
   */
  url: string;
  /**
   * Optional description.
   */
  description: string;
  /**
   * Group of endpoints for which portal links can be created.
   */
  group: string | null;
  /**
   * Empty means every v1 event.
   */
  event_types: Array<string>;
  /**
   * Whether deliveries are sent; if false, they are held.
   */
  active: boolean;
  /**
   * Whether the first KiB of the receiver’s response to each attempt is stored, with credentials masked.
   */
  keep_answers: boolean;
  source: "account" | "approval_workflow";
  /**
   * Last four characters of the secret.
   */
  secret_hint: string | null;
  circuit_state: "closed" | "open" | "half_open";
  /**
   * No attempt is made before this time.
   */
  circuit_open_until: string | null;
  consecutive_failures: number;
  /**
   * Why the service currently refuses new events for this endpoint.
   */
  refusal_reason: string | null;
  /**
   * When an event was last refused, to the minute; null if refusal_reason is null.
   */
  refused_at: string | null;
  /**
   * delivered, failed (will be retried) or dead.
   */
  last_delivery_status: string | null;
  /**
   * When the last attempt ended.
   */
  last_delivery_at: string | null;
  /**
   * HTTP status of the last attempt; null if there was no response.
   */
  last_response_status: number | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
  /**
   * When the endpoint was registered.
   */
  created_at: string;
  /**
   * When the endpoint was last changed.
   */
  updated_at: string;
  /**
   * Signing secret, returned only in this response.
   */
  secret: string;
};

export type CreatedListener = {
  /**
   * The listener.
   */
  id: string;
  /**
   * Optional description.
   */
  description: string;
  /**
   * Empty means every v1 event.
   */
  event_types: Array<string>;
  /**
   * Last four characters of the secret.
   */
  secret_hint: string | null;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * Last time at which a stream was open, accurate to within a minute.
   */
  seen_at: string;
  /**
   * Signing secret, returned only in this response.
   */
  secret: string;
};

export type CreatedPortalLink = {
  /**
   * The portal link.
   */
  id: string;
  /**
   * Group of endpoints that the holder of the link sees and manages.
   */
  group: string;
  /**
   * Event types to which the endpoints of the portal may subscribe. See the catalog.
   */
  event_types: Array<string>;
  /**
   * Origins of the pages that may contain the portal in a frame, for example `https://app.example.com`. Empty: no page may.
   */
  frame_origins: Array<string>;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it ends.
   */
  expires_at: string;
  /**
   * URL of the portal. The fragment of the URL is the token: anyone who has the URL can use the portal.
   */
  url: string;
  /**
   * Token with which the portal calls the API. It is returned only in this response.
   */
  token: string;
};

export type CreatedUser = {
  id: string;
  account_id: string;
  username: string;
  email: string;
  full_name: string | null;
  role: string;
  permissions: Array<Permission>;
  is_active: boolean;
  /**
   * True until the user accepts the invitation and chooses a password.
   */
  is_invited: boolean;
  created_at: string;
  /**
   * The invitation, returned only once. Anyone who has the invitation can choose the password of the user.
   */
  invitation?: {
    /**
     * Link to give to the user.
     */
    url: string;
    /**
     * Token for POST /api/v1/auth/invitations/accept.
     */
    token: string;
    expires_at: string;
  };
};

export type CredentialSighting = {
  runtime_session_id: string;
  /**
   * Title with credentials masked.
   */
  session_title: string | null;
  source_kind:
    "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log" | "session_summary";
  source_id: string;
  /**
   * Time of the content according to its source; if the source states none, the time at which the content was stored.
   */
  occurred_at: string;
  /**
   * Name of the rule that recognized the credential.
   */
  rule: string;
  first_seen_at: string;
  last_seen_at: string;
};

export type CredentialSightingPage = {
  items: Array<CredentialSighting>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type DecideApprovalRequest = {
  /**
   * The person’s decision.
   */
  decision: "approve" | "decline";
  /**
   * Comment; visible to the caller of the tool call, and to the webhooks and chat channels that receive the decision.
   */
  comment?: string | null;
};

export type DeletionJob = {
  id: string;
  status: "running" | "finished";
  dry_run: boolean;
  /**
   * Number of matching sessions found so far.
   */
  matched: number;
  /**
   * Number of deleted sessions; 0 for a dry run.
   */
  deleted: number;
  /**
   * Numbers of matching sessions that are not deleted, by reason.
   */
  kept: {
    /**
     * Sessions under legal hold.
     */
    legal_hold: number;
    /**
     * Sessions of active executions.
     */
    execution_active: number;
  };
  created_at: string;
  finished_at: string | null;
};

export type DeliveredNote = {
  /**
   * Id of the note; a note that is delivered twice has the same id.
   */
  id: string;
  /**
   * Text of the note as it was written.
   */
  text: string;
  /**
   * Text for the agent: the note inside a tag that the note’s own text cannot close.
   */
  framed: string;
  author: {
    user_id: string;
    display: string;
    auth_method: "token" | "api_key";
  };
  created_at: string;
  expires_at: string | null;
};

export type Delivery = {
  /**
   * The delivery.
   */
  id: string;
  /**
   * Id of the event; the same on every retry and replay.
   */
  event_id: string;
  event_type: string;
  /**
   * The endpoint.
   */
  endpoint_id: string;
  /**
   * 1 for original deliveries; each replay or recovery has the next number.
   */
  generation: number;
  /**
   * State of the delivery.
   */
  status: "pending" | "delivered" | "dead" | "cancelled";
  attempt_count: number;
  /**
   * When the next attempt is due; null once the delivery is finished.
   */
  next_attempt_at: string | null;
  /**
   * When the event happened.
   */
  occurred_at: string;
  /**
   * When the delivery was queued.
   */
  created_at: string;
  /**
   * When the endpoint accepted the delivery.
   */
  delivered_at: string | null;
  /**
   * HTTP status of the last attempt.
   */
  response_status: number | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
};

export type DeliveryDetails = {
  /**
   * The delivery.
   */
  id: string;
  /**
   * Id of the event; the same on every retry and replay.
   */
  event_id: string;
  event_type: string;
  /**
   * The endpoint.
   */
  endpoint_id: string;
  /**
   * 1 for original deliveries; each replay or recovery has the next number.
   */
  generation: number;
  /**
   * State of the delivery.
   */
  status: "pending" | "delivered" | "dead" | "cancelled";
  attempt_count: number;
  /**
   * When the next attempt is due; null once the delivery is finished.
   */
  next_attempt_at: string | null;
  /**
   * When the event happened.
   */
  occurred_at: string;
  /**
   * When the delivery was queued.
   */
  created_at: string;
  /**
   * When the endpoint accepted the delivery.
   */
  delivered_at: string | null;
  /**
   * HTTP status of the last attempt.
   */
  response_status: number | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
  /**
   * Why the delivery is held although it may be due; null if it is not held.
   */
  held_because: "endpoint_inactive" | "breaker_open" | null;
  /**
   * When the breaker allows a probe; null if unknown.
   */
  held_until: string | null;
  /**
   * State changes of the circuit breaker during the lifetime of the delivery, oldest first, preceded by the last change before the delivery was created.
   */
  breaker_history: Array<{
    /**
     * When the breaker changed.
     */
    at: string;
    from: "closed" | "open" | "half_open";
    to: "closed" | "open" | "half_open";
    /**
     * Cause of the change.
     */
    reason: "failures" | "cooldown_over" | "probe_succeeded" | "probe_failed" | "endpoint_changed";
    /**
     * Consecutive failures after the change.
     */
    consecutive_failures: number;
  }>;
  attempts: Array<{
    /**
     * Number of the attempt, starting at 1.
     */
    number: number;
    /**
     * When the attempt began.
     */
    started_at: string;
    /**
     * Milliseconds until the status line was received or the attempt failed.
     */
    duration_ms: number;
    /**
     * Milliseconds for name resolution; null if this step did not happen.
     */
    dns_ms: number | null;
    /**
     * Milliseconds to open the connection; null if this step did not happen.
     */
    connect_ms: number | null;
    /**
     * Milliseconds for the TLS handshake; null if this step did not happen.
     */
    tls_ms: number | null;
    /**
     * Milliseconds from the start of the attempt to the status line; null if this step did not happen.
     */
    first_byte_ms: number | null;
    /**
     * HTTP status of the response.
     */
    response_status: number | null;
    /**
     * Short description of the error.
     */
    error: string | null;
    /**
     * Kind of error.
     */
    error_class: string | null;
    /**
     * IP address of the connection.
     */
    remote_address: string | null;
    /**
     * Scheduled time of the next attempt; null if no attempt follows.
     */
    next_attempt_at: string | null;
    /**
     * First KiB of the response body, with credentials masked; null if there is no body, or if the body is not text or was not stored.
     */
    answer: string | null;
    /**
     * Whether the attempt was the probe of a half-open circuit breaker.
     */
    probe: boolean;
    /**
     * Headers as they were sent, without the values of the signatures; null for email and notices, and if the event has been deleted.
     */
    request_headers: {
      [key: string]: unknown | string;
    } | null;
  }>;
};

export type DeliveryPage = {
  items: Array<Delivery>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Deployment = {
  /**
   * Edition of the deployment.
   */
  edition: "oss" | "cloud" | "enterprise";
  /**
   * Version of this build.
   */
  version: string;
  /**
   * Whether anyone may currently register an account.
   */
  registration_enabled: boolean;
  /**
   * Whether the bodies of model calls are stored. Only for authenticated callers.
   */
  content_capture?: boolean;
  /**
   * Whether accounts can use semantic search. Only for authenticated callers.
   */
  embedding_enabled?: boolean;
  /**
   * Whether the caller’s account operates the deployment; if so, user administrators of the account may read the health of the deployment. Only for authenticated callers.
   */
  operated_by_account?: boolean;
};

export type DeploymentHealth = {
  /**
   * When these figures were read.
   */
  checked_at: string;
  /**
   * Queues of work in the database, for all accounts.
   */
  queues: Array<{
    /**
     * Name of the queue.
     */
    name: "deliveries" | "executions" | "embedding" | "history" | "statistics";
    /**
     * Name of the app.
     */
    app: "api-gateway" | "search-indexer" | "webhook-dispatcher" | "flow-trigger" | "backfill-sweeper";
    /**
     * Number of waiting items; the queue determines their kind: deliveries, executions, accounts with content to embed, accounts with history to index, or records to aggregate (of these, at most 10,000 are counted); null if unknown.
     */
    waiting: number | null;
    /**
     * Number of items in progress; null if unknown.
     */
    running: number | null;
    /**
     * Seconds since the oldest item that can be processed at the moment became due; 0 if there is no such item; null if unknown.
     */
    oldest_waiting_seconds: number | null;
    /**
     * Seconds after which the oldest item counts as late; null if the queue has no such limit.
     */
    late_after_seconds: number | null;
    /**
     * Whether the oldest item is late.
     */
    is_late: boolean;
  }>;
  /**
   * Messages in the broker. The work itself is stored in the database; a message only makes it start sooner.
   */
  messages: Array<{
    /**
     * Name of the message.
     */
    name: "chunk-written" | "event-emitted" | "trigger-accepted";
    /**
     * Name of the app.
     */
    app: "api-gateway" | "search-indexer" | "webhook-dispatcher" | "flow-trigger" | "backfill-sweeper";
    /**
     * Number of messages that are not handled yet; null if unknown.
     */
    waiting: number | null;
    /**
     * Age of the oldest message that is not handled yet; 0 if there is no such message; null if unknown.
     */
    oldest_waiting_seconds: number | null;
  }>;
  /**
   * Apps of the service; an app without connections is not running or cannot reach the database.
   */
  processes: Array<{
    /**
     * Name of the app.
     */
    app: "api-gateway" | "search-indexer" | "webhook-dispatcher" | "flow-trigger" | "backfill-sweeper";
    /**
     * Number of connections of the app to the database; null if unknown.
     */
    connections: number | null;
  }>;
  /**
   * The primary database server; null if its figures are unknown.
   */
  database: {
    /**
     * Size of the database.
     */
    size_bytes: number;
    /**
     * Number of connections to the server.
     */
    connections: number;
    /**
     * Maximum number of connections to the server.
     */
    max_connections: number;
  } | null;
  /**
   * The replica for reads; null if there is none.
   */
  replica: {
    /**
     * Bytes of the write-ahead log that the replica has not replayed; null if unknown.
     */
    lag_bytes: number | null;
    /**
     * Seconds since the last transaction that the replica has replayed; 0 if it has replayed everything; null if unknown.
     */
    lag_seconds: number | null;
  } | null;
};

export type DiscoveryCandidate = {
  id: string;
  /**
   * Hash that identifies the workstation.
   */
  workstation_fingerprint: string;
  /**
   * Kind of agent: claude_code, codex, or a custom name.
   */
  agent_kind: string;
  /**
   * Hash of the path of the agent’s configuration, with the home folder written as ~.
   */
  config_path_hash: string;
  /**
   * Number of tool servers in the agent’s configuration.
   */
  mcp_server_count: number;
  agent_version: string | null;
  enrolled: boolean;
  /**
   * Operating system family.
   */
  os_family: "darwin" | "linux" | "windows" | "other";
  /**
   * State of the candidate.
   */
  status: "new" | "onboarded" | "ignored";
  /**
   * Id of the agent as which the candidate was registered.
   */
  agent_id: string | null;
  /**
   * When the candidate was first reported.
   */
  first_seen_at: string;
  /**
   * When the candidate was last reported.
   */
  last_seen_at: string;
};

export type DiscoveryCandidatePage = {
  items: Array<DiscoveryCandidate>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type DiscoverySalt = {
  /**
   * HMAC-SHA256 key for the hashes in reports from workstations. The key belongs to the account and never changes.
   */
  salt: string;
};

export type DiscoverySetting = {
  /**
   * Whether reports from workstations are accepted.
   */
  enabled: boolean;
};

export type DueTimes = {
  items: Array<{
    flow_id: string;
    due_at: string;
    /**
     * Outcome of the due time: its run was started, was queued to start after the previous run, was skipped, or was missed because no worker was running.
     */
    outcome: "started" | "queued" | "skipped" | "missed";
    reason: string | null;
    execution_id: string | null;
    decided_at: string;
  }>;
};

export type EmbeddingSetting = {
  enabled: boolean;
  scope: "summaries_only" | "full";
  /**
   * Provider of the embeddings.
   */
  provider: "generic_compatible" | null;
  /**
   * Name of the model.
   */
  model_identifier: string | null;
  /**
   * Endpoint of the provider.
   */
  base_url: string | null;
  /**
   * Number of dimensions of the vectors of the current model; null until this model has been used once.
   */
  dimensions: number | null;
  /**
   * Daily cap set by the account; null if the deployment default applies.
   */
  daily_cap_usd: number | null;
  /**
   * Daily cap of the deployment in US dollars, which applies if the account has not set a cap.
   */
  deployment_daily_cap_usd: number;
  /**
   * Whether embedding is enabled in this deployment.
   */
  deployment_embedding_enabled: boolean;
  /**
   * Whether an API key of the provider is stored.
   */
  has_api_key: boolean;
  /**
   * US dollars spent on embeddings since midnight UTC, including amounts reserved for calls whose cost is not known yet.
   */
  spent_today_usd: number;
  /**
   * Why embedding has stopped; null if it has not.
   */
  degraded_reason: string | null;
  /**
   * When embedding stopped for this reason.
   */
  degraded_at: string | null;
  corpus: {
    /**
     * Number of chunks of the account.
     */
    chunks: number;
    /**
     * Number of chunks in the scope, without chunks that contain only metadata.
     */
    eligible: number;
    /**
     * Number of eligible chunks with a vector of the current model.
     */
    embedded: number;
    /**
     * Number of eligible chunks that do not have a vector of the current model yet, without failed chunks.
     */
    pending: number;
    /**
     * Number of chunks that are not tried again because their embedding failed repeatedly.
     */
    failed: number;
    /**
     * Number of pending chunks that have a vector of another provider, endpoint or model; counted up to 100,000.
     */
    other_model: number;
    /**
     * All eligible chunks stored up to this time are embedded, except for failed chunks; null if there is no such time yet.
     */
    embedded_through: string | null;
  };
};

export type EndSessionRequest = {
  [key: string]: never;
};

export type Endpoint = {
  /**
   * The endpoint.
   */
  id: string;
  /**
   * Receiver URL.
   */
  url: string;
  /**
   * Optional description.
   */
  description: string;
  /**
   * Group of endpoints for which portal links can be created.
   */
  group: string | null;
  /**
   * Empty means every v1 event.
   */
  event_types: Array<string>;
  /**
   * Whether deliveries are sent; if false, they are held.
   */
  active: boolean;
  /**
   * Whether the first KiB of the receiver’s response to each attempt is stored, with credentials masked.
   */
  keep_answers: boolean;
  source: "account" | "approval_workflow";
  /**
   * Last four characters of the secret.
   */
  secret_hint: string | null;
  circuit_state: "closed" | "open" | "half_open";
  /**
   * No attempt is made before this time.
   */
  circuit_open_until: string | null;
  consecutive_failures: number;
  /**
   * Why the service currently refuses new events for this endpoint.
   */
  refusal_reason: string | null;
  /**
   * When an event was last refused, to the minute; null if refusal_reason is null.
   */
  refused_at: string | null;
  /**
   * delivered, failed (will be retried) or dead.
   */
  last_delivery_status: string | null;
  /**
   * When the last attempt ended.
   */
  last_delivery_at: string | null;
  /**
   * HTTP status of the last attempt; null if there was no response.
   */
  last_response_status: number | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
  /**
   * When the endpoint was registered.
   */
  created_at: string;
  /**
   * When the endpoint was last changed.
   */
  updated_at: string;
};

export type EndpointPage = {
  items: Array<Endpoint>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Enrollment = {
  /**
   * The enrollment.
   */
  id: string;
  /**
   * The enrolled agent.
   */
  agent_id: string;
  enrollment_type: string;
  adapter_key: string | null;
  target_config_path: string | null;
  /**
   * State of the enrollment; `restored` is a final state.
   */
  status: "pending" | "applied" | "validated" | "failed" | "restored";
  /**
   * Whether the agent’s model calls go through the gateway.
   */
  gateway_routed: boolean;
  /**
   * Whether the agent reaches its tool servers through the service.
   */
  mcp_rewritten: boolean;
  /**
   * Number of tool servers in the agent’s configuration.
   */
  mcp_server_count: number;
  candidate_id: string | null;
  message: string | null;
  /**
   * When the enrollment was first validated.
   */
  onboarded_at: string | null;
  created_at: string;
  updated_at: string;
};

export type EnrollmentPage = {
  items: Array<Enrollment>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ErrorBody = {
  detail: {
    /**
     * Stable machine-readable code.
     */
    code: string;
    /**
     * Human-readable message that says what to do.
     */
    message: string;
    /**
     * Path of the offending field.
     */
    field?: string;
    /**
     * The permission that is missing.
     */
    permission?: string;
    limit?: number;
    actual?: number;
    overage?: number;
    [key: string]: unknown;
  };
  request_id: string;
};

export type EventCatalogue = {
  version: string;
  event_types: Array<{
    name: string;
    description: string;
    /**
     * JSON Schema of `data`. Fields may be added later, so receivers must ignore unknown fields.
     */
    data_schema: unknown;
    /**
     * A `data` object.
     */
    example: unknown;
  }>;
  signature_header: string;
  /**
   * All headers and their meaning.
   */
  headers: {
    [key: string]: unknown | string;
  };
  tolerance_seconds: number;
  max_attempts: number;
  retry_delays_seconds: Array<number>;
  /**
   * Time limit of an attempt; an attempt that takes longer has failed.
   */
  timeout_seconds: number;
  success: string;
};

export type EvidenceConfig = {
  enabled: boolean;
  paths: Array<string>;
};

export type Execution = {
  id: string;
  flow_id: string;
  flow_name: string;
  /**
   * Status of the execution.
   */
  status: "PENDING" | "INITIALIZING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "STOPPED";
  failure_category:
    | "setup_failed"
    | "workspace_rejected"
    | "agent_error"
    | "tool_error"
    | "model_error"
    | "timeout"
    | "cancelled"
    | "runner_error"
    | "unknown"
    | null;
  error_message: string | null;
  trigger_type: string;
  /**
   * Copy of the data of the trigger; file contents are redacted.
   */
  trigger_event_details: unknown;
  resolved_input_prompt: string | null;
  runtime_session_id: string | null;
  result: unknown;
  evidence_receipt: unknown;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type ExecutionPage = {
  items: Array<Execution>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ExportAuditLogQuery = {
  /**
   * Number of a seal that has already been exported; only later seals are exported. Default: all seals that retention has not removed are exported.
   */
  after?: number;
};

export type FinishToolServerLoginRequest = {
  /**
   * The `state` parameter that `redirect_uri` received.
   */
  state: string;
  /**
   * The `code` parameter that `redirect_uri` received.
   */
  code?: string;
  /**
   * The `iss` parameter that `redirect_uri` received, if any (RFC 9207).
   */
  iss?: string;
  /**
   * The `error` parameter that `redirect_uri` received in place of a code.
   */
  error?: string;
};

export type Flow = {
  id: string;
  name: string;
  description: string | null;
  is_enabled: boolean;
  trigger: string;
  prompt_template: string;
  ai_model_id: string | null;
  agent_type: string;
  /**
   * Values of `env` are "[hidden]". For callers without edit_flows, `command` is hidden as well.
   */
  agent_config: unknown;
  allowed_tools: Array<string>;
  webhook_config: {
    /**
     * The secret; only for callers with edit_flows.
     */
    webhook_secret?: string;
    webhook_secret_hint?: string | null;
    supersede_on_update?: boolean;
    dedupe_path?: string;
    /**
     * Service that sends the requests. The choice determines how signatures, media types, headers, deduplication and handshakes are handled. If no source is set, every sender of JSON is accepted: a request whose headers identify one of these services is handled like a request of that service; of any other request, only the payload is stored.
     */
    source?:
      | "generic"
      | "github"
      | "gitlab"
      | "bitbucket"
      | "gitea"
      | "jira"
      | "linear"
      | "slack"
      | "sns"
      | "stripe"
      | "standard_webhooks"
      | "cloudevents";
    signing_secrets?: Array<string> | null;
    /**
     * Events that start a run, by the names that the sender uses, for example "pull_request.opened", "Merge Request Hook", "repo:push", "jira:issue_created". An empty list means all events.
     */
    event_types?: Array<string>;
    /**
     * Condition in CEL, as in policies, over `payload` and `event` (name, action, names), for example payload.pull_request.draft == false. Requests that do not match are ignored.
     */
    filter?: string;
    /**
     * Additional headers to pass to the run. Headers that may contain a credential are not allowed.
     */
    headers?: Array<string>;
  } | null;
  /**
   * Tracker whose events start the flow.
   */
  tracker_config: FlowTracker | null;
  schedule_config: ScheduleConfig | null;
  /**
   * The URL is returned without user and password; `credentials` says whether they are stored.
   */
  git_clone_config: unknown;
  /**
   * Each value is "[hidden]" for callers without edit_flows.
   */
  setup_commands: Array<string>;
  timeout_seconds: number;
  evidence: unknown;
  reporting: ReportingConfig | null;
  network_allow: Array<string>;
  network_secrets: Array<NetworkSecret> | null;
  created_at: string;
  updated_at: string;
};

export type FlowArrival = {
  id: string;
  flow_id: string;
  received_at: string;
  /**
   * Whether the request started an execution, matched an earlier request, or was ignored.
   */
  outcome: "accepted" | "deduplicated" | "ignored";
  reason: string | null;
  /**
   * The event as passed to the run: name, event, action, delivery_id, headers.
   */
  source: unknown;
  /**
   * Payload with credentials masked; null if it is larger than 128 KiB, in which case it is not stored.
   */
  payload: unknown;
  execution_id: string | null;
  resent_from: string | null;
};

export type FlowArrivalPage = {
  items: Array<FlowArrival>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type FlowPage = {
  items: Array<Flow>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type FlowSchedule = {
  flow_id: string;
  flow_name: string;
  /**
   * Schedule on which the flow starts, in addition to its trigger.
   */
  schedule_config: ScheduleConfig;
  /**
   * State of the schedule. Only an active schedule has further due times; `over` means that the last due time of the schedule has passed.
   */
  state: "active" | "paused" | "disabled" | "over";
  paused_at: string | null;
  /**
   * The next due times, at most five; empty unless the schedule is active.
   */
  next_due_times: Array<{
    due_at: string;
    /**
     * The due time in the time zone of the schedule.
     */
    due_local: string;
  }>;
  queued_due_at: string | null;
  last_due_at: string | null;
  last_outcome: "started" | "queued" | "skipped" | "missed" | null;
  last_execution_id: string | null;
};

export type FlowSchedulePage = {
  items: Array<FlowSchedule>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type FlowSecret = {
  name: string;
  created_at: string;
  /**
   * When the value was last set.
   */
  updated_at: string;
};

export type FlowSecretPage = {
  items: Array<FlowSecret>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type FlowTemplates = {
  items: Array<{
    /**
     * Name by which commands refer to the template.
     */
    name: string;
    title: string;
    description: string;
    /**
     * Fields that must be set before the first run, in addition to name, model and tracker.
     */
    to_set: Array<string>;
    variants: Array<{
      /**
       * Kind of the tracker whose events start the flow; null if the flow needs no tracker.
       */
      tracker_kind: "github" | "gitlab" | "jira" | "linear" | null;
      /**
       * Body for POST /api/v1/flows, to which name, ai_model_id and, if the flow needs a tracker, tracker_config must be added.
       */
      flow: {
        [key: string]: unknown;
      };
    }>;
  }>;
};

export type FlowTracker = {
  tracker_id: string;
  repository: string;
  registration: {
    /**
     * State of the webhook at the tracker; `removed` means that no webhook is registered, because the flow is disabled.
     */
    state: "pending" | "active" | "failed" | "removed";
    /**
     * Reason why the webhook could not be registered or removed.
     */
    reason: string | null;
    /**
     * Time of the last registration.
     */
    registered_at: string | null;
    /**
     * Time of the next attempt to register or remove the webhook.
     */
    retry_at: string | null;
  };
};

export type FoundSession = {
  runtime_session_id: string;
  url: string | null;
  session_source_type: string;
  session_source_id: string;
  session_reference: string | null;
  title: string | null;
  started_at: string;
  last_activity_at: string;
  ended_at: string | null;
  score: number;
  match_reason: "keyword" | "semantic" | "both" | "identifier";
  keyword_score: number | null;
  similarity: number | null;
  matched_chunk_count: number;
  first_match_at: string | null;
  last_match_at: string | null;
  snippets: Array<SearchSnippet>;
  explain?: {
    /**
     * How the candidates were found. `all`: all chunks in the searched range were examined. `walk`: the newest chunks were examined until enough of them matched. `index`: the text index was used. `vectors`: only vectors were compared.
     */
    retrieval: "all" | "walk" | "index" | "vectors";
    /**
     * For a hybrid or semantic search: the contributions of the keyword half and of the semantic half to the score. `terms` and `chunks` explain the keyword score.
     */
    fusion?: {
      constant: number;
      keyword: {
        /**
         * Rank in the result list of this half, from 1.
         */
        rank: number;
        weight: number;
        contribution: number;
      } | null;
      semantic: {
        /**
         * Rank in the result list of this half, from 1.
         */
        rank: number;
        weight: number;
        contribution: number;
      } | null;
    };
    terms: Array<{
      term: string;
      idf: number;
    }>;
    /**
     * Chunks that contribute to the keyword score, which is the sum over the chunks of weight x (title_bonus + contributions).
     */
    chunks: Array<{
      document_id: string;
      /**
       * Weight of the chunk in the score: 1 for the best chunk, and much lower for the second and the third.
       */
      weight: number;
      title_bonus: number;
      terms: Array<{
        term: string;
        rank: number;
        contribution: number;
      }>;
    }>;
  };
};

export type GitCloneConfig = {
  /**
   * URL of the repository, which is cloned before the `workspace_files` of the trigger are written. A user and password in the URL are stored encrypted and never returned; {{secret.NAME}} can be used in their place.
   */
  repository_url: string;
  credentials?: "[hidden]" | null;
  branch?: string;
  /**
   * Number of commits to fetch.
   */
  depth?: number;
  /**
   * Path of the folder in the workspace for the cloned repository; no segment may be .git.
   */
  clone_path?: string;
};

export type Health = {
  status: "healthy" | "degraded" | "unhealthy";
  checks: {
    database: "ok" | "failed";
    broker: "ok" | "failed";
  };
  /**
   * Version of this build.
   */
  version: string;
};

export type IgnoredWebhook = {
  status: "ignored";
  flow_id: string;
  /**
   * Why nothing is started: the request is not an event (for example, it is a ping), has an event type that the flow does not listen to, or is excluded by the filter.
   */
  reason: string;
  event: string | null;
  /**
   * Id of the request in the list of arrivals.
   */
  arrival_id: string;
};

export type ImportSessionsQuery = {
  /**
   * Format of the file; detected from its first lines if omitted.
   */
  format?:
    | "claude_code"
    | "codex"
    | "gemini_cli"
    | "opencode"
    | "cursor"
    | "openai_chat"
    | "anthropic_messages"
    | "vercel_ui"
    | "langsmith"
    | "steward";
  /**
   * Source id of the session for entries whose session the file does not name. Session ids in the file take precedence.
   */
  session_source_id?: string;
  /**
   * Time at which the sessions ended. The sessions are marked as ended at this time; no event is emitted.
   */
  ended_at?: string;
  /**
   * Labels to add to the sessions, in addition to those in the file.
   */
  label?: Array<string>;
  /**
   * Whether to read and count the entries without storing them.
   */
  dry_run?: boolean;
};

export type ImportSummary = {
  /**
   * Detected format; null if the file was not recognized.
   */
  format: string | null;
  /**
   * Number of lines or JSON values read.
   */
  records: number;
  /**
   * Number of sessions with entries in the file.
   */
  sessions: number;
  /**
   * Number of these sessions that the import created.
   */
  created: number;
  /**
   * Number of entries that were stored or, in a dry run, read.
   */
  entries: number;
  /**
   * Number of these entries that a fork copied from another session.
   */
  copied: number;
  /**
   * Number of existing entries that were replaced because the source changed them.
   */
  replaced: number;
  /**
   * Number of entries that were already stored.
   */
  skipped: number;
  /**
   * Number of records that could not be read completely, by kind; a record of an unknown type is counted under this type. `broken` records are not JSON; `too_large` records contain a string that is too long, or too many values (the limits are those of request bodies); `too_long` records are longer than 4194304 characters, not counting base64 data such as images.
   */
  unknown_lines: {
    [key: string]: unknown | number;
  };
  /**
   * Warnings for the caller.
   */
  warnings: Array<string>;
};

export type ImportTranscriptRequest = {
  /**
   * Messages in order.
   */
  messages: Array<{
    /**
     * Role of the speaker, for example `user`.
     */
    role: string;
    /**
     * Text, or message parts in the provider’s format.
     */
    content:
      | string
      | Array<unknown>
      | {
          [key: string]: unknown;
        };
    occurred_at?: string | null;
    external_id?: string | null;
  }>;
};

export type IssuedInvitation = {
  /**
   * The invitation, returned only once. Anyone who has the invitation can choose the password of the user.
   */
  invitation: {
    /**
     * Link to give to the user.
     */
    url: string;
    /**
     * Token for POST /api/v1/auth/invitations/accept.
     */
    token: string;
    expires_at: string;
  };
};

export type KeyLimits = {
  /**
   * Aliases of the models that the key may call. Null or omitted: all models of the account.
   */
  models?: Array<string> | null;
  /**
   * Maximum number of model calls per calendar minute. Null or omitted: no limit.
   */
  calls_per_minute?: number | null;
  /**
   * Maximum number of model calls per calendar day (UTC). Null or omitted: no limit.
   */
  calls_per_day?: number | null;
  /**
   * Maximum total number of input and output tokens per calendar minute. Null or omitted: no limit.
   */
  tokens_per_minute?: number | null;
  /**
   * Maximum total number of input and output tokens per calendar day (UTC). Null or omitted: no limit.
   */
  tokens_per_day?: number | null;
};

export type KillSwitch = {
  /**
   * Whether the agents of the account are stopped.
   */
  engaged: boolean;
  reason: string | null;
  changed_at: string | null;
  changed_by: {
    user_id: string;
    username: string | null;
  } | null;
};

export type ListAgentsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Kind of agent: claude_code, codex, or a custom name.
   */
  agent_kind?: string;
  /**
   * Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history is retained.
   */
  lifecycle_state?: "active" | "suspended" | "retired";
  /**
   * Only agents with this tag.
   */
  tag?: string;
  /**
   * Only agents whose name contains this string, ignoring case.
   */
  q?: string;
};

export type ListAiModelsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only the model with exactly this alias.
   */
  alias?: string;
  /**
   * Provider of the model; generic_compatible is any OpenAI-compatible API.
   */
  provider?: "openai" | "anthropic" | "generic_compatible";
  enabled?: boolean;
};

export type ListApiKeysQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListApprovalRequestsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Every status except pending is final.
   */
  status?: "pending" | "approved" | "declined" | "expired" | "cancelled";
  /**
   * Only requests of this workflow.
   */
  workflow_id?: string;
  /**
   * Only requests of this agent.
   */
  managed_agent_id?: string;
  /**
   * Only requests of this execution.
   */
  execution_id?: string;
  /**
   * Only requests of this session.
   */
  runtime_session_id?: string;
  /**
   * Only pending requests that you may decide and have not voted on.
   */
  mine?: boolean;
};

export type ListApprovalWorkflowsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListAuditEntriesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only entries with this action, for example query, create or login.
   */
  action?: string;
  /**
   * Kind of resource the action applied to: account, agent_enrollment, ai_model, api_key, approval_request, approval_workflow, audit_log, budget, credential_sighting, discovery_candidate, discovery_setting, embedding_setting, event_webhook_delivery, event_webhook_endpoint, event_webhook_listener, event_webhook_portal_link, flow, flow_execution, flow_secret, kill_switch, managed_agent, mcp_server, notice_channel, operator_note, policy, push_subscription, role, runtime_session, runtime_session_deletion, saved_search, session_search, session_search_grants, similar_session, title_setting, tool, tracker, user.
   */
  resource_type?: string;
  status?: "success" | "denied" | "failure";
  /**
   * Start of the range, inclusive.
   */
  since?: string;
  /**
   * End of the range, exclusive.
   */
  until?: string;
};

export type ListBudgetsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListCredentialSightingsRequest = {
  /**
   * The credential to search for. It is not stored or logged.
   */
  value: string;
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListDeadLettersQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only deliveries to this endpoint.
   */
  endpoint_id?: string;
  /**
   * Only deliveries of this event.
   */
  event_id?: string;
  /**
   * Only this event type.
   */
  event_type?: string;
  /**
   * Only deliveries created at or after this time.
   */
  since?: string;
  /**
   * Only deliveries created before this time.
   */
  until?: string;
};

export type ListDeliveriesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only deliveries to this endpoint.
   */
  endpoint_id?: string;
  /**
   * Only deliveries of this event.
   */
  event_id?: string;
  /**
   * Only this event type.
   */
  event_type?: string;
  /**
   * Only deliveries created at or after this time.
   */
  since?: string;
  /**
   * Only deliveries created before this time.
   */
  until?: string;
  /**
   * State of the delivery.
   */
  status?: "pending" | "delivered" | "dead" | "cancelled";
};

export type ListDiscoveryCandidatesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * State of the candidate.
   */
  status?: "new" | "onboarded" | "ignored";
};

export type ListEndpointsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListEnrollmentsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListExecutionLogsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Whether to stream server-sent events until the execution ends.
   */
  follow?: "1" | "true" | "0" | "false";
};

export type ListExecutionVulnerabilitiesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListExecutionsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only executions of this flow.
   */
  flow_id?: string;
  /**
   * Only executions triggered at or after this time.
   */
  since?: string;
  /**
   * Only executions triggered before this time.
   */
  until?: string;
  /**
   * Only executions whose id or flow name contains this string, ignoring case.
   */
  query?: string;
  /**
   * Only executions with this status.
   */
  status?: "PENDING" | "INITIALIZING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "STOPPED";
};

export type ListFlowArrivalsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListFlowModelsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListFlowToolsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListFlowsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only flows whose name contains this string, ignoring case.
   */
  query?: string;
};

export type ListListenersQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListLoginsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListNoticeChannelsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListOperatorNotesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only notes in this state.
   */
  state?: "pending" | "delivered" | "expired" | "cancelled";
  /**
   * Only notes of this session.
   */
  runtime_session_id?: string;
  /**
   * Only notes for this agent.
   */
  managed_agent_id?: string;
  /**
   * Only notes for this flow execution.
   */
  execution_id?: string;
};

export type ListPolicyVersionsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListPortalLinksQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListPushSubscriptionsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListRolesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListSavedSearchesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only saved searches with exactly this name, ignoring surrounding white space.
   */
  name?: string;
  /**
   * Only your private searches, or only searches shared with the account.
   */
  visibility?: "private" | "account";
};

export type ListSchedulesQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListSessionsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only sessions that are open (true) or ended (false).
   */
  active?: boolean;
  /**
   * Only sessions of this agent.
   */
  runtime_principal_id?: string;
  /**
   * Only sessions of this flow.
   */
  flow_id?: string;
  /**
   * Only sessions with this label, `key:value`.
   */
  label?: string;
  /**
   * Only sessions started at or after this time.
   */
  since?: string;
  /**
   * Only sessions started before this time.
   */
  until?: string;
};

export type ListSimilarSessionsQuery = {
  /**
   * Maximum number of sessions; default 10.
   */
  limit?: number;
  /**
   * Number of past days whose content is considered; default: all content.
   */
  window_days?: number;
};

export type ListToolServersQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListToolsQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListTrackersQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
};

export type ListUsageQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  model_id?: string;
  model_alias?: string;
  /**
   * Only calls to this provider.
   */
  provider?: "openai" | "anthropic" | "generic_compatible";
  endpoint?: string;
  /**
   * Only calls with this status.
   */
  status?: "ok" | "error" | "aborted" | "refused";
  api_key_id?: string;
  user_id?: string;
  managed_agent_id?: string;
  flow_id?: string;
  execution_id?: string;
  runtime_session_id?: string;
  /**
   * Start of the range, inclusive.
   */
  since?: string;
  /**
   * End of the range, exclusive.
   */
  until?: string;
};

export type ListUsersQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Only users whose name or email address contains this string, ignoring case.
   */
  query?: string;
};

export type Listener = {
  /**
   * The listener.
   */
  id: string;
  /**
   * Optional description.
   */
  description: string;
  /**
   * Empty means every v1 event.
   */
  event_types: Array<string>;
  /**
   * Last four characters of the secret.
   */
  secret_hint: string | null;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * Last time at which a stream was open, accurate to within a minute.
   */
  seen_at: string;
};

export type ListenerPage = {
  items: Array<Listener>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Liveness = {
  status: "alive";
  /**
   * Version of this build.
   */
  version: string;
};

export type LogInRequest = {
  /**
   * Username or email address.
   */
  username: string;
  password: string;
};

export type LogLine = {
  id: string;
  occurred_at: string;
  /**
   * Step of the run that wrote the line.
   */
  step: string | null;
  level: string | null;
  /**
   * One or more lines that were received together.
   */
  text: string;
};

export type LogLinePage = {
  items: Array<LogLine>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Login = {
  id: string;
  /**
   * Kind of client that stores the refresh token: a browser (as a cookie) or a program.
   */
  kind: "browser" | "program";
  /**
   * Name of the client that started the login, as reported by the client.
   */
  client: string | null;
  /**
   * Whether the request was made with this login.
   */
  current: boolean;
  /**
   * When it was started.
   */
  created_at: string;
  /**
   * When the tokens of the login were last refreshed; null if never.
   */
  refreshed_at: string | null;
  /**
   * When the login expires unless it is refreshed.
   */
  expires_at: string;
};

export type LoginPage = {
  items: Array<Login>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type MergeAgentsRequest = {
  /**
   * Id of the duplicate agent, which is merged into this agent.
   */
  duplicate_agent_id: string;
};

export type ModelChoice = {
  id: string;
  /**
   * Alias of the model; `ai_model_id` of a flow accepts the alias as well as the id.
   */
  alias: string;
  provider: "openai" | "anthropic" | "generic_compatible";
  /**
   * Name of the model at its provider.
   */
  model_identifier: string;
  /**
   * Whether flows without `ai_model_id` use this model.
   */
  is_default: boolean;
};

export type ModelChoicePage = {
  items: Array<ModelChoice>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ModelPrices = {
  /**
   * US dollars per million tokens of input.
   */
  input_per_mtok_usd: number;
  /**
   * US dollars per million tokens of output.
   */
  output_per_mtok_usd: number;
  /**
   * Null: the same price as other input.
   */
  cached_input_per_mtok_usd?: number | null;
};

export type ModelTest = {
  /**
   * Whether the model responded.
   */
  ok: boolean;
  latency_ms: number;
  /**
   * Short message about the failure; null on success.
   */
  error: string | null;
};

export type NetworkSecret = {
  host: string;
  header: string;
  /**
   * Header value; it can contain {{secret.NAME}}, for example "Bearer {{secret.GITHUB_TOKEN}}".
   */
  value: string;
};

export type NextDueTimes = {
  /**
   * The next due times, at most five.
   */
  next_due_times: Array<{
    due_at: string;
    /**
     * The due time in the time zone of the schedule.
     */
    due_local: string;
  }>;
};

export type NoticeChannel = {
  /**
   * The channel.
   */
  id: string;
  /**
   * Service that shows the notices.
   */
  kind: "slack" | "teams" | "ntfy";
  /**
   * URL to which notices are posted; its path is shown only to users who may change the channel.
   */
  url: string;
  /**
   * Optional description.
   */
  description: string;
  notices: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
  /**
   * Whether notices are posted; if false, they are held.
   */
  active: boolean;
  /**
   * Last four characters of the access token; null if there is none.
   */
  token_hint: string | null;
  /**
   * State of the circuit breaker.
   */
  circuit_state: "closed" | "open" | "half_open";
  /**
   * No attempt is made before this time.
   */
  circuit_open_until: string | null;
  consecutive_failures: number;
  /**
   * Why the service currently refuses new notices for this channel.
   */
  refusal_reason: string | null;
  /**
   * delivered, failed (will be retried) or dead.
   */
  last_delivery_status: string | null;
  /**
   * When the last attempt ended.
   */
  last_delivery_at: string | null;
  /**
   * HTTP status of the last attempt; null if there was no response.
   */
  last_response_status: number | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
  /**
   * When the channel was created.
   */
  created_at: string;
  /**
   * When the channel was last changed.
   */
  updated_at: string;
};

export type NoticeChannelPage = {
  items: Array<NoticeChannel>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type OnboardDiscoveryCandidateRequest = {
  /**
   * Display name of the agent.
   */
  display_name?: string;
  owner_user_id?: string | null;
  tags?: Array<string>;
};

export type OpenSessionRequest = {
  /**
   * Kind of source, for example `coding_agent`.
   */
  session_source_type: string;
  /**
   * Id of the session at its source, unique per account and source type.
   */
  session_source_id: string;
  session_reference?: string | null;
  runtime_principal_type?: string | null;
  runtime_principal_id?: string | null;
  runtime_principal_name?: string | null;
  title?: string | null;
  summary?: string | null;
  labels?: Array<string> | null;
  started_at?: string | null;
};

export type OperatorNote = {
  /**
   * The note.
   */
  id: string;
  state: "pending" | "delivered" | "expired" | "cancelled";
  /**
   * Id of the session that the note is for; null until the note is assigned to a session.
   */
  runtime_session_id: string | null;
  execution_id: string | null;
  kind: "operator_note";
  occurred_at: string;
  managed_agent_id: string | null;
  text: string;
  author: {
    user_id: string;
    display: string;
    auth_method: "token" | "api_key";
  };
  created_at: string;
  expires_at: string | null;
  cancelled_at: string | null;
  delivered_at: string | null;
  /**
   * How the note was delivered: `gateway`, `hook`, `assistant_channel` or `assistant_message`.
   */
  delivery_channel: string | null;
  /**
   * Number of model calls in the session up to the delivery, including the call with which the note was delivered, if any.
   */
  turn_index: number | null;
};

export type OperatorNotePage = {
  items: Array<OperatorNote>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Overview = {
  /**
   * Number of pending approval requests; 100 means 100 or more; null if the caller lacks the permission to see the number.
   */
  pending_approvals: number | null;
  /**
   * Number of dead deliveries that were not sent again; 100 means 100 or more; null if the caller lacks the permission to see the number.
   */
  dead_deliveries: number | null;
  /**
   * Number of running executions; 100 means 100 or more; null if the caller lacks the permission to see the number.
   */
  running_executions: number | null;
  /**
   * Whether the agents of the account are stopped.
   */
  agents_stopped: boolean;
};

export type PauseFlowScheduleRequest = {
  [key: string]: never;
};

export type PendingNotes = {
  /**
   * At most five notes, oldest first.
   */
  operator_notes: Array<DeliveredNote>;
};

export type Permission =
  | "manage_users"
  | "view_runtime_sessions"
  | "manage_runtime_sessions"
  | "search_session_content"
  | "manage_budgets"
  | "view_policies"
  | "manage_policies"
  | "view_flows"
  | "create_flows"
  | "edit_flows"
  | "delete_flows"
  | "execute_flows"
  | "view_trackers"
  | "manage_trackers"
  | "view_approvals"
  | "decide_approvals"
  | "manage_approval_workflows"
  | "view_agents"
  | "manage_agents"
  | "control_managed_agent"
  | "view_audit_logs"
  | "view_ai_models"
  | "manage_ai_models"
  | "view_cost"
  | "manage_kill_switch"
  | "report_discovery"
  | "manage_api_keys";

export type PermissionCheck = {
  /**
   * Only "allow" permits the call. An "allow" after an approval is valid for this one call.
   */
  decision: "allow" | "deny" | "pending";
  /**
   * Human-readable explanation, never empty.
   */
  reason: string;
  /**
   * The rule that decided; null if no rule decided and a default applied.
   */
  rule: {
    /**
     * Version of the policy.
     */
    version: number;
    id: string;
    description: string;
  } | null;
  /**
   * Error that prevented the evaluation of the rule’s condition; the condition therefore counted as true.
   */
  condition_error: string | null;
  approval_request_id: string | null;
  /**
   * When the pending request expires.
   */
  expires_at: string | null;
  /**
   * Operator notes for the agent, delivered with this response.
   */
  operator_notes: Array<DeliveredNote>;
  /**
   * Seconds after which to repeat the same call; set while the request is pending.
   */
  poll_after_seconds: number | null;
};

export type Policy = {
  /**
   * Number of the version; 0 is the default document, which is in force until a document is applied.
   */
  version: number;
  /**
   * Format of the document.
   */
  format: "yaml" | "json";
  /**
   * Reason for the change.
   */
  message: string | null;
  /**
   * The older version whose content was applied again.
   */
  rolled_back_to: number | null;
  /**
   * Number of rules.
   */
  rules: number;
  /**
   * The user who applied the version.
   */
  created_by: string | null;
  /**
   * Time when the version was applied; null for the default document.
   */
  created_at: string | null;
  /**
   * The policy document; its schema is at GET /api/v1/policies/schema.
   */
  document: unknown;
  /**
   * Text of the document as it was applied, byte for byte.
   */
  text: string;
};

export type PolicyDecision = {
  /**
   * The decision on the call.
   */
  decision: "allow" | "deny" | "require_approval";
  /**
   * The rule that decides; null if no rule decides and a default applies.
   */
  rule: {
    /**
     * Number of the version; 0 is the default document, which is in force until a document is applied.
     */
    version: number;
    id: string;
    description: string;
  } | null;
  /**
   * Explanation of the rule or default.
   */
  rule_description: string;
  /**
   * Text of the rule’s condition; null if there is no rule or condition.
   */
  condition_matched: string | null;
  /**
   * Error that prevented the evaluation of the condition; the condition therefore counted as true.
   */
  condition_error: string | null;
  /**
   * Approval workflow that the policy names. Null if the policy names none (the default workflow then applies) or if no approval is required.
   */
  workflow: string | null;
  human_only: boolean;
  /**
   * Number of the version; 0 is the default document, which is in force until a document is applied.
   */
  policy_version: number;
  trace: Array<{
    id: string;
    description: string;
    matched: boolean;
    /**
     * Result of the condition; null if the condition was not evaluated or its evaluation failed.
     */
    condition_value: boolean | null;
    /**
     * Why the condition failed.
     */
    error: string | null;
  }>;
};

export type PolicyDiff = {
  /**
   * Number of the version; 0 is the default document, which is in force until a document is applied.
   */
  version: number;
  changes: Array<{
    kind: "added" | "removed" | "changed" | "moved";
    /**
     * Path of the change, with rule ids, for example rules/no-drop/action.
     */
    path: string;
    before: unknown;
    after: unknown;
  }>;
  warnings: Array<PolicyProblem>;
};

export type PolicyProblem = {
  /**
   * Line number, from 1.
   */
  line: number;
  /**
   * Column number, from 1.
   */
  column: number;
  /**
   * JSON Pointer to the position in the document.
   */
  path: string;
  message: string;
};

export type PolicyValidation = {
  valid: boolean;
  errors: Array<PolicyProblem>;
  warnings: Array<PolicyProblem>;
};

export type PolicyVersion = {
  /**
   * Number of the version; 0 is the default document, which is in force until a document is applied.
   */
  version: number;
  /**
   * Format of the document.
   */
  format: "yaml" | "json";
  /**
   * Reason for the change.
   */
  message: string | null;
  /**
   * The older version whose content was applied again.
   */
  rolled_back_to: number | null;
  /**
   * Number of rules.
   */
  rules: number;
  /**
   * The user who applied the version.
   */
  created_by: string | null;
  /**
   * Time when the version was applied; null for the default document.
   */
  created_at: string | null;
};

export type PolicyVersionPage = {
  items: Array<PolicyVersion>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type PortalLink = {
  /**
   * The portal link.
   */
  id: string;
  /**
   * Group of endpoints that the holder of the link sees and manages.
   */
  group: string;
  /**
   * Event types to which the endpoints of the portal may subscribe. See the catalog.
   */
  event_types: Array<string>;
  /**
   * Origins of the pages that may contain the portal in a frame, for example `https://app.example.com`. Empty: no page may.
   */
  frame_origins: Array<string>;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it ends.
   */
  expires_at: string;
};

export type PortalLinkPage = {
  items: Array<PortalLink>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type PreviewScheduleRequest = {
  /**
   * Schedule on which the flow starts, in addition to its trigger.
   */
  schedule_config: ScheduleConfig;
};

export type PushKey = {
  /**
   * Key of this deployment (VAPID), base64url.
   */
  public_key: string;
};

export type PushSubscription = {
  id: string;
  /**
   * Name of the browser.
   */
  description: string;
  /**
   * Origin of the browser’s push service.
   */
  push_service: string | null;
  /**
   * Whether the browser was subscribed with the login of this request.
   */
  current: boolean;
  /**
   * Notices that are pushed to the browser. A notice is pushed only if you may read its subject, such as the approval request.
   */
  notices: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
  /**
   * delivered, failed (will be retried) or dead.
   */
  last_delivery_status: string | null;
  /**
   * When the last attempt ended.
   */
  last_delivery_at: string | null;
  /**
   * Short description of the error of the last attempt.
   */
  last_error: string | null;
  /**
   * When the browser was subscribed.
   */
  created_at: string;
};

export type PushSubscriptionPage = {
  items: Array<PushSubscription>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ReadApprovalDecisionStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "result" | "tool" | "workflow";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadApprovalRequestQuery = {
  /**
   * Seconds to wait for a decision while the request is pending.
   */
  wait?: number;
};

export type ReadApprovalStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "tool" | "agent" | "workflow" | "person";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadDeliveryLatencyStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "endpoint" | "type";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadDeliveryStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "endpoint" | "type" | "result";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadExecutionQuery = {
  /**
   * Seconds to wait for a final status.
   */
  wait?: number;
};

export type ReadExecutionStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "flow" | "result" | "trigger";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadModelCallStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "model" | "agent" | "key" | "flow" | "person" | "result";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadSearchCorpusStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "kind";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadSessionStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "source" | "agent" | "key" | "flow";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadSpendStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "model" | "agent" | "key" | "flow" | "person" | "result";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type ReadTimelineQuery = {
  /**
   * Items per page.
   */
  limit?: number;
  /**
   * Opaque cursor: `next_cursor` of the previous page.
   */
  cursor?: string;
  /**
   * Oldest first (`asc`, the default) or newest first.
   */
  order?: "asc" | "desc";
  /**
   * Only content of this kind.
   */
  kind?: "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log";
  /**
   * Entry around which the page is returned: an `id` of the timeline, or the `source_id` of a search match.
   */
  around?: string;
};

export type ReadToolCallStatsQuery = {
  /**
   * The first step is the one that contains this time. Default: 24 hours before `to`.
   */
  from?: string;
  /**
   * The last step ends at this time or later. Default: now.
   */
  to?: string;
  /**
   * Length of a step. Default: `hour` for up to 7 days, else `day`.
   */
  step?: "minute" | "hour" | "day";
  /**
   * IANA time zone that determines when days and hours begin. Default: UTC.
   */
  time_zone?: string;
  /**
   * Attribute by which the series is split; the largest groups come first.
   */
  group_by?: "tool" | "agent" | "key" | "result";
  /**
   * Only the group with this key; an empty string selects the rows without a group. Requires `group_by`.
   */
  key?: string;
  /**
   * Maximum number of groups.
   */
  limit?: number;
};

export type Readiness = {
  status: "ready";
  /**
   * Version of this build.
   */
  version: string;
};

export type Recovery = {
  /**
   * The recovery.
   */
  id: string;
  /**
   * Only deliveries to this endpoint.
   */
  endpoint_id: string | null;
  /**
   * Only deliveries created at or after this time.
   */
  since: string;
  /**
   * Only deliveries created before this time.
   */
  until: string;
  status: "running" | "finished";
  /**
   * Number of matching dead deliveries that had not been replayed or recovered before this request.
   */
  matched: number;
  /**
   * Number of deliveries queued so far.
   */
  queued: number;
  /**
   * Number of deliveries that were skipped because their endpoint is inactive or deleted, or because they were sent again in the meantime; null while the recovery is running.
   */
  skipped: number | null;
  /**
   * When it was requested.
   */
  created_at: string;
  /**
   * When the last batch was queued.
   */
  finished_at: string | null;
};

export type RefreshTokensRequest = {
  refresh_token: string;
};

export type RegisterAccountRequest = {
  /**
   * Letters, digits, dot, underscore and dash; unique, ignoring case.
   */
  username: string;
  /**
   * Unique, ignoring case.
   */
  email: string;
  /**
   * 8 to 200 characters; common passwords and the user’s own name are refused.
   */
  password: string;
  full_name?: string | null;
};

export type Replay = {
  /**
   * The event.
   */
  event_id: string;
  delivery_ids: Array<string>;
  /**
   * Number of deliveries queued.
   */
  queued: number;
  /**
   * Ids of the endpoints to which nothing is sent, because they are now inactive or deleted.
   */
  skipped: Array<string>;
};

export type ReplayEventRequest = {
  /**
   * Id of the only endpoint to which the event is sent; the endpoint must have received the event before. Default: every endpoint that received the event.
   */
  endpoint_id?: string;
};

export type ReportDiscoveryRequest = {
  /**
   * Hash that identifies the workstation.
   */
  workstation_fingerprint: string;
  /**
   * Operating system family.
   */
  os_family: "darwin" | "linux" | "windows" | "other";
  /**
   * Agents found on the workstation.
   */
  agents: Array<{
    /**
     * Kind of agent: claude_code, codex, or a custom name.
     */
    agent_kind: string;
    /**
     * Hash of the path of the agent’s configuration, with the home folder written as ~.
     */
    config_path_hash: string;
    /**
     * Number of tool servers in the agent’s configuration.
     */
    mcp_server_count: number;
    /**
     * Version that the agent reports.
     */
    agent_version?: string;
    /**
     * Whether the agent already uses the service.
     */
    enrolled?: boolean;
  }>;
};

export type ReportingConfig = {
  /**
   * Whether an event is emitted for each exploited vulnerability of the product in `result.json`.
   */
  cra?: boolean;
};

export type RestoreEnrollmentRequest = {
  [key: string]: never;
};

export type ResumeFlowScheduleRequest = {
  [key: string]: never;
};

export type RetryExecutionRequest = {
  [key: string]: never;
};

export type Role = {
  id: string;
  name: string;
  permissions: Array<string>;
  is_system: boolean;
};

export type RolePage = {
  items: Array<Role>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type RollBackPolicyRequest = {
  /**
   * Reason for the change, shown in the list of versions.
   */
  message?: string;
};

export type RotateApprovalWebhookSecretRequest = {
  /**
   * Seconds during which requests are also signed with the old secret; default 0.
   */
  overlap_seconds?: number;
};

export type RotateEndpointSecretRequest = {
  /**
   * Seconds during which deliveries are also signed with the old secret.
   */
  overlap_seconds?: number;
};

export type RotateFlowWebhookSecretRequest = {
  [key: string]: never;
};

export type RotatedFlowSecret = {
  flow_id: string;
  webhook_secret: string;
  webhook_secret_hint: string;
};

export type RunFlowScheduleRequest = {
  [key: string]: never;
};

export type RunSavedSearchRequest = {
  /**
   * Sessions per page, default 20.
   */
  limit?: number;
  /**
   * Number of sessions to skip; default 0. Not allowed together with cursor.
   */
  offset?: number;
  /**
   * `next_cursor` of the previous page. Content that is stored in the meantime does not shift the pages.
   */
  cursor?: string;
};

export type RuntimeSession = {
  id: string;
  account_id: string;
  url: string | null;
  session_source_type: string;
  session_source_id: string;
  session_reference: string | null;
  runtime_principal_type: string | null;
  runtime_principal_id: string | null;
  runtime_principal_name: string | null;
  /**
   * Whether a key that is bound to the session’s agent opened the session; if false, the caller’s claim about the agent was not verified.
   */
  principal_verified: boolean;
  flow_id: string | null;
  title: string | null;
  summary: string | null;
  /**
   * Labels, each a `key:value` pair, in the order in which they were set.
   */
  labels: Array<string>;
  started_at: string;
  last_activity_at: string;
  ended_at: string | null;
  end_reason: "execution_finished" | "idle" | "operator" | null;
  /**
   * Whether the session is protected from deletion.
   */
  legal_hold: boolean;
  created_at: string;
  updated_at: string;
};

export type RuntimeSessionPage = {
  items: Array<RuntimeSession>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type SaveEmbeddingSettingRequest = {
  enabled?: boolean | null;
  scope?: string | null;
  provider?: string | null;
  model_identifier?: string | null;
  base_url?: string | null;
  api_key?: string | null;
  /**
   * Daily cap in US dollars; days begin at midnight UTC. Null resets the cap to the deployment default.
   */
  daily_cap_usd?: number | null;
};

export type SaveFlowSecretRequest = {
  /**
   * Value of the secret; stored encrypted and never returned.
   */
  value: string;
};

export type SaveTitleSettingRequest = {
  title_model: string | null;
};

export type SavedApprovalWorkflow = {
  /**
   * The workflow.
   */
  id: string;
  name: string;
  description: string;
  approver_user_ids: Array<string>;
  approver_roles: Array<string>;
  quorum: number;
  expires_seconds: number;
  approval_wait_seconds: number;
  require_comment: boolean;
  allow_self_approval: boolean;
  escalate_after_seconds: number | null;
  escalation_user_ids: Array<string>;
  channel_configs: Array<{
    /**
     * webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text message.
     */
    kind: "webhook" | "slack" | "mattermost";
    url: string;
  }>;
  approval_config: {
    webhook_url: string | null;
  };
  /**
   * Whether approvers receive email.
   */
  email: boolean;
  webhook_secret_hint: string | null;
  is_default: boolean;
  /**
   * ai_first: a model is asked before people, unless the rule sets human_only.
   */
  mode: "human" | "ai_first";
  ai_model_id: string | null;
  ai_guidelines: string;
  ai_confidence_threshold: number;
  /**
   * The active bypass; new requests are approved automatically until it ends.
   */
  bypass: {
    until: string;
    reason: string;
    /**
     * The user who started the bypass.
     */
    user_id: string;
  } | null;
  created_at: string;
  updated_at: string;
  /**
   * New secret with which requests to the receivers are signed, returned only in this response.
   */
  webhook_secret?: string;
};

export type SavedSearch = {
  /**
   * The saved search.
   */
  id: string;
  name: string;
  query: string;
  /**
   * Search mode.
   */
  mode: "keyword" | "semantic" | "hybrid";
  filters: SearchFilters;
  max_snippets_per_session: number;
  include_snippet_text: boolean;
  /**
   * Visibility: only the owner (default), or the account.
   */
  visibility: "private" | "account";
  /**
   * When the search was shared with the account; null while the search is private.
   */
  shared_at: string | null;
  /**
   * Id of the user who saved the search.
   */
  owner_user_id: string;
  /**
   * Whether the caller owns the saved search; only the owner may change it.
   */
  is_own: boolean;
  /**
   * Identifier of the ranking that was in use when the search was saved.
   */
  ranking_identity: string;
  /**
   * When the search was last run; null if never.
   */
  last_run_at: string | null;
  run_count: number;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When the search was last saved.
   */
  updated_at: string;
};

export type SavedSearchPage = {
  items: Array<SavedSearch>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type SavedSearchRun = {
  search: SearchAnswer;
  /**
   * Filters that refer to a deleted flow or session, or to a revoked API key; they are still applied.
   */
  unresolved_filters: Array<
    | "start_date"
    | "end_date"
    | "source_kind"
    | "model_alias"
    | "provider_name"
    | "runtime_principal_id"
    | "api_key_id"
    | "flow_id"
    | "session_id"
    | "role"
    | "tool_name"
    | "status"
    | "session_source_type"
    | "label"
  >;
  /**
   * Whether the ranking changed since the search was saved. Saving the search again resets this to false.
   */
  ranking_changed: boolean;
};

export type ScheduleConfig = {
  /**
   * Five fields: minute, hour, day of the month, month, day of the week; for example "0 6 * * 1-5". If both the day of the month and the day of the week are set, it is enough for one of them to match. Set either this or interval_seconds.
   */
  cron?: string;
  /**
   * Seconds between two due times. The first due time is starts_at or, if starts_at is omitted, one interval after the schedule was saved.
   */
  interval_seconds?: number;
  /**
   * IANA time zone of the cron expression, for example Europe/Berlin. Default UTC.
   */
  time_zone?: string;
  /**
   * Handling of a due time while an earlier run is active: skip it (default), queue it (at most one due time waits), or replace the active run.
   */
  overlap?: "skip" | "queue" | "replace";
  /**
   * Whether the latest due time that passed while no worker was running starts a run as soon as a worker is running again. Default true. If false, due times that are more than a minute late start no run.
   */
  catch_up?: boolean;
  /**
   * Maximum random delay of a due time, in seconds; the delay of a given due time never changes. Default 0.
   */
  jitter_seconds?: number;
  /**
   * Earliest due time.
   */
  starts_at?: string;
  /**
   * Latest due time.
   */
  ends_at?: string;
};

export type SearchAnswer = {
  query: string;
  mode: string;
  /**
   * The mode that was used; keyword if the semantic half could not run.
   */
  effective_mode: "keyword" | "semantic" | "hybrid";
  results: Array<FoundSession>;
  /**
   * Number of matching sessions.
   */
  total: number;
  /**
   * False if total is a lower bound.
   */
  total_is_exact: boolean;
  limit: number;
  offset: number;
  next_cursor: string | null;
  indexed_from: string | null;
  indexed_through: string | null;
  backfill_complete: boolean;
  backfill_state: "not_started" | "in_progress" | "complete";
  metadata_only_from: string | null;
  metadata_only_through: string | null;
  /**
   * Number of sources in the searched range that are too long to be indexed completely; only their beginning and end are indexed. Counted up to 1000.
   */
  truncated_sources: number;
  embedded_through: string | null;
  degraded: {
    keyword: boolean;
    semantic: boolean;
    /**
     * Why a part of the search did not run or may be incomplete.
     */
    reasons: Array<
      | "semantic_not_enabled"
      | "semantic_disabled_by_deployment"
      | "semantic_daily_cap_reached"
      | "semantic_provider_error"
      | "semantic_provider_misconfigured"
      | "semantic_model_mismatch"
      | "semantic_no_vectors"
      | "semantic_backfill_incomplete"
      | "fusion_candidates_truncated"
    >;
    detail: string | null;
  };
  hint: string | null;
  elapsed_ms: number;
};

export type SearchFilters = {
  /**
   * Start of the range (inclusive), as a time with a UTC offset.
   */
  start_date?: string;
  /**
   * End of the range (exclusive), as a time with a UTC offset.
   */
  end_date?: string;
  /**
   * Only chunks of this kind of content.
   */
  source_kind?:
    "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log" | "session_summary";
  /**
   * Only interactions of this model.
   */
  model_alias?: string;
  /**
   * Only interactions of this provider.
   */
  provider_name?: string;
  /**
   * Only sessions run by this principal.
   */
  runtime_principal_id?: string;
  /**
   * Only content that was stored with this API key.
   */
  api_key_id?: string;
  /**
   * Only sessions of this flow.
   */
  flow_id?: string;
  /**
   * Only this session.
   */
  session_id?: string;
  /**
   * Only transcript messages with this role.
   */
  role?: string;
  /**
   * Only calls of the tool with exactly this name.
   */
  tool_name?: string;
  /**
   * Only interactions and tool calls with exactly this status, or log lines of this level.
   */
  status?: string;
  /**
   * Only sessions of this source type.
   */
  session_source_type?: string;
  /**
   * Only sessions with this label, `key:value`.
   */
  label?: string;
};

export type SearchGrants = {
  /**
   * All grants; at most one for each subject.
   */
  grants: Array<{
    /**
     * Grants are looked up in the order API key, managed agent, account; the first grant that exists applies.
     */
    subject_type: "api_key" | "managed_agent" | "account";
    /**
     * Depending on `subject_type`: id of an API key of the account, the id in `runtime_principal` of a managed agent’s API key, or id of the account.
     */
    subject_id: string;
    /**
     * Whether the subject may search the sessions of the account.
     */
    session_search_account_scope: boolean;
  }>;
};

export type SearchSessionsRequest = {
  /**
   * Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512 characters.
   */
  query: string;
  /**
   * Default keyword.
   */
  mode?: "keyword" | "semantic" | "hybrid";
  filters?: SearchFilters;
  /**
   * Sessions per page, default 20.
   */
  limit?: number;
  /**
   * Number of sessions to skip; default 0. Not allowed together with cursor.
   */
  offset?: number;
  /**
   * `next_cursor` of the previous page. Content that is stored in the meantime does not shift the pages.
   */
  cursor?: string;
  /**
   * Maximum number of snippets per session; default 3.
   */
  max_snippets_per_session?: number;
  /**
   * Default true.
   */
  include_snippet_text?: boolean;
  /**
   * Whether to add the parts of the score to every result. Default false.
   */
  explain?: boolean;
};

export type SearchSnippet = {
  document_id: string;
  source_kind:
    "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log" | "session_summary";
  source_id: string;
  chunk_index: number;
  gap_after_chunk: number | null;
  occurred_at: string;
  role: string | null;
  text: string | null;
  /**
   * Keyword score of the chunk; for a chunk found only by meaning, its similarity.
   */
  rank: number;
  match_reason: "keyword" | "semantic" | "both";
  similarity: number | null;
};

export type SendArrivalAgainRequest = {
  [key: string]: never;
};

export type SendOperatorNoteRequest = {
  runtime_session_id?: string | null;
  managed_agent_id?: string | null;
  execution_id?: string | null;
  /**
   * The note.
   */
  text: string;
  expires_in_seconds?: number | null;
};

export type SentArrival = AcceptedTrigger | IgnoredWebhook;

export type SentEvent = {
  /**
   * The event.
   */
  id: string;
  type: string;
  /**
   * When the event happened.
   */
  occurred_at: string;
  /**
   * When the event was stored for sending.
   */
  created_at: string;
  /**
   * Headers common to all attempts.
   */
  headers: {
    [key: string]: unknown | string;
  };
  /**
   * The body exactly as signed and sent, in UTF-8.
   */
  body: string;
};

export type Series = {
  /**
   * Name of the series.
   */
  name: string;
  /**
   * Start of the first step, inclusive.
   */
  from: string;
  /**
   * End of the last step, exclusive.
   */
  to: string;
  /**
   * Length of a step.
   */
  step: "minute" | "hour" | "day";
  /**
   * Time zone of the steps.
   */
  time_zone: string;
  /**
   * The requested grouping.
   */
  group_by: string | null;
  /**
   * Start of each step.
   */
  times: Array<string>;
  /**
   * Totals of all groups, including those that are not listed.
   */
  total: {
    /**
     * The measures of the series for the whole range.
     */
    sums: {
      /**
       * Number of items that the series counts, for example calls or deliveries.
       */
      count?: number;
      /**
       * Number of these items that failed.
       */
      failed?: number;
      /**
       * US dollars.
       */
      cost_usd?: number;
      /**
       * Includes cached input.
       */
      input_tokens?: number;
      /**
       * Output tokens.
       */
      output_tokens?: number;
      /**
       * Mean duration in milliseconds; null if there are no durations.
       */
      mean_ms?: number | null;
      /**
       * Median of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p50_ms?: number | null;
      /**
       * 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p95_ms?: number | null;
      /**
       * 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p99_ms?: number | null;
      /**
       * Number of chunks at the end of the range or, in `values`, at the end of each step.
       */
      size?: number;
    };
    /**
     * The measures of the series, with one value for each step.
     */
    values: {
      /**
       * Number of items that the series counts, for example calls or deliveries.
       */
      count?: Array<number>;
      /**
       * Number of these items that failed.
       */
      failed?: Array<number>;
      /**
       * US dollars.
       */
      cost_usd?: Array<number>;
      /**
       * Includes cached input.
       */
      input_tokens?: Array<number>;
      /**
       * Output tokens.
       */
      output_tokens?: Array<number>;
      /**
       * Mean duration in milliseconds; null if there are no durations.
       */
      mean_ms?: Array<number | null>;
      /**
       * Median of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p50_ms?: Array<number | null>;
      /**
       * 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p95_ms?: Array<number | null>;
      /**
       * 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p99_ms?: Array<number | null>;
      /**
       * Number of chunks at the end of the range or, in `values`, at the end of each step.
       */
      size?: Array<number>;
    };
  };
  /**
   * Groups, largest first; empty without `group_by`.
   */
  groups: Array<{
    /**
     * Id or name of the group; null for the group of items without such a value.
     */
    key: string | null;
    /**
     * The measures of the series for the whole range.
     */
    sums: {
      /**
       * Number of items that the series counts, for example calls or deliveries.
       */
      count?: number;
      /**
       * Number of these items that failed.
       */
      failed?: number;
      /**
       * US dollars.
       */
      cost_usd?: number;
      /**
       * Includes cached input.
       */
      input_tokens?: number;
      /**
       * Output tokens.
       */
      output_tokens?: number;
      /**
       * Mean duration in milliseconds; null if there are no durations.
       */
      mean_ms?: number | null;
      /**
       * Median of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p50_ms?: number | null;
      /**
       * 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p95_ms?: number | null;
      /**
       * 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p99_ms?: number | null;
      /**
       * Number of chunks at the end of the range or, in `values`, at the end of each step.
       */
      size?: number;
    };
    /**
     * The measures of the series, with one value for each step.
     */
    values: {
      /**
       * Number of items that the series counts, for example calls or deliveries.
       */
      count?: Array<number>;
      /**
       * Number of these items that failed.
       */
      failed?: Array<number>;
      /**
       * US dollars.
       */
      cost_usd?: Array<number>;
      /**
       * Includes cached input.
       */
      input_tokens?: Array<number>;
      /**
       * Output tokens.
       */
      output_tokens?: Array<number>;
      /**
       * Mean duration in milliseconds; null if there are no durations.
       */
      mean_ms?: Array<number | null>;
      /**
       * Median of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p50_ms?: Array<number | null>;
      /**
       * 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p95_ms?: Array<number | null>;
      /**
       * 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there are no durations.
       */
      p99_ms?: Array<number | null>;
      /**
       * Number of chunks at the end of the range or, in `values`, at the end of each step.
       */
      size?: Array<number>;
    };
  }>;
  /**
   * Whether there are more groups than listed.
   */
  truncated: boolean;
};

export type SetKillSwitchRequest = {
  /**
   * True stops the agents of the account; false lets them act again.
   */
  engaged: boolean;
  reason?: string | null;
};

export type SimilarSessions = {
  items: Array<{
    runtime_session_id: string;
    url: string | null;
    session_source_type: string;
    session_source_id: string;
    session_reference: string | null;
    title: string | null;
    started_at: string;
    last_activity_at: string;
    ended_at: string | null;
    /**
     * Cosine similarity: 1 for the same meaning, 0 for nothing in common.
     */
    similarity: number;
    /**
     * The most similar parts of the session, best first; at most three.
     */
    excerpts: Array<{
      document_id: string;
      source_kind:
        "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log" | "session_summary";
      source_id: string;
      chunk_index: number;
      gap_after_chunk: number | null;
      occurred_at: string;
      role: string | null;
      /**
       * Text of the excerpt, escaped for HTML; it contains no markup.
       */
      text: string;
      /**
       * Cosine similarity: 1 for the same meaning, 0 for nothing in common.
       */
      similarity: number;
    }>;
  }>;
  degraded: {
    keyword: boolean;
    semantic: boolean;
    /**
     * Why no comparison was possible.
     */
    reasons: Array<
      | "semantic_not_enabled"
      | "semantic_disabled_by_deployment"
      | "semantic_daily_cap_reached"
      | "semantic_provider_error"
      | "semantic_provider_misconfigured"
      | "semantic_model_mismatch"
      | "semantic_no_vectors"
      | "semantic_backfill_incomplete"
      | "fusion_candidates_truncated"
    >;
    detail: string | null;
  };
};

export type StartApprovalBypassRequest = {
  minutes: number;
  /**
   * Reason for the bypass; included in the `approval.decided` event of each request that the bypass approves.
   */
  reason: string;
};

export type StartBacktestRequest = {
  /**
   * Policy document, as a string or as an object; default: the policy in force.
   */
  document?: unknown;
  /**
   * Start of the range of calls, inclusive.
   */
  since: string;
  /**
   * End of the range of calls, exclusive; default now.
   */
  until?: string;
  /**
   * Maximum number of calls; the newest are used.
   */
  limit?: number;
};

export type StartDeletionRequest = {
  /**
   * Filters that select the sessions, as in the list of sessions. At least one is required.
   */
  filters: {
    /**
     * Only sessions that are open (true) or ended (false).
     */
    active?: boolean;
    /**
     * Only sessions of this agent.
     */
    runtime_principal_id?: string;
    /**
     * Only sessions of this flow.
     */
    flow_id?: string;
    /**
     * Only sessions with this label, `key:value`.
     */
    label?: string;
    /**
     * Only sessions started at or after this time.
     */
    since?: string;
    /**
     * Only sessions started before this time.
     */
    until?: string;
  };
  /**
   * True: the sessions are only counted, not deleted.
   */
  dry_run?: boolean;
};

export type StartRecoveryRequest = {
  /**
   * Only deliveries to this endpoint.
   */
  endpoint_id?: string;
  /**
   * Only deliveries created at or after this time.
   */
  since: string;
  /**
   * Only deliveries created before this time; default now.
   */
  until?: string;
  /**
   * Only dead deliveries can be recovered.
   */
  status?: "dead";
  /**
   * True: the deliveries are only counted, not sent.
   */
  dry_run?: boolean;
};

export type StartedRecovery = {
  /**
   * Number of matching dead deliveries that had not been replayed or recovered before this request.
   */
  matched: number;
  /**
   * Number of deliveries that will be sent again: those whose endpoint is active; 0 for a dry run.
   */
  queued: number;
  /**
   * Id of the recovery, for reading its progress; null if nothing is queued.
   */
  recovery_id: string | null;
};

export type StopExecutionRequest = {
  [key: string]: never;
};

export type StoreInteractionRequest = {
  /**
   * Name of the model in the caller’s request.
   */
  model_alias: string;
  /**
   * Provider that responded.
   */
  provider_name: string;
  /**
   * The request as sent to the model.
   */
  request: unknown;
  /**
   * The response as received.
   */
  response: unknown;
  usage?: {
    input_tokens?: number | null;
    output_tokens?: number | null;
    cost_usd?: number | null;
  } | null;
  status?: string | null;
  occurred_at?: string | null;
  external_id?: string | null;
};

export type StoreToolCallRequest = {
  /**
   * Name of the tool.
   */
  tool_name: string;
  /**
   * Arguments of the call.
   */
  arguments: unknown;
  /**
   * Result of the tool.
   */
  result?: unknown;
  status?: string | null;
  occurred_at?: string | null;
  external_id?: string | null;
};

export type StoredContent = {
  id: string;
  runtime_session_id: string;
  kind: "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log";
  occurred_at: string;
  role: string | null;
  external_id: string | null;
  model_alias: string | null;
  provider_name: string | null;
  tool_name: string | null;
  status: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: number | null;
  copy_of: {
    id: string;
    runtime_session_id: string;
  } | null;
  /**
   * False if the body was not stored.
   */
  content_captured: boolean;
  created_at: string;
};

export type StreamListenerEventsQuery = {
  /**
   * Where a stream without `Last-Event-ID` begins: with the oldest stored event, or with the next new event.
   */
  from?: "kept" | "now";
};

export type SummarizeUsageQuery = {
  /**
   * Field to group by.
   */
  group_by: "model" | "agent" | "api_key" | "flow" | "session" | "day";
  model_id?: string;
  model_alias?: string;
  /**
   * Only calls to this provider.
   */
  provider?: "openai" | "anthropic" | "generic_compatible";
  endpoint?: string;
  /**
   * Only calls with this status.
   */
  status?: "ok" | "error" | "aborted" | "refused";
  api_key_id?: string;
  user_id?: string;
  managed_agent_id?: string;
  flow_id?: string;
  execution_id?: string;
  runtime_session_id?: string;
  /**
   * Start of the range, inclusive.
   */
  since?: string;
  /**
   * End of the range, exclusive.
   */
  until?: string;
};

export type TakePendingNotesRequest = {
  /**
   * Id of the session whose notes are taken; default: the notes of all sessions of the agent are taken. Notes that wait for a session are taken in both cases.
   */
  runtime_session_id?: string | null;
  /**
   * Channel by which the agent receives the notes; default `hook`.
   */
  channel?: "hook" | "assistant_channel" | "assistant_message";
};

export type TakenReports = {
  /**
   * Number of new candidates; `agent.discovered` was emitted for each of them.
   */
  created: number;
  /**
   * Number of known candidates; only their `last_seen_at` changed.
   */
  updated: number;
};

export type TestEndpointRequest = {
  /**
   * Event type whose example from the catalog is sent. Default: webhook.test.
   */
  event_type?: string;
};

export type TestNotice = {
  /**
   * The test notice.
   */
  event_id: string;
  /**
   * Id of the delivery, which shows whether Slack, Teams or ntfy accepted the notice.
   */
  delivery_id: string;
};

export type TestNoticeChannelRequest = {
  /**
   * Notice whose example is posted. Default: a test notice.
   */
  notice?:
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability";
};

export type TestPolicyRequest = {
  /**
   * Name of the tool on its server.
   */
  tool_name: string;
  /**
   * Server of the tool; default "local".
   */
  server?: string;
  /**
   * Arguments of the call, as the tool would receive them; default {}.
   */
  arguments?: unknown;
  /**
   * Id of an agent of the account; the call is evaluated as a call of this agent.
   */
  agent_id?: string;
  /**
   * Attributes of an agent that does not have to exist.
   */
  agent?: {
    kind?: string;
    name?: string;
    tags?: Array<string>;
  };
  /**
   * Policy document to use instead of the one in force, as a string or as an object.
   */
  document?: unknown;
};

export type TestSend = {
  /**
   * The test event.
   */
  event_id: string;
  delivery_ids: Array<string>;
};

export type TestTrackerRequest = {
  /**
   * owner/repository (GitHub), group/project (GitLab), key of a project (Jira), or key of a team (Linear).
   */
  repository?: string;
};

export type ThrownKillSwitch = {
  /**
   * Whether the agents of the account are stopped.
   */
  engaged: boolean;
  reason: string | null;
  changed_at: string | null;
  changed_by: {
    user_id: string;
    username: string | null;
  } | null;
  /**
   * Number of executions that this call stopped.
   */
  stopped_executions: number;
  /**
   * Number of approval requests that this call cancelled.
   */
  cancelled_approval_requests: number;
};

export type TimelineEntry = {
  id: string;
  runtime_session_id: string;
  kind: "gateway_interaction" | "tool_call" | "transcript_message" | "operator_note" | "flow_log";
  occurred_at: string;
  role: string | null;
  external_id: string | null;
  model_alias: string | null;
  provider_name: string | null;
  tool_name: string | null;
  status: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: number | null;
  copy_of: {
    id: string;
    runtime_session_id: string;
  } | null;
  /**
   * False if the body was not stored.
   */
  content_captured: boolean;
  created_at: string;
  /**
   * The body: `{request, response}` of an interaction, `{arguments, result}` of a tool call, otherwise the text or message. Null if it was not stored, or if there is a `content_error`.
   */
  content: unknown;
  /**
   * Why a stored body cannot be returned: `unavailable` (the object store does not respond; try again later) or `lost` (the object is missing or its bytes have changed). Null if the body is returned or was not stored.
   */
  content_error: "unavailable" | "lost" | null;
};

export type TimelineEntryPage = {
  items: Array<TimelineEntry>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
  /**
   * Cursor for the entries before a page that was requested with `around`. It must be used with the opposite `order`. Null if there are no such entries.
   */
  previous_cursor: string | null;
};

export type TitleSetting = {
  title_model: string | null;
  title_model_enabled: boolean | null;
};

export type Tokens = {
  access_token: string;
  /**
   * Refresh token; works once, at /api/v1/auth/refresh.
   */
  refresh_token: string;
  token_type: "bearer";
  /**
   * Seconds until the access token expires.
   */
  expires_in: number;
};

export type Tool = {
  /**
   * Name of the tool on its server.
   */
  name: string;
  /**
   * Definition of the tool as its server lists it.
   */
  definition: {
    [key: string]: unknown;
  };
  /**
   * SHA-256 hash of the definition.
   */
  definition_hash: string;
  /**
   * Whether the definition has changed since it was accepted.
   */
  changed: boolean;
  /**
   * The accepted definition, if the tool has changed.
   */
  accepted_definition: {
    [key: string]: unknown;
  } | null;
  first_seen_at: string;
  changed_at: string;
};

export type ToolChoice = {
  /**
   * Name of the tool in `allowed_tools` of a flow.
   */
  name: string;
  /**
   * Origin of the tool: the built-in agent, this service, a tracker of the account, or a tool server.
   */
  source: "workspace" | "service" | "tracker" | "server";
  /**
   * Name by which policies refer to the tool server, or "tracker"; null for other tools.
   */
  server: string | null;
  /**
   * Name of the tool in policies and on its server.
   */
  tool: string;
  /**
   * Description of the tool; for a tool of a tool server, the beginning of the description that the server provides.
   */
  description: string | null;
  /**
   * Whether the definition of the tool changed since it was accepted.
   */
  changed: boolean;
};

export type ToolChoicePage = {
  items: Array<ToolChoice>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ToolPage = {
  items: Array<Tool>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ToolServer = {
  /**
   * The tool server.
   */
  id: string;
  name: string;
  /**
   * Transport: HTTP, or a program that a flow worker runs.
   */
  transport: "streamable_http" | "stdio";
  /**
   * URL of the server; for a program, `stdio:` followed by its name or path.
   */
  url: string;
  /**
   * Settings of the program, for callers who may change the server; null otherwise.
   */
  command: {
    command: string;
    args: Array<string>;
    /**
     * Names of the program’s environment variables.
     */
    env_names: Array<string>;
    network_allow: Array<string>;
  } | null;
  /**
   * Whether headers are stored.
   */
  has_headers: boolean;
  enabled: boolean;
  /**
   * Result of the last attempt to list the tools of the server.
   */
  status: "unknown" | "ok" | "failing";
  /**
   * Why the tools could not be listed, or which of them were omitted.
   */
  last_error: string | null;
  /**
   * Login (OAuth) used for calls to the server; null if there is none.
   */
  oauth: {
    /**
     * The authorization server.
     */
    issuer: string;
    /**
     * Granted scopes, if the authorization server reports them.
     */
    scope: string | null;
    /**
     * Expiry of the token; the service renews the token automatically if the authorization server allows this.
     */
    expires_at: string | null;
    /**
     * Id of the user who logged in.
     */
    connected_by: string;
    connected_at: string;
    /**
     * Whether the token can no longer be used or renewed; if so, a person has to log in again.
     */
    ended: boolean;
  } | null;
  /**
   * Number of tools of the server.
   */
  tools_count: number;
  /**
   * When the tools were last listed.
   */
  tools_seen_at: string | null;
  created_at: string;
  updated_at: string;
};

export type ToolServerCommand = {
  /**
   * Name or path of the program in the sandbox.
   */
  command: string;
  args?: Array<string>;
  /**
   * Environment variables of the program, stored encrypted and never returned.
   */
  env?: {
    [key: string]: unknown | string;
  };
  /**
   * Hosts that the program may reach, in the format of a flow’s network_allow.
   */
  network_allow?: Array<string>;
};

export type ToolServerLog = {
  /**
   * At most the last 200 lines, oldest first, each with its time; credentials are masked.
   */
  lines: Array<string>;
};

export type ToolServerPage = {
  items: Array<ToolServer>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type Tracker = {
  /**
   * The connection.
   */
  id: string;
  name: string;
  /**
   * Kind of tracker; it cannot be changed later.
   */
  kind: "github" | "gitlab" | "jira" | "linear";
  base_url: string;
  username: string | null;
  repositories: Array<string>;
  created_at: string;
  updated_at: string;
};

export type TrackerConfig = {
  /**
   * The connection.
   */
  tracker_id: string;
  /**
   * owner/repository (GitHub), group/project (GitLab), key of a project (Jira), or key of a team (Linear).
   */
  repository: string;
  /**
   * The field is ignored. It is accepted so that a response can be sent back unchanged.
   */
  registration?: unknown;
};

export type TrackerPage = {
  items: Array<Tracker>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type TrackerTrial = {
  ok: boolean;
  latency_ms: number;
  /**
   * Name of the token’s owner at the tracker.
   */
  login: string | null;
  name: string | null;
  /**
   * Scopes of the token; null if the tracker does not report them.
   */
  scopes: Array<string> | null;
  /**
   * Expiry of the token, in the tracker’s format; null if the token never expires or the tracker does not report the expiry.
   */
  expires_at: string | null;
  /**
   * Permissions of the token in the requested repository.
   */
  repository: {
    name: string;
    may_read: boolean;
    may_write: boolean;
    /**
     * Whether the token may manage webhooks, which is required for events of the tracker to start flows.
     */
    may_manage_hooks: boolean | null;
  } | null;
  /**
   * Reason for the failure; null on success.
   */
  error: {
    /**
     * Code: unauthorized, forbidden, not_found, invalid, rate_limited, unavailable or unreachable.
     */
    code: string;
    message: string;
  } | null;
};

export type TranscriptImport = {
  /**
   * Number of messages stored.
   */
  imported: number;
  /**
   * Number of messages skipped because the session already has their external_id.
   */
  skipped: number;
};

export type UpdateAgentRequest = {
  /**
   * Display name of the agent.
   */
  display_name?: string;
  owner_user_id?: string | null;
  tags?: Array<string>;
  /**
   * Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history is retained.
   */
  lifecycle_state?: "active" | "suspended" | "retired";
  lifecycle_reason?: string | null;
};

export type UpdateAiModelRequest = {
  /**
   * Name that clients send in the field `model`; unique in the account.
   */
  alias?: string;
  /**
   * Provider of the model; generic_compatible is any OpenAI-compatible API.
   */
  provider?: "openai" | "anthropic" | "generic_compatible";
  /**
   * Name of the model at its provider.
   */
  model_identifier?: string;
  /**
   * https base URL of the API including its version. Optional for openai and anthropic.
   */
  base_url?: string;
  /**
   * API key of the provider; stored encrypted and never returned. An empty string or null removes it.
   */
  api_key?: string | null;
  /**
   * Prices set by the account; null: prices of the catalog.
   */
  prices?: ModelPrices | null;
  /**
   * Maximum output tokens of a call; null: unknown.
   */
  max_output_tokens?: number | null;
  /**
   * Models to try in this order if the call fails; at most three.
   */
  fallback_model_ids?: Array<string>;
  /**
   * Whether this is the default model. True replaces the current default.
   */
  is_default?: boolean;
  /**
   * False: calls to the model are refused.
   */
  enabled?: boolean;
};

export type UpdateApiKeyRequest = {
  name?: string;
  limits?: KeyLimits | null;
};

export type UpdateApprovalWorkflowRequest = {
  /**
   * Unique in the account.
   */
  name?: string;
  description?: string;
  /**
   * Users who are asked to decide. If no users or roles are set, everyone who may decide approvals is asked.
   */
  approver_user_ids?: Array<string>;
  /**
   * Roles whose users are asked to decide.
   */
  approver_roles?: Array<string>;
  /**
   * Number of approvals by different people that a request needs; a single decline declines the request.
   */
  quorum?: number;
  /**
   * Seconds after which an undecided request expires.
   */
  expires_seconds?: number;
  /**
   * Maximum seconds that a call waits for its approval on an open connection.
   */
  approval_wait_seconds?: number;
  /**
   * Whether a decision needs a comment.
   */
  require_comment?: boolean;
  /**
   * Whether the requester may decide their own request.
   */
  allow_self_approval?: boolean;
  /**
   * Seconds after which the users in escalation_user_ids may also decide.
   */
  escalate_after_seconds?: number | null;
  /**
   * Users who are asked if nobody has decided after escalate_after_seconds.
   */
  escalation_user_ids?: Array<string>;
  /**
   * Receivers of the requests and of their outcomes.
   */
  channel_configs?: Array<{
    /**
     * webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text message.
     */
    kind: "webhook" | "slack" | "mattermost";
    url?: string;
    webhook_url?: string;
  }>;
  /**
   * Older format that names a single receiver.
   */
  approval_config?: {
    /**
     * Address of the receiver; null removes it.
     */
    webhook_url?: string | null;
    /**
     * Signing secret of your choice; generated if omitted.
     */
    webhook_secret?: string;
  };
  /**
   * Whether approvers receive email; null: yes if the deployment sends email (MAIL_FROM).
   */
  email?: boolean | null;
  /**
   * Whether this workflow handles calls whose rule names no workflow. If true, this workflow replaces the previous default workflow.
   */
  is_default?: boolean;
  /**
   * ai_first: a model is asked before people, unless the rule sets human_only.
   */
  mode?: "human" | "ai_first";
  ai_model_id?: string | null;
  /**
   * Instructions for the model.
   */
  ai_guidelines?: string;
  /**
   * Minimum confidence for the model’s decision to take effect; default 0.8.
   */
  ai_confidence_threshold?: number;
};

/**
 * The scope, model and period of a budget cannot be changed; create another budget instead.
 */
export type UpdateBudgetRequest = {
  /**
   * US dollars, at most six decimals.
   */
  limit_amount?: number;
  /**
   * Whether calls that would exceed the limit are refused; default true.
   */
  hard?: boolean;
  /**
   * How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs, earlier responses, provider tools): `hold` (default) reserves the cost of the largest possible input until the call ends, and `refuse` refuses the call.
   */
  unsized_calls?: "hold" | "refuse";
  /**
   * Percentages of the limit. For each percentage, one alert is sent per period when spend reaches it; default [80].
   */
  thresholds_percent?: Array<number>;
  /**
   * False: the budget still counts spend but does not refuse calls or send alerts.
   */
  enabled?: boolean;
};

export type UpdateDiscoveryCandidateRequest = {
  /**
   * An ignored candidate stays ignored, however often it is reported.
   */
  status: "new" | "ignored";
};

export type UpdateEndpointRequest = {
  /**
   * URL of the endpoint: absolute http or https, at most 2048 characters, without credentials or fragment.
   */
  url?: string;
  /**
   * Optional description.
   */
  description?: string;
  /**
   * Group of endpoints; null removes the endpoint from its group.
   */
  group?: string | null;
  /**
   * Event types to receive; empty means every v1 event. See the catalog.
   */
  event_types?: Array<string>;
  /**
   * If false, deliveries are held. If true, the held deliveries are sent and the circuit breaker is closed.
   */
  active?: boolean;
  /**
   * Whether the first KiB of the receiver’s response to each attempt is stored, with credentials masked.
   */
  keep_answers?: boolean;
};

export type UpdateFlowRequest = {
  /**
   * Unique in the account.
   */
  name?: string;
  /**
   * Prompt template with placeholders such as {{trigger_event.payload.repository.name}} and the filter |truncate(N).
   */
  prompt_template?: string;
  /**
   * Kind of agent: a command, or the built-in agent.
   */
  agent_type?: "command" | "builtin";
  /**
   * Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of "env" are stored encrypted and returned as "[hidden]". An update keeps values that are omitted or sent back as "[hidden]"; null removes a value. {{secret.NAME}} in a value refers to a named secret.
   */
  agent_config?: {
    [key: string]: unknown;
  };
  description?: string | null;
  /**
   * Whether the flow can be started. Triggers of a disabled flow are refused with 409. Default true.
   */
  is_enabled?: boolean;
  /**
   * Trigger that starts the flow, in addition to manual starts. Default manual.
   */
  trigger?: "manual" | "webhook" | "tracker" | "schedule";
  ai_model_id?: string | null;
  /**
   * Tools that a built-in agent may call: tools of the workspace, and tools at `/mcp/v1` by their names there or by a prefix followed by `*`. If the list is empty, the agent may call all tools of the workspace, including `run_shell`, and none at `/mcp/v1`.
   */
  allowed_tools?: Array<string>;
  webhook_config?: WebhookConfig | null;
  tracker_config?: TrackerConfig | null;
  schedule_config?: ScheduleConfig | null;
  git_clone_config?: GitCloneConfig | null;
  /**
   * Shell commands that run before the agent. {{secret.NAME}} is replaced by a shell variable that contains that secret.
   */
  setup_commands?: Array<string>;
  /**
   * Time limit of one run, in seconds. Default 3600.
   */
  timeout_seconds?: number;
  evidence?: EvidenceConfig | null;
  reporting?: ReportingConfig | null;
  /**
   * Hosts that programs of a run may reach in addition to the API: "host", "host:port", "*.host", or "*" for all public hosts. Without a port: 80 and 443. Default: none.
   */
  network_allow?: Array<string>;
  network_secrets?: Array<NetworkSecret> | null;
};

export type UpdateNoticeChannelRequest = {
  /**
   * Slack: the URL of an incoming webhook. Teams: the URL of a workflow that posts a card when it receives a webhook request. ntfy: the URL of a topic.
   */
  url?: string;
  /**
   * Optional description, such as the name of the Slack channel.
   */
  description?: string;
  /**
   * Notices that are posted.
   */
  notices?: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
  /**
   * If false, notices are held. If true, held notices are sent and the circuit breaker is closed.
   */
  active?: boolean;
  /**
   * A new access token; null removes it.
   */
  token?: string | null;
};

export type UpdatePushSubscriptionRequest = {
  /**
   * Notices that are pushed to the browser. A notice is pushed only if you may read its subject, such as the approval request.
   */
  notices: Array<
    | "approval.created"
    | "approval.decided"
    | "budget.threshold"
    | "budget.exceeded"
    | "webhook.endpoint_failing"
    | "policy.denied"
    | "agent.discovered"
    | "cra.reportable_vulnerability"
  >;
};

export type UpdateRoleRequest = {
  permissions: Array<
    | "manage_users"
    | "view_runtime_sessions"
    | "manage_runtime_sessions"
    | "search_session_content"
    | "manage_budgets"
    | "view_policies"
    | "manage_policies"
    | "view_flows"
    | "create_flows"
    | "edit_flows"
    | "delete_flows"
    | "execute_flows"
    | "view_trackers"
    | "manage_trackers"
    | "view_approvals"
    | "decide_approvals"
    | "manage_approval_workflows"
    | "view_agents"
    | "manage_agents"
    | "control_managed_agent"
    | "view_audit_logs"
    | "view_ai_models"
    | "manage_ai_models"
    | "view_cost"
    | "manage_kill_switch"
    | "report_discovery"
  >;
};

export type UpdateSavedSearchRequest = {
  /**
   * Unique among your saved searches; 1 to 120 characters.
   */
  name?: string;
  /**
   * Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512 characters.
   */
  query?: string;
  /**
   * Default keyword.
   */
  mode?: "keyword" | "semantic" | "hybrid";
  filters?: SearchFilters;
  /**
   * Maximum number of snippets per session; default 3.
   */
  max_snippets_per_session?: number;
  /**
   * Default true.
   */
  include_snippet_text?: boolean;
  /**
   * Visibility: only the owner (default), or the account.
   */
  visibility?: "private" | "account";
};

export type UpdateSessionRequest = {
  title?: string | null;
  summary?: string | null;
  labels?: Array<string> | null;
  /**
   * If true, neither users nor retention can delete the session.
   */
  legal_hold?: boolean;
};

export type UpdateToolServerRequest = {
  /**
   * Name of the server, part of the names of its tools; unique in the account.
   */
  name?: string;
  /**
   * https URL of the server; a query is allowed.
   */
  url?: string;
  /**
   * Command of a server with the transport stdio, given instead of `url`; an update replaces the whole object.
   */
  command?: ToolServerCommand;
  /**
   * Transport: HTTP, or a program that a flow worker runs.
   */
  transport?: "streamable_http" | "stdio";
  /**
   * Headers sent with each request; stored encrypted and never returned. An empty object or null removes them.
   */
  headers?: {
    [key: string]: unknown | string;
  } | null;
  /**
   * False: the tools of the server are not offered.
   */
  enabled?: boolean;
};

export type UpdateTrackerRequest = {
  /**
   * Name that agents use for the connection in tool calls; unique in the account.
   */
  name?: string;
  /**
   * Access token for the tracker; stored encrypted and never returned.
   */
  token?: string;
  /**
   * https base URL of a self-hosted tracker. Default: api.github.com, gitlab.com or api.linear.app; required for Jira.
   */
  base_url?: string;
  /**
   * Email address of the token’s owner, for Jira Cloud. If it is omitted, the server is assumed to run Jira Data Center.
   */
  username?: string | null;
  /**
   * Repositories and projects that flows and agents may use; "acme*" includes everything below "acme". Empty: all that the token can access.
   */
  repositories?: Array<string>;
};

export type UpdateUserRequest = {
  /**
   * Name of a system role or of a custom role of the account.
   */
  role?: string;
  is_active?: boolean;
};

export type UsageRow = {
  id: string;
  occurred_at: string;
  account_id: string;
  /**
   * Id of the API key with which the call was made.
   */
  api_key_id: string | null;
  /**
   * Id of the user who made the call, or of the owner of the API key.
   */
  user_id: string | null;
  /**
   * Id of the agent as which the key acts.
   */
  managed_agent_id: string | null;
  /**
   * Id of the execution that made the call.
   */
  execution_id: string | null;
  /**
   * Flow of the execution.
   */
  flow_id: string | null;
  /**
   * Id of the session to which the call belongs.
   */
  runtime_session_id: string | null;
  /**
   * Id of the model that served the call. If no model served it, id of the model that was tried last or, if no model was tried, of the requested model. Null for embeddings for the session search, and for calls that were refused before the requested model was found.
   */
  model_id: string | null;
  /**
   * Alias of the model; for embeddings for the session search, the name of the embedding model at its provider.
   */
  model_alias: string | null;
  /**
   * Null if no provider was called.
   */
  provider: "openai" | "anthropic" | "generic_compatible" | null;
  endpoint: string;
  /**
   * Status of the call; `refused` means that nothing was sent to a provider.
   */
  status: "ok" | "error" | "aborted" | "refused";
  /**
   * Null if unknown.
   */
  input_tokens: number | null;
  /**
   * Null if unknown.
   */
  cached_input_tokens: number | null;
  /**
   * Null if unknown.
   */
  output_tokens: number | null;
  /**
   * US dollars; null when the price is unknown.
   */
  cost_usd: number | null;
  /**
   * Source of the price.
   */
  price_source: "catalogue" | "custom" | "unknown" | "provider";
  /**
   * Null if no provider was called.
   */
  usage_source: "provider" | "estimated" | "partial" | "assumed" | null;
  /**
   * Duration of the whole call in milliseconds.
   */
  duration_ms: number;
  /**
   * Null if no byte arrived.
   */
  first_byte_ms: number | null;
  stream: boolean;
  /**
   * Why the call failed or was refused.
   */
  error_class: string | null;
};

export type UsageRowPage = {
  items: Array<UsageRow>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type UsageSummary = {
  /**
   * The requested grouping.
   */
  group_by: "model" | "agent" | "api_key" | "flow" | "session" | "day";
  /**
   * Start of the range, inclusive.
   */
  since: string;
  /**
   * End of the range, exclusive.
   */
  until: string;
  /**
   * Groups, most expensive first; days are in chronological order.
   */
  items: Array<{
    /**
     * Alias, id or day of the group; null for calls without such a value.
     */
    key: string | null;
    /**
     * Number of calls.
     */
    calls: number;
    /**
     * Number of calls that were refused before anything was sent.
     */
    refused_calls: number;
    /**
     * Number of calls with an unknown price; they are not included in the cost.
     */
    unpriced_calls: number;
    /**
     * Input tokens, including cached input.
     */
    input_tokens: number;
    /**
     * Input tokens read from a cache.
     */
    cached_input_tokens: number;
    /**
     * Output tokens.
     */
    output_tokens: number;
    /**
     * US dollars.
     */
    cost_usd: number;
  }>;
  /**
   * Total of all groups.
   */
  total: {
    /**
     * Number of calls.
     */
    calls: number;
    /**
     * Number of calls that were refused before anything was sent.
     */
    refused_calls: number;
    /**
     * Number of calls with an unknown price; they are not included in the cost.
     */
    unpriced_calls: number;
    /**
     * Input tokens, including cached input.
     */
    input_tokens: number;
    /**
     * Input tokens read from a cache.
     */
    cached_input_tokens: number;
    /**
     * Output tokens.
     */
    output_tokens: number;
    /**
     * US dollars.
     */
    cost_usd: number;
  };
  /**
   * Whether there are more groups than returned.
   */
  truncated: boolean;
};

export type User = {
  id: string;
  account_id: string;
  username: string;
  email: string;
  full_name: string | null;
  role: string;
  permissions: Array<Permission>;
  is_active: boolean;
  /**
   * True until the user accepts the invitation and chooses a password.
   */
  is_invited: boolean;
  created_at: string;
};

export type UserPage = {
  items: Array<User>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

export type ValidateEnrollmentRequest = {
  /**
   * Whether a call of the agent reached the service.
   */
  ok: boolean;
  /**
   * Whether the agent’s model calls go through the gateway.
   */
  gateway_routed?: boolean;
  /**
   * Whether the agent reaches its tool servers through the service.
   */
  mcp_rewritten?: boolean;
  /**
   * Number of tool servers in the agent’s configuration.
   */
  mcp_server_count?: number;
  /**
   * Findings of the check.
   */
  message?: string;
};

export type Vulnerability = {
  /**
   * Index of the entry in the result, from 0.
   */
  index: number;
  /**
   * CVE id; null if the entry has no valid one, or if its `reason` is `beyond_limit`.
   */
  cve: string | null;
  /**
   * Whether the vulnerability meets the conditions for the event `cra.reportable_vulnerability`.
   */
  reportable: boolean;
  /**
   * Why the vulnerability is or is not reportable.
   */
  reason:
    | "reportable"
    | "not_exploited"
    | "exploitation_unknown"
    | "not_affected"
    | "affected_unknown"
    | "malformed"
    | "duplicate"
    | "beyond_limit"
    | "reporting_off"
    | "not_succeeded";
  /**
   * The reason as a sentence.
   */
  message: string;
  /**
   * When the vulnerability was discovered; null if the vulnerability is not reportable.
   */
  discovered_at: string | null;
  /**
   * Reporting deadlines, counted from `discovered_at`; null if the vulnerability is not reportable.
   */
  deadlines: {
    early_warning_24h: string;
    notification_72h: string;
    final_report_14d: string;
  } | null;
  /**
   * Id of the event; null if the vulnerability is not reportable. If no endpoint was subscribed to the type of the event, no event with this id exists.
   */
  event_id: string | null;
};

export type VulnerabilityPage = {
  items: Array<Vulnerability>;
  /**
   * Cursor of the next page; null on the last page.
   */
  next_cursor: string | null;
};

/**
 * The value that the sender expects in the response, for example {"challenge": "…"}.
 */
export type WebhookChallenge = {
  [key: string]: unknown | string;
};

export type WebhookConfig = {
  /**
   * Service that sends the requests. The choice determines how signatures, media types, headers, deduplication and handshakes are handled. If no source is set, every sender of JSON is accepted: a request whose headers identify one of these services is handled like a request of that service; of any other request, only the payload is stored.
   */
  source?:
    | "generic"
    | "github"
    | "gitlab"
    | "bitbucket"
    | "gitea"
    | "jira"
    | "linear"
    | "slack"
    | "sns"
    | "stripe"
    | "standard_webhooks"
    | "cloudevents";
  signing_secrets?: Array<string> | null;
  /**
   * Events that start a run, by the names that the sender uses, for example "pull_request.opened", "Merge Request Hook", "repo:push", "jira:issue_created". An empty list means all events.
   */
  event_types?: Array<string>;
  /**
   * Condition in CEL, as in policies, over `payload` and `event` (name, action, names), for example payload.pull_request.draft == false. Requests that do not match are ignored.
   */
  filter?: string;
  /**
   * Additional headers to pass to the run. Headers that may contain a credential are not allowed.
   */
  headers?: Array<string>;
  webhook_secret?: string | null;
  /**
   * If true, a trigger whose dedupe value is that of an active execution stops this execution and starts a new one.
   */
  supersede_on_update?: boolean;
  /**
   * Path in the payload, for example pull_request.number; at most one execution per value at this path is active at a time.
   */
  dedupe_path?: string;
};
