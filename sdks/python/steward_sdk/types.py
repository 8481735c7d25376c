# Made from the OpenAPI document by `npm run docs`.

"""Bodies, queries and answers of the API, as the service documents them."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, TypedDict, Union

class AgentWarningsItem(TypedDict):
    code: Literal["tool_calls_not_asked"]
    # The problem and how to solve it.
    message: str


class AiModelPrices(TypedDict):
    # US dollars per million tokens of input; null when unknown.
    input_per_mtok_usd: Union[float, None]
    # US dollars per million tokens of output.
    output_per_mtok_usd: Union[float, None]
    # US dollars per million tokens of input read from a cache.
    cached_input_per_mtok_usd: Union[float, None]


class AiModelWarningsItem(TypedDict):
    code: str
    field: str
    message: str


class ApiKeyLimits(TypedDict):
    models: Union[List[str], None]
    calls_per_minute: Union[int, None]
    calls_per_day: Union[int, None]
    tokens_per_minute: Union[int, None]
    tokens_per_day: Union[int, None]


class ApiKeyLimitsUsed(TypedDict):
    calls_per_minute: int
    calls_per_day: int
    tokens_per_minute: int
    tokens_per_day: int


class AppliedPolicyChangesItem(TypedDict):
    kind: Literal["added", "removed", "changed", "moved"]
    # Path of the change, with rule ids, for example rules/no-drop/action.
    path: str
    before: Any
    after: Any


class ApprovalRequestVotesItem(TypedDict):
    user_id: str
    display: str
    # The person’s decision.
    decision: Literal["approve", "decline"]
    comment: Union[str, None]
    via: Literal["api", "email"]
    at: str


class ApprovalRequestRule(TypedDict):
    source: Literal["policy", "default"]
    rule_id: Union[str, None]
    rule_name: Union[str, None]
    expression: Union[str, None]


class _ApprovalRequestActorRequired(TypedDict):
    kind: Literal["user", "ai", "bypass", "system"]
    id: Union[str, None]


class ApprovalRequestActor(_ApprovalRequestActorRequired, total=False):
    reason: str
    # Alias of the model; set if the kind is ai.
    model: str
    # Confidence of the model, from 0 to 1.
    confidence: float


class ApprovalRequestAi(TypedDict):
    decision: Union[Literal["approve", "decline", "ask_people"], None]
    confidence: Union[float, None]
    # The model’s explanation of its decision; if the model made no decision, the reason why.
    reason: str


class ApprovalWorkflowChannelConfigsItem(TypedDict):
    # webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text
    # message.
    kind: Literal["webhook", "slack", "mattermost"]
    url: str


class ApprovalWorkflowApprovalConfig(TypedDict):
    webhook_url: Union[str, None]


class ApprovalWorkflowBypass(TypedDict):
    until: str
    reason: str
    # The user who started the bypass.
    user_id: str


class AuditEntryActor(TypedDict):
    kind: str
    id: Union[str, None]


class BacktestDecisions(TypedDict):
    allow: int
    deny: int
    require_approval: int


class BacktestDecisionsBefore(TypedDict):
    allow: int
    deny: int
    require_approval: int


class BacktestRulesItem(TypedDict):
    # Null for the default, which decides if no rule does.
    rule_id: Union[str, None]
    # Number of calls that the rule decided in the version in force; 0 if `compared_with` is
    # `recorded`.
    before: int
    # Number of calls that the rule decides in the tested document.
    after: int
    # Number of the calls counted in `after` that the baseline decides differently.
    changed: int


class BacktestChangedExamplesItem(TypedDict):
    tool_call_id: str
    runtime_session_id: str
    occurred_at: str
    tool_name: str
    before: Literal["allow", "deny", "require_approval"]
    after: Literal["allow", "deny", "require_approval"]
    # Rule that decides; null if no rule decides and a default applies.
    rule_id: Union[str, None]


class _CreateApiKeyRequestRuntimePrincipalRequired(TypedDict):
    # Kind of principal, for example managed_agent.
    type: str
    id: str


class CreateApiKeyRequestRuntimePrincipal(_CreateApiKeyRequestRuntimePrincipalRequired, total=False):
    """Calls with the key act as this principal."""

    name: Union[str, None]


class _CreateApprovalWorkflowRequestChannelConfigsItemRequired(TypedDict):
    # webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text
    # message.
    kind: Literal["webhook", "slack", "mattermost"]


class CreateApprovalWorkflowRequestChannelConfigsItem(_CreateApprovalWorkflowRequestChannelConfigsItemRequired, total=False):
    """Set the address in `url`; the name `webhook_url` is also accepted."""

    url: str
    webhook_url: str


class CreateApprovalWorkflowRequestApprovalConfig(TypedDict, total=False):
    """Older format that names a single receiver."""

    # Address of the receiver; null removes it.
    webhook_url: Union[str, None]
    # Signing secret of your choice; generated if omitted.
    webhook_secret: str


class CreatePushSubscriptionRequestKeys(TypedDict):
    # Public key of the browser, base64url.
    p256dh: str
    # Secret of the browser, base64url.
    auth: str


class CreatedApiKeyLimits(TypedDict):
    models: Union[List[str], None]
    calls_per_minute: Union[int, None]
    calls_per_day: Union[int, None]
    tokens_per_minute: Union[int, None]
    tokens_per_day: Union[int, None]


class CreatedApiKeyLimitsUsed(TypedDict):
    calls_per_minute: int
    calls_per_day: int
    tokens_per_minute: int
    tokens_per_day: int


class CreatedUserInvitation(TypedDict):
    """The invitation, returned only once. Anyone who has the invitation can choose the password of the user."""

    # Link to give to the user.
    url: str
    # Token for POST /api/v1/auth/invitations/accept.
    token: str
    expires_at: str


class DeletionJobKept(TypedDict):
    """Numbers of matching sessions that are not deleted, by reason."""

    # Sessions under legal hold.
    legal_hold: int
    # Sessions of active executions.
    execution_active: int


class DeliveredNoteAuthor(TypedDict):
    user_id: str
    display: str
    auth_method: Literal["token", "api_key"]


DeliveryDetailsBreakerHistoryItem = TypedDict("DeliveryDetailsBreakerHistoryItem", {"at": "str", "from": "Literal['closed', 'open', 'half_open']", "to": "Literal['closed', 'open', 'half_open']", "reason": "Literal['failures', 'cooldown_over', 'probe_succeeded', 'probe_failed', 'endpoint_changed']", "consecutive_failures": "int"}, total=False)

class DeliveryDetailsAttemptsItem(TypedDict):
    # Number of the attempt, starting at 1.
    number: int
    # When the attempt began.
    started_at: str
    # Milliseconds until the status line was received or the attempt failed.
    duration_ms: int
    # Milliseconds for name resolution; null if this step did not happen.
    dns_ms: Union[int, None]
    # Milliseconds to open the connection; null if this step did not happen.
    connect_ms: Union[int, None]
    # Milliseconds for the TLS handshake; null if this step did not happen.
    tls_ms: Union[int, None]
    # Milliseconds from the start of the attempt to the status line; null if this step did not
    # happen.
    first_byte_ms: Union[int, None]
    # HTTP status of the response.
    response_status: Union[int, None]
    # Short description of the error.
    error: Union[str, None]
    # Kind of error.
    error_class: Union[str, None]
    # IP address of the connection.
    remote_address: Union[str, None]
    # Scheduled time of the next attempt; null if no attempt follows.
    next_attempt_at: Union[str, None]
    # First KiB of the response body, with credentials masked; null if there is no body, or if the
    # body is not text or was not stored.
    answer: Union[str, None]
    # Whether the attempt was the probe of a half-open circuit breaker.
    probe: bool
    # Headers as they were sent, without the values of the signatures; null for email and notices,
    # and if the event has been deleted.
    request_headers: Union[Dict[str, str], None]


class DeploymentHealthQueuesItem(TypedDict):
    # Name of the queue.
    name: Literal["deliveries", "executions", "embedding", "history", "statistics"]
    # Name of the app.
    app: Literal["api-gateway", "search-indexer", "webhook-dispatcher", "flow-trigger", "backfill-sweeper"]
    # Number of waiting items; the queue determines their kind: deliveries, executions, accounts
    # with content to embed, accounts with history to index, or records to aggregate (of these, at
    # most 10,000 are counted); null if unknown.
    waiting: Union[int, None]
    # Number of items in progress; null if unknown.
    running: Union[int, None]
    # Seconds since the oldest item that can be processed at the moment became due; 0 if there is no
    # such item; null if unknown.
    oldest_waiting_seconds: Union[float, None]
    # Seconds after which the oldest item counts as late; null if the queue has no such limit.
    late_after_seconds: Union[float, None]
    # Whether the oldest item is late.
    is_late: bool


class DeploymentHealthMessagesItem(TypedDict):
    # Name of the message.
    name: Literal["chunk-written", "event-emitted", "trigger-accepted"]
    # Name of the app.
    app: Literal["api-gateway", "search-indexer", "webhook-dispatcher", "flow-trigger", "backfill-sweeper"]
    # Number of messages that are not handled yet; null if unknown.
    waiting: Union[int, None]
    # Age of the oldest message that is not handled yet; 0 if there is no such message; null if
    # unknown.
    oldest_waiting_seconds: Union[float, None]


class DeploymentHealthProcessesItem(TypedDict):
    # Name of the app.
    app: Literal["api-gateway", "search-indexer", "webhook-dispatcher", "flow-trigger", "backfill-sweeper"]
    # Number of connections of the app to the database; null if unknown.
    connections: Union[int, None]


class DeploymentHealthDatabase(TypedDict):
    # Size of the database.
    size_bytes: float
    # Number of connections to the server.
    connections: int
    # Maximum number of connections to the server.
    max_connections: int


class DeploymentHealthReplica(TypedDict):
    # Bytes of the write-ahead log that the replica has not replayed; null if unknown.
    lag_bytes: Union[int, None]
    # Seconds since the last transaction that the replica has replayed; 0 if it has replayed
    # everything; null if unknown.
    lag_seconds: Union[float, None]


class DueTimesItemsItem(TypedDict):
    flow_id: str
    due_at: str
    # Outcome of the due time: its run was started, was queued to start after the previous run, was
    # skipped, or was missed because no worker was running.
    outcome: Literal["started", "queued", "skipped", "missed"]
    reason: Union[str, None]
    execution_id: Union[str, None]
    decided_at: str


class EmbeddingSettingCorpus(TypedDict):
    # Number of chunks of the account.
    chunks: int
    # Number of chunks in the scope, without chunks that contain only metadata.
    eligible: int
    # Number of eligible chunks with a vector of the current model.
    embedded: int
    # Number of eligible chunks that do not have a vector of the current model yet, without failed
    # chunks.
    pending: int
    # Number of chunks that are not tried again because their embedding failed repeatedly.
    failed: int
    # Number of pending chunks that have a vector of another provider, endpoint or model; counted up
    # to 100,000.
    other_model: int
    # All eligible chunks stored up to this time are embedded, except for failed chunks; null if
    # there is no such time yet.
    embedded_through: Union[str, None]


class _ErrorBodyDetailRequired(TypedDict):
    # Stable machine-readable code.
    code: str
    # Human-readable message that says what to do.
    message: str


class ErrorBodyDetail(_ErrorBodyDetailRequired, total=False):
    # Path of the offending field.
    field: str
    # The permission that is missing.
    permission: str
    limit: float
    actual: float
    overage: float


class EventCatalogueEventTypesItem(TypedDict):
    name: str
    description: str
    # JSON Schema of `data`. Fields may be added later, so receivers must ignore unknown fields.
    data_schema: Any
    # A `data` object.
    example: Any


class FlowWebhookConfig(TypedDict, total=False):
    # The secret; only for callers with edit_flows.
    webhook_secret: str
    webhook_secret_hint: Union[str, None]
    supersede_on_update: bool
    dedupe_path: str
    # Service that sends the requests. The choice determines how signatures, media types, headers,
    # deduplication and handshakes are handled. If no source is set, every sender of JSON is
    # accepted: a request whose headers identify one of these services is handled like a request of
    # that service; of any other request, only the payload is stored.
    source: Literal["generic", "github", "gitlab", "bitbucket", "gitea", "jira", "linear", "slack", "sns", "stripe", "standard_webhooks", "cloudevents"]
    signing_secrets: Union[List[str], None]
    # Events that start a run, by the names that the sender uses, for example "pull_request.opened",
    # "Merge Request Hook", "repo:push", "jira:issue_created". An empty list means all events.
    event_types: List[str]
    # Condition in CEL, as in policies, over `payload` and `event` (name, action, names), for
    # example payload.pull_request.draft == false. Requests that do not match are ignored.
    filter: str
    # Additional headers to pass to the run. Headers that may contain a credential are not allowed.
    headers: List[str]


class FlowScheduleNextDueTimesItem(TypedDict):
    due_at: str
    # The due time in the time zone of the schedule.
    due_local: str


class FlowTemplatesItemsItemVariantsItem(TypedDict):
    # Kind of the tracker whose events start the flow; null if the flow needs no tracker.
    tracker_kind: Union[Literal["github", "gitlab", "jira", "linear"], None]
    # Body for POST /api/v1/flows, to which name, ai_model_id and, if the flow needs a tracker,
    # tracker_config must be added.
    flow: Dict[str, Any]


class FlowTemplatesItemsItem(TypedDict):
    # Name by which commands refer to the template.
    name: str
    title: str
    description: str
    # Fields that must be set before the first run, in addition to name, model and tracker.
    to_set: List[str]
    variants: List[FlowTemplatesItemsItemVariantsItem]


class FlowTrackerRegistration(TypedDict):
    # State of the webhook at the tracker; `removed` means that no webhook is registered, because
    # the flow is disabled.
    state: Literal["pending", "active", "failed", "removed"]
    # Reason why the webhook could not be registered or removed.
    reason: Union[str, None]
    # Time of the last registration.
    registered_at: Union[str, None]
    # Time of the next attempt to register or remove the webhook.
    retry_at: Union[str, None]


class FoundSessionExplainTermsItem(TypedDict):
    term: str
    idf: float


class FoundSessionExplainChunksItemTermsItem(TypedDict):
    term: str
    rank: float
    contribution: float


class FoundSessionExplainChunksItem(TypedDict):
    document_id: str
    # Weight of the chunk in the score: 1 for the best chunk, and much lower for the second and the
    # third.
    weight: float
    title_bonus: float
    terms: List[FoundSessionExplainChunksItemTermsItem]


class FoundSessionExplainFusionKeyword(TypedDict):
    """Null if this half did not find the session."""

    # Rank in the result list of this half, from 1.
    rank: int
    weight: float
    contribution: float


class FoundSessionExplainFusionSemantic(TypedDict):
    """Null if this half did not find the session."""

    # Rank in the result list of this half, from 1.
    rank: int
    weight: float
    contribution: float


class FoundSessionExplainFusion(TypedDict):
    """For a hybrid or semantic search: the contributions of the keyword half and of the semantic half to the score. `terms` and `chunks` explain the keyword score."""

    constant: float
    keyword: Union[FoundSessionExplainFusionKeyword, None]
    semantic: Union[FoundSessionExplainFusionSemantic, None]


class _FoundSessionExplainRequired(TypedDict):
    # How the candidates were found. `all`: all chunks in the searched range were examined. `walk`:
    # the newest chunks were examined until enough of them matched. `index`: the text index was
    # used. `vectors`: only vectors were compared.
    retrieval: Literal["all", "walk", "index", "vectors"]
    terms: List[FoundSessionExplainTermsItem]
    # Chunks that contribute to the keyword score, which is the sum over the chunks of weight x
    # (title_bonus + contributions).
    chunks: List[FoundSessionExplainChunksItem]


class FoundSessionExplain(_FoundSessionExplainRequired, total=False):
    # For a hybrid or semantic search: the contributions of the keyword half and of the semantic
    # half to the score. `terms` and `chunks` explain the keyword score.
    fusion: FoundSessionExplainFusion


class HealthChecks(TypedDict):
    database: Literal["ok", "failed"]
    broker: Literal["ok", "failed"]


class _ImportTranscriptRequestMessagesItemRequired(TypedDict):
    # Role of the speaker, for example `user`.
    role: str
    # Text, or message parts in the provider’s format.
    content: Union[str, List[Any], Dict[str, Any]]


class ImportTranscriptRequestMessagesItem(_ImportTranscriptRequestMessagesItemRequired, total=False):
    occurred_at: Union[str, None]
    external_id: Union[str, None]


class IssuedInvitationInvitation(TypedDict):
    """The invitation, returned only once. Anyone who has the invitation can choose the password of the user."""

    # Link to give to the user.
    url: str
    # Token for POST /api/v1/auth/invitations/accept.
    token: str
    expires_at: str


class KillSwitchChangedBy(TypedDict):
    user_id: str
    username: Union[str, None]


class NextDueTimesNextDueTimesItem(TypedDict):
    due_at: str
    # The due time in the time zone of the schedule.
    due_local: str


class OperatorNoteAuthor(TypedDict):
    user_id: str
    display: str
    auth_method: Literal["token", "api_key"]


class PermissionCheckRule(TypedDict):
    # Version of the policy.
    version: int
    id: str
    description: str


class PolicyDecisionRule(TypedDict):
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    version: int
    id: str
    description: str


class PolicyDecisionTraceItem(TypedDict):
    id: str
    description: str
    matched: bool
    # Result of the condition; null if the condition was not evaluated or its evaluation failed.
    condition_value: Union[bool, None]
    # Why the condition failed.
    error: Union[str, None]


class PolicyDiffChangesItem(TypedDict):
    kind: Literal["added", "removed", "changed", "moved"]
    # Path of the change, with rule ids, for example rules/no-drop/action.
    path: str
    before: Any
    after: Any


class _ReportDiscoveryRequestAgentsItemRequired(TypedDict):
    # Kind of agent: claude_code, codex, or a custom name.
    agent_kind: str
    # Hash of the path of the agent’s configuration, with the home folder written as ~.
    config_path_hash: str
    # Number of tool servers in the agent’s configuration.
    mcp_server_count: int


class ReportDiscoveryRequestAgentsItem(_ReportDiscoveryRequestAgentsItemRequired, total=False):
    # Version that the agent reports.
    agent_version: str
    # Whether the agent already uses the service.
    enrolled: bool


class SavedApprovalWorkflowChannelConfigsItem(TypedDict):
    # webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text
    # message.
    kind: Literal["webhook", "slack", "mattermost"]
    url: str


class SavedApprovalWorkflowApprovalConfig(TypedDict):
    webhook_url: Union[str, None]


class SavedApprovalWorkflowBypass(TypedDict):
    until: str
    reason: str
    # The user who started the bypass.
    user_id: str


class SearchAnswerDegraded(TypedDict):
    keyword: bool
    semantic: bool
    # Why a part of the search did not run or may be incomplete.
    reasons: List[Literal["semantic_not_enabled", "semantic_disabled_by_deployment", "semantic_daily_cap_reached", "semantic_provider_error", "semantic_provider_misconfigured", "semantic_model_mismatch", "semantic_no_vectors", "semantic_backfill_incomplete", "fusion_candidates_truncated"]]
    detail: Union[str, None]


class SearchGrantsGrantsItem(TypedDict):
    # Grants are looked up in the order API key, managed agent, account; the first grant that exists
    # applies.
    subject_type: Literal["api_key", "managed_agent", "account"]
    # Depending on `subject_type`: id of an API key of the account, the id in `runtime_principal` of
    # a managed agent’s API key, or id of the account.
    subject_id: str
    # Whether the subject may search the sessions of the account.
    session_search_account_scope: bool


class SeriesTotalSums(TypedDict, total=False):
    """The measures of the series for the whole range."""

    # Number of items that the series counts, for example calls or deliveries.
    count: int
    # Number of these items that failed.
    failed: int
    # US dollars.
    cost_usd: float
    # Includes cached input.
    input_tokens: int
    # Output tokens.
    output_tokens: int
    # Mean duration in milliseconds; null if there are no durations.
    mean_ms: Union[float, None]
    # Median of the durations in milliseconds, accurate to within 10 percent; null if there are no
    # durations.
    p50_ms: Union[float, None]
    # 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p95_ms: Union[float, None]
    # 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p99_ms: Union[float, None]
    # Number of chunks at the end of the range or, in `values`, at the end of each step.
    size: int


class SeriesTotalValues(TypedDict, total=False):
    """The measures of the series, with one value for each step."""

    # Number of items that the series counts, for example calls or deliveries.
    count: List[int]
    # Number of these items that failed.
    failed: List[int]
    # US dollars.
    cost_usd: List[float]
    # Includes cached input.
    input_tokens: List[int]
    # Output tokens.
    output_tokens: List[int]
    # Mean duration in milliseconds; null if there are no durations.
    mean_ms: List[Union[float, None]]
    # Median of the durations in milliseconds, accurate to within 10 percent; null if there are no
    # durations.
    p50_ms: List[Union[float, None]]
    # 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p95_ms: List[Union[float, None]]
    # 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p99_ms: List[Union[float, None]]
    # Number of chunks at the end of the range or, in `values`, at the end of each step.
    size: List[int]


class SeriesTotal(TypedDict):
    """Totals of all groups, including those that are not listed."""

    # The measures of the series for the whole range.
    sums: SeriesTotalSums
    # The measures of the series, with one value for each step.
    values: SeriesTotalValues


class SeriesGroupsItemSums(TypedDict, total=False):
    """The measures of the series for the whole range."""

    # Number of items that the series counts, for example calls or deliveries.
    count: int
    # Number of these items that failed.
    failed: int
    # US dollars.
    cost_usd: float
    # Includes cached input.
    input_tokens: int
    # Output tokens.
    output_tokens: int
    # Mean duration in milliseconds; null if there are no durations.
    mean_ms: Union[float, None]
    # Median of the durations in milliseconds, accurate to within 10 percent; null if there are no
    # durations.
    p50_ms: Union[float, None]
    # 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p95_ms: Union[float, None]
    # 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p99_ms: Union[float, None]
    # Number of chunks at the end of the range or, in `values`, at the end of each step.
    size: int


class SeriesGroupsItemValues(TypedDict, total=False):
    """The measures of the series, with one value for each step."""

    # Number of items that the series counts, for example calls or deliveries.
    count: List[int]
    # Number of these items that failed.
    failed: List[int]
    # US dollars.
    cost_usd: List[float]
    # Includes cached input.
    input_tokens: List[int]
    # Output tokens.
    output_tokens: List[int]
    # Mean duration in milliseconds; null if there are no durations.
    mean_ms: List[Union[float, None]]
    # Median of the durations in milliseconds, accurate to within 10 percent; null if there are no
    # durations.
    p50_ms: List[Union[float, None]]
    # 95th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p95_ms: List[Union[float, None]]
    # 99th percentile of the durations in milliseconds, accurate to within 10 percent; null if there
    # are no durations.
    p99_ms: List[Union[float, None]]
    # Number of chunks at the end of the range or, in `values`, at the end of each step.
    size: List[int]


class SeriesGroupsItem(TypedDict):
    # Id or name of the group; null for the group of items without such a value.
    key: Union[str, None]
    # The measures of the series for the whole range.
    sums: SeriesGroupsItemSums
    # The measures of the series, with one value for each step.
    values: SeriesGroupsItemValues


class SimilarSessionsItemsItemExcerptsItem(TypedDict):
    document_id: str
    source_kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log", "session_summary"]
    source_id: str
    chunk_index: int
    gap_after_chunk: Union[int, None]
    occurred_at: str
    role: Union[str, None]
    # Text of the excerpt, escaped for HTML; it contains no markup.
    text: str
    # Cosine similarity: 1 for the same meaning, 0 for nothing in common.
    similarity: float


class SimilarSessionsItemsItem(TypedDict):
    runtime_session_id: str
    url: Union[str, None]
    session_source_type: str
    session_source_id: str
    session_reference: Union[str, None]
    title: Union[str, None]
    started_at: str
    last_activity_at: str
    ended_at: Union[str, None]
    # Cosine similarity: 1 for the same meaning, 0 for nothing in common.
    similarity: float
    # The most similar parts of the session, best first; at most three.
    excerpts: List[SimilarSessionsItemsItemExcerptsItem]


class SimilarSessionsDegraded(TypedDict):
    keyword: bool
    semantic: bool
    # Why no comparison was possible.
    reasons: List[Literal["semantic_not_enabled", "semantic_disabled_by_deployment", "semantic_daily_cap_reached", "semantic_provider_error", "semantic_provider_misconfigured", "semantic_model_mismatch", "semantic_no_vectors", "semantic_backfill_incomplete", "fusion_candidates_truncated"]]
    detail: Union[str, None]


class StartDeletionRequestFilters(TypedDict, total=False):
    """Filters that select the sessions, as in the list of sessions. At least one is required."""

    # Only sessions that are open (true) or ended (false).
    active: bool
    # Only sessions of this agent.
    runtime_principal_id: str
    # Only sessions of this flow.
    flow_id: str
    # Only sessions with this label, `key:value`.
    label: str
    # Only sessions started at or after this time.
    since: str
    # Only sessions started before this time.
    until: str


class StoreInteractionRequestUsage(TypedDict, total=False):
    input_tokens: Union[int, None]
    output_tokens: Union[int, None]
    cost_usd: Union[float, None]


class StoredContentCopyOf(TypedDict):
    """The entry of another session from which a fork copied this entry. Statistics count only the original; searches find the original and, if it differs, the copy as well."""

    id: str
    runtime_session_id: str


class TestPolicyRequestAgent(TypedDict, total=False):
    """Attributes of an agent that does not have to exist."""

    kind: str
    name: str
    tags: List[str]


class ThrownKillSwitchChangedBy(TypedDict):
    user_id: str
    username: Union[str, None]


class TimelineEntryCopyOf(TypedDict):
    """The entry of another session from which a fork copied this entry. Statistics count only the original; searches find the original and, if it differs, the copy as well."""

    id: str
    runtime_session_id: str


class ToolServerCommand1(TypedDict):
    command: str
    args: List[str]
    # Names of the program’s environment variables.
    env_names: List[str]
    network_allow: List[str]


class ToolServerOauth(TypedDict):
    # The authorization server.
    issuer: str
    # Granted scopes, if the authorization server reports them.
    scope: Union[str, None]
    # Expiry of the token; the service renews the token automatically if the authorization server
    # allows this.
    expires_at: Union[str, None]
    # Id of the user who logged in.
    connected_by: str
    connected_at: str
    # Whether the token can no longer be used or renewed; if so, a person has to log in again.
    ended: bool


class TrackerTrialRepository(TypedDict):
    name: str
    may_read: bool
    may_write: bool
    # Whether the token may manage webhooks, which is required for events of the tracker to start
    # flows.
    may_manage_hooks: Union[bool, None]


class TrackerTrialError(TypedDict):
    # Code: unauthorized, forbidden, not_found, invalid, rate_limited, unavailable or unreachable.
    code: str
    message: str


class _UpdateApprovalWorkflowRequestChannelConfigsItemRequired(TypedDict):
    # webhook: signed events, in the same format as for webhook endpoints. slack, mattermost: a text
    # message.
    kind: Literal["webhook", "slack", "mattermost"]


class UpdateApprovalWorkflowRequestChannelConfigsItem(_UpdateApprovalWorkflowRequestChannelConfigsItemRequired, total=False):
    """Set the address in `url`; the name `webhook_url` is also accepted."""

    url: str
    webhook_url: str


class UpdateApprovalWorkflowRequestApprovalConfig(TypedDict, total=False):
    """Older format that names a single receiver."""

    # Address of the receiver; null removes it.
    webhook_url: Union[str, None]
    # Signing secret of your choice; generated if omitted.
    webhook_secret: str


class UsageSummaryItemsItem(TypedDict):
    # Alias, id or day of the group; null for calls without such a value.
    key: Union[str, None]
    # Number of calls.
    calls: int
    # Number of calls that were refused before anything was sent.
    refused_calls: int
    # Number of calls with an unknown price; they are not included in the cost.
    unpriced_calls: int
    # Input tokens, including cached input.
    input_tokens: int
    # Input tokens read from a cache.
    cached_input_tokens: int
    # Output tokens.
    output_tokens: int
    # US dollars.
    cost_usd: float


class UsageSummaryTotal(TypedDict):
    """Total of all groups."""

    # Number of calls.
    calls: int
    # Number of calls that were refused before anything was sent.
    refused_calls: int
    # Number of calls with an unknown price; they are not included in the cost.
    unpriced_calls: int
    # Input tokens, including cached input.
    input_tokens: int
    # Input tokens read from a cache.
    cached_input_tokens: int
    # Output tokens.
    output_tokens: int
    # US dollars.
    cost_usd: float


class VulnerabilityDeadlines(TypedDict):
    early_warning_24h: str
    notification_72h: str
    final_report_14d: str


class _AcceptInvitationRequestRequired(TypedDict):
    # Token of the invitation.
    token: str
    # 8 to 200 characters; common passwords and the user’s own name are refused.
    password: str


class AcceptInvitationRequest(_AcceptInvitationRequestRequired, total=False):
    full_name: Union[str, None]


class AcceptToolRequest(TypedDict, total=False):
    # Hash of the definition that was reviewed. If the tool has changed since the review, the
    # response is 409.
    definition_hash: str


class AcceptedTrigger(TypedDict):
    status: Literal["accepted"]
    flow_id: str
    execution_id: str
    # Status at the time of the response.
    execution_status: Literal["PENDING", "INITIALIZING", "RUNNING", "SUCCEEDED", "FAILED", "STOPPED"]
    # Whether an earlier trigger with the same idempotency key or dedupe value started the
    # execution.
    deduplicated: bool
    # URL of the execution; a request with ?wait=60 waits up to 60 seconds for the execution to end.
    status_url: str


class Agent(TypedDict):
    # The agent.
    id: str
    agent_kind: str
    display_name: str
    session_source_type: Union[str, None]
    session_source_id: Union[str, None]
    owner_user_id: Union[str, None]
    tags: List[str]
    # How the agent was registered.
    enrolled_via: Literal["operator_registration", "discovery", "runtime"]
    # Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history
    # is retained.
    lifecycle_state: Literal["active", "suspended", "retired"]
    lifecycle_reason: Union[str, None]
    merged_into: Union[str, None]
    # Time of the last call with one of the agent’s keys, to the minute.
    last_seen_at: Union[str, None]
    # Time of the last model call through the gateway, to the minute.
    last_model_call_at: Union[str, None]
    # Time of the last permission check by the agent’s hook, to the minute.
    last_permission_check_at: Union[str, None]
    # Warnings about policies that appear to apply to the agent’s tool calls but have no effect on
    # them.
    warnings: List[AgentWarningsItem]
    latest_enrollment: Union[Enrollment, None]
    created_at: str
    updated_at: str


class AgentPage(TypedDict):
    items: List[Agent]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class AiModel(TypedDict):
    # The model.
    id: str
    alias: str
    # Provider of the model; generic_compatible is any OpenAI-compatible API.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    base_url: str
    model_identifier: str
    # Whether an API key of the provider is stored.
    has_api_key: bool
    prices: AiModelPrices
    # Source of the prices.
    price_source: Literal["catalogue", "custom", "unknown"]
    # Maximum output tokens of a call.
    max_output_tokens: Union[int, None]
    fallback_model_ids: List[str]
    is_default: bool
    enabled: bool
    # Possible problems with the settings.
    warnings: List[AiModelWarningsItem]
    created_at: str
    updated_at: str


class AiModelPage(TypedDict):
    items: List[AiModel]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ApiKey(TypedDict):
    id: str
    name: str
    # Last four characters of the key.
    hint: str
    scopes: Union[List[str], None]
    user_id: str
    # The key with which this one was created; when that key is revoked or expires, this one stops
    # working as well.
    parent_id: Union[str, None]
    runtime_principal: Any
    # Keys of the kind `key` act on behalf of their owner. The other kinds can be used only for the
    # operations whose `x-credential-kinds` include them.
    kind: Literal["key", "agent_key", "discovery_key"]
    # Maximum permissions of a key of this kind, regardless of what its owner and scopes allow.
    # Null: the kind does not limit the permissions.
    most_permissions: Union[List[str], None]
    # Limits of the key: its models, calls and tokens. Null: no limits.
    limits: Union[ApiKeyLimits, None]
    # Usage in the current minute and day (UTC), including reservations of calls in flight. Null: no
    # limits.
    limits_used: Union[ApiKeyLimitsUsed, None]
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    created_at: str


class ApiKeyPage(TypedDict):
    items: List[ApiKey]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class AppliedPolicy(TypedDict):
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    version: int
    # Format of the document.
    format: Literal["yaml", "json"]
    # Reason for the change.
    message: Union[str, None]
    # The older version whose content was applied again.
    rolled_back_to: Union[int, None]
    # Number of rules.
    rules: int
    # The user who applied the version.
    created_by: Union[str, None]
    # Time when the version was applied; null for the default document.
    created_at: Union[str, None]
    # True if a new version was created, or would have been created without the dry run; false if
    # the document is identical to the one in force.
    changed: bool
    # Whether this was a dry run; if so, `version` is the version in force.
    dry_run: bool
    # Changes compared with the previous version.
    changes: List[AppliedPolicyChangesItem]
    warnings: List[PolicyProblem]


class ApplyPolicyQuery(TypedDict, total=False):
    # Whether to return what would change, without applying the document.
    dry_run: Literal["1", "0", "true", "false"]
    # Reason for the change, shown in the list of versions.
    message: str


class ApprovalRequest(TypedDict):
    # The request.
    id: str
    # Every status except pending is final.
    status: Literal["pending", "approved", "declined", "expired", "cancelled"]
    tool_name: str
    # Server of the tool; "local" for tools that are not called through the service.
    server: str
    # Arguments of the call, with credentials masked.
    arguments: Any
    # Sentence that names the caller and the tool, without the arguments of the call.
    summary: str
    reasoning: Union[str, None]
    # Workflow whose approvers decide on the request.
    approval_workflow_id: str
    # Number of approvals by different people that the request needs. If the workflow’s quorum is
    # lowered while the request is pending, this number is lowered as well.
    quorum: int
    # Whether the request can still be approved, given the current users, roles and workflow: enough
    # people can still decide, or a model is asked first and has not responded. Null if the request
    # is no longer pending.
    quorum_reachable: Union[bool, None]
    # Why too few people can decide, and how to fix this; null unless quorum_reachable is false.
    stuck_reason: Union[str, None]
    # Names of people who may still decide, now or after escalation; at most ten.
    may_decide: List[str]
    # Whether only people may decide on the request, never an AI model.
    human_only: bool
    votes: List[ApprovalRequestVotesItem]
    managed_agent_id: Union[str, None]
    managed_agent_name: Union[str, None]
    runtime_session_id: Union[str, None]
    execution_id: Union[str, None]
    api_key_id: Union[str, None]
    # The user whose credential was used for the call.
    requester_user_id: str
    # The policy rule that required the approval.
    rule: Union[ApprovalRequestRule, None]
    policy_version: int
    # Hash of the tool’s definition; the approval is valid only for this definition. Null for tools
    # that are not called through the service.
    definition_hash: Union[str, None]
    requested_at: str
    expires_at: str
    # Time from which the users in the workflow’s escalation_user_ids may also decide.
    escalated_at: Union[str, None]
    resolved_at: Union[str, None]
    # The person, model, bypass or system that decided.
    actor: Union[ApprovalRequestActor, None]
    comment: Union[str, None]
    # When the request was first delivered to a receiver of the workflow; only receivers of the kind
    # webhook count.
    webhook_posted_at: Union[str, None]
    webhook_error: Union[str, None]
    # Response of the model that was asked first. Null: no model was asked, or it has not responded.
    ai: Union[ApprovalRequestAi, None]


class ApprovalRequestPage(TypedDict):
    items: List[ApprovalRequest]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ApprovalWorkflow(TypedDict):
    # The workflow.
    id: str
    name: str
    description: str
    approver_user_ids: List[str]
    approver_roles: List[str]
    quorum: int
    expires_seconds: int
    approval_wait_seconds: int
    require_comment: bool
    allow_self_approval: bool
    escalate_after_seconds: Union[int, None]
    escalation_user_ids: List[str]
    channel_configs: List[ApprovalWorkflowChannelConfigsItem]
    approval_config: ApprovalWorkflowApprovalConfig
    # Whether approvers receive email.
    email: bool
    webhook_secret_hint: Union[str, None]
    is_default: bool
    # ai_first: a model is asked before people, unless the rule sets human_only.
    mode: Literal["human", "ai_first"]
    ai_model_id: Union[str, None]
    ai_guidelines: str
    ai_confidence_threshold: float
    # The active bypass; new requests are approved automatically until it ends.
    bypass: Union[ApprovalWorkflowBypass, None]
    created_at: str
    updated_at: str


class ApprovalWorkflowPage(TypedDict):
    items: List[ApprovalWorkflow]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class AuditEntry(TypedDict):
    id: str
    occurred_at: str
    actor: AuditEntryActor
    source: str
    action: str
    resource_type: str
    resource_id: Union[str, None]
    status: str
    details: Any


class AuditEntryPage(TypedDict):
    items: List[AuditEntry]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class BackfillState(TypedDict):
    # Whether the history sweeper is enabled in this deployment.
    enabled: bool
    backfill_state: Literal["not_started", "in_progress", "complete"]
    backfill_complete: bool
    # Start of the range in which the search index is complete; null if there are no chunks.
    indexed_from: Union[str, None]
    # Position of the backfill, which reads the newest sessions first: the start time of the last
    # session that it has indexed completely or, if only the age limit was extended, the previous
    # age limit. Null if it has no position.
    cursor_started_at: Union[str, None]
    # Time at which the backfill last made progress.
    last_pass_at: Union[str, None]
    # Why the last pass stopped.
    stop_reason: Union[Literal["account_rows", "pass_rows", "pass_seconds", "finished", "failed"], None]
    # When the backfill was completed; null while it is in progress and if it has never run.
    completed_at: Union[str, None]
    # Number of sessions within the age limit that the backfill has not read yet, counted up to
    # 100,000.
    remaining_sessions: int
    # Whether `remaining_sessions` is exact; otherwise it is a lower bound.
    remaining_sessions_is_exact: bool
    # Estimated number of remaining sessions without any indexed content, extrapolated from the
    # newest 1,000 remaining sessions.
    sessions_without_chunks: int
    # Estimated average number of chunks per session, based on the newest sessions (at most 50) that
    # `sessions_without_chunks` counts.
    chunks_per_session: float
    # Estimated seconds until the backfill is complete, provided that the sweeper is running.
    estimated_seconds: int
    # Estimated time of completion; null if the sweeper is off or no sessions remain.
    estimated_completion_at: Union[str, None]


class Backtest(TypedDict):
    id: str
    status: Literal["queued", "running", "finished", "failed"]
    # Policy version in force at the time of the request.
    version: int
    # Baseline, with which the decisions are compared. version: the decisions of the policy version
    # in `version`. recorded: every recorded call counts as allowed.
    compared_with: Literal["version", "recorded"]
    since: str
    until: str
    # Maximum number of calls.
    limit: int
    # Number of calls examined so far; the newest calls are examined first.
    examined: int
    # Number of examined calls that were recorded without arguments; these calls are evaluated with
    # empty arguments.
    without_arguments: int
    # Time of the oldest call examined so far; null before the first call is examined.
    examined_back_to: Union[str, None]
    decisions: BacktestDecisions
    # Decisions of the baseline on the same calls; null if an earlier version of the service
    # examined some of these calls.
    decisions_before: Union[BacktestDecisionsBefore, None]
    # Every rule of the tested document in order, then the default, then rules that only the version
    # in force has; null whenever `decisions_before` is null.
    rules: Union[List[BacktestRulesItem], None]
    # Number of calls that would be decided differently.
    changed: int
    # The newest calls that would be decided differently; at most 50.
    changed_examples: List[BacktestChangedExamplesItem]
    # Why the backtest failed.
    error: Union[str, None]
    created_at: str
    # Time when the backtest ended; null while it is queued or running.
    finished_at: Union[str, None]


class BegunLogin(TypedDict):
    # URL of the page where the person logs in and grants access.
    authorization_url: str
    # URL to which the login page redirects the browser, with the parameters `code` and `state`.
    redirect_uri: str
    # Time by which the login must be finished.
    expires_at: str


class Budget(TypedDict):
    id: str
    # Scope of the budget: only calls within it count.
    scope: Literal["account", "managed_agent", "api_key", "flow"]
    scope_id: Union[str, None]
    model_alias: Union[str, None]
    # Period after which the spent amount is reset to zero; weeks begin on Monday.
    period: Literal["hourly", "daily", "weekly", "monthly", "yearly", "all_time"]
    # IANA name of the time zone in which days, weeks, months and years begin, such as
    # Europe/Berlin; UTC unless set. Hourly periods always begin on the hour in UTC.
    time_zone: str
    limit_amount: float
    currency: Literal["USD"]
    hard: bool
    # How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs,
    # earlier responses, provider tools): `hold` (default) reserves the cost of the largest
    # possible input until the call ends, and `refuse` refuses the call.
    unsized_calls: Literal["hold", "refuse"]
    thresholds_percent: List[int]
    enabled: bool
    # Start of the current period; null for `all_time`.
    period_start: Union[str, None]
    # End of the current period; null for `all_time`.
    period_end: Union[str, None]
    # US dollars spent on finished calls in the period.
    spent_amount: float
    # Amount reserved for calls in flight: the sum of their maximum costs, in US dollars.
    reserved_amount: float
    # Spent amount as a percentage of the limit, never rounded up.
    percent_used: float
    created_at: str
    updated_at: str


class BudgetPage(TypedDict):
    items: List[Budget]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class CancelApprovalRequest(TypedDict, total=False):
    # Comment; visible to the caller of the tool call, and to the webhooks and chat channels that
    # receive the decision.
    comment: Union[str, None]


class ChangePasswordRequest(TypedDict):
    current_password: str
    # 8 to 200 characters; common passwords and the user’s own name are refused.
    new_password: str


class _CheckPermissionRequestRequired(TypedDict):
    # Name of the tool on its server.
    tool_name: str


class CheckPermissionRequest(_CheckPermissionRequestRequired, total=False):
    # Server of the tool; default "local".
    server: str
    # Arguments of the call, as the tool would receive them; default {}.
    arguments: Any
    # The agent’s reason for the call, shown to approvers.
    reasoning: Union[str, None]
    runtime_session_id: Union[str, None]
    execution_id: Union[str, None]
    # Whether the caller can show the returned notes to its agent; default true.
    takes_operator_notes: bool
    # Maximum number of seconds that the response may wait for an approval; default 0.
    wait_seconds: int


class ConnectToolServerRequest(TypedDict, total=False):
    # Client id of this service at the authorization server. If it is omitted, the service registers
    # itself there (RFC 7591).
    client_id: str
    # Client secret; stored encrypted and never returned.
    client_secret: str
    # Scopes, separated by spaces; default: the scopes that the tool server requests or, if it
    # requests none, supports.
    scope: str
    # URL to which the browser is redirected after the login. Default: the console. Command-line
    # programs use a loopback address (http://127.0.0.1:PORT/...).
    redirect_uri: str


class _CreateAgentRequestRequired(TypedDict):
    # Kind of agent: claude_code, codex, or a custom name.
    agent_kind: str
    # Display name of the agent.
    display_name: str


class CreateAgentRequest(_CreateAgentRequestRequired, total=False):
    session_source_type: Union[str, None]
    session_source_id: Union[str, None]
    owner_user_id: Union[str, None]
    tags: List[str]


class _CreateAiModelRequestRequired(TypedDict):
    # Name that clients send in the field `model`; unique in the account.
    alias: str
    # Provider of the model; generic_compatible is any OpenAI-compatible API.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    # Name of the model at its provider.
    model_identifier: str


class CreateAiModelRequest(_CreateAiModelRequestRequired, total=False):
    # https base URL of the API including its version. Optional for openai and anthropic.
    base_url: str
    # API key of the provider; stored encrypted and never returned. An empty string or null removes
    # it.
    api_key: Union[str, None]
    # Prices set by the account; null: prices of the catalog.
    prices: Union[ModelPrices, None]
    # Maximum output tokens of a call; null: unknown.
    max_output_tokens: Union[int, None]
    # Models to try in this order if the call fails; at most three.
    fallback_model_ids: List[str]
    # Whether this is the default model. True replaces the current default.
    is_default: bool
    # False: calls to the model are refused.
    enabled: bool


class _CreateApiKeyRequestRequired(TypedDict):
    name: str


class CreateApiKeyRequest(_CreateApiKeyRequestRequired, total=False):
    expires_at: Union[str, None]
    # Permissions that the key is limited to, at most those of the caller. Null: all permissions of
    # its owner; an empty list: none. The key can create and revoke keys only if this list contains
    # `manage_api_keys`; null does not grant that.
    scopes: Union[List[Permission], None]
    runtime_principal: Union[CreateApiKeyRequestRuntimePrincipal, None]
    limits: Union[KeyLimits, None]


class _CreateApprovalWorkflowRequestRequired(TypedDict):
    # Unique in the account.
    name: str


class CreateApprovalWorkflowRequest(_CreateApprovalWorkflowRequestRequired, total=False):
    description: str
    # Users who are asked to decide. If no users or roles are set, everyone who may decide approvals
    # is asked.
    approver_user_ids: List[str]
    # Roles whose users are asked to decide.
    approver_roles: List[str]
    # Number of approvals by different people that a request needs; a single decline declines the
    # request.
    quorum: int
    # Seconds after which an undecided request expires.
    expires_seconds: int
    # Maximum seconds that a call waits for its approval on an open connection.
    approval_wait_seconds: int
    # Whether a decision needs a comment.
    require_comment: bool
    # Whether the requester may decide their own request.
    allow_self_approval: bool
    # Seconds after which the users in escalation_user_ids may also decide.
    escalate_after_seconds: Union[int, None]
    # Users who are asked if nobody has decided after escalate_after_seconds.
    escalation_user_ids: List[str]
    # Receivers of the requests and of their outcomes.
    channel_configs: List[CreateApprovalWorkflowRequestChannelConfigsItem]
    # Older format that names a single receiver.
    approval_config: CreateApprovalWorkflowRequestApprovalConfig
    # Whether approvers receive email; null: yes if the deployment sends email (MAIL_FROM).
    email: Union[bool, None]
    # Whether this workflow handles calls whose rule names no workflow. If true, this workflow
    # replaces the previous default workflow.
    is_default: bool
    # ai_first: a model is asked before people, unless the rule sets human_only.
    mode: Literal["human", "ai_first"]
    ai_model_id: Union[str, None]
    # Instructions for the model.
    ai_guidelines: str
    # Minimum confidence for the model’s decision to take effect; default 0.8.
    ai_confidence_threshold: float


class _CreateBudgetRequestRequired(TypedDict):
    # Scope of the budget: only calls within it count.
    scope: Literal["account", "managed_agent", "api_key", "flow"]
    # Period after which the spent amount is reset to zero; weeks begin on Monday.
    period: Literal["hourly", "daily", "weekly", "monthly", "yearly", "all_time"]
    # US dollars, at most six decimals.
    limit_amount: float


class CreateBudgetRequest(_CreateBudgetRequestRequired, total=False):
    # Id of the key, flow or agent; null for the account.
    scope_id: Union[str, None]
    # Alias of the model whose calls are counted; null: all models.
    model_alias: Union[str, None]
    # IANA name of the time zone in which days, weeks, months and years begin, such as
    # Europe/Berlin; UTC unless set. Hourly periods always begin on the hour in UTC.
    time_zone: str
    currency: Literal["USD"]
    # Whether calls that would exceed the limit are refused; default true.
    hard: bool
    # How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs,
    # earlier responses, provider tools): `hold` (default) reserves the cost of the largest
    # possible input until the call ends, and `refuse` refuses the call.
    unsized_calls: Literal["hold", "refuse"]
    # Percentages of the limit. For each percentage, one alert is sent per period when spend reaches
    # it; default [80].
    thresholds_percent: List[int]
    # False: the budget still counts spend but does not refuse calls or send alerts.
    enabled: bool


class _CreateEndpointRequestRequired(TypedDict):
    # URL of the endpoint: absolute http or https, at most 2048 characters, without credentials or
    # fragment.
    url: str


class CreateEndpointRequest(_CreateEndpointRequestRequired, total=False):
    # Optional description.
    description: str
    # Group of endpoints; null for none.
    group: Union[str, None]
    # Event types to receive; empty means every v1 event. See the catalog.
    event_types: List[str]
    # Whether the first KiB of the receiver’s response to each attempt is stored, with credentials
    # masked.
    keep_answers: bool


class _CreateEnrollmentRequestRequired(TypedDict):
    # How the agent was enrolled: cli, manual, or a custom name.
    enrollment_type: str


class CreateEnrollmentRequest(_CreateEnrollmentRequestRequired, total=False):
    adapter_key: Union[str, None]
    target_config_path: Union[str, None]
    # State of the enrollment; default pending.
    status: Literal["pending", "applied", "validated"]
    # Whether the agent’s model calls go through the gateway.
    gateway_routed: bool
    # Whether the agent reaches its tool servers through the service.
    mcp_rewritten: bool
    # Number of tool servers in the agent’s configuration.
    mcp_server_count: int
    candidate_id: Union[str, None]


class _CreateFlowRequestRequired(TypedDict):
    # Unique in the account.
    name: str
    # Prompt template with placeholders such as {{trigger_event.payload.repository.name}} and the
    # filter |truncate(N).
    prompt_template: str
    # Kind of agent: a command, or the built-in agent.
    agent_type: Literal["command", "builtin"]


class CreateFlowRequest(_CreateFlowRequestRequired, total=False):
    # Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for
    # "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of
    # "env" are stored encrypted and returned as "[hidden]". An update keeps values that are
    # omitted or sent back as "[hidden]"; null removes a value. {{secret.NAME}} in a value refers
    # to a named secret.
    agent_config: Dict[str, Any]
    description: Union[str, None]
    # Whether the flow can be started. Triggers of a disabled flow are refused with 409. Default
    # true.
    is_enabled: bool
    # Trigger that starts the flow, in addition to manual starts. Default manual.
    trigger: Literal["manual", "webhook", "tracker", "schedule"]
    ai_model_id: Union[str, None]
    # Tools that a built-in agent may call: tools of the workspace, and tools at `/mcp/v1` by their
    # names there or by a prefix followed by `*`. If the list is empty, the agent may call all
    # tools of the workspace, including `run_shell`, and none at `/mcp/v1`.
    allowed_tools: List[str]
    webhook_config: Union[WebhookConfig, None]
    tracker_config: Union[TrackerConfig, None]
    schedule_config: Union[ScheduleConfig, None]
    git_clone_config: Union[GitCloneConfig, None]
    # Shell commands that run before the agent. {{secret.NAME}} is replaced by a shell variable that
    # contains that secret.
    setup_commands: List[str]
    # Time limit of one run, in seconds. Default 3600.
    timeout_seconds: int
    evidence: Union[EvidenceConfig, None]
    reporting: Union[ReportingConfig, None]
    # Hosts that programs of a run may reach in addition to the API: "host", "host:port", "*.host",
    # or "*" for all public hosts. Without a port: 80 and 443. Default: none.
    network_allow: List[str]
    network_secrets: Union[List[NetworkSecret], None]


class CreateListenerRequest(TypedDict, total=False):
    # Optional description.
    description: str
    # Event types to listen to; empty means every v1 event. See the catalog.
    event_types: List[str]


class _CreateNoticeChannelRequestRequired(TypedDict):
    # Service that shows the notices.
    kind: Literal["slack", "teams", "ntfy"]
    # Slack: the URL of an incoming webhook. Teams: the URL of a workflow that posts a card when it
    # receives a webhook request. ntfy: the URL of a topic.
    url: str


class CreateNoticeChannelRequest(_CreateNoticeChannelRequestRequired, total=False):
    # Optional description, such as the name of the Slack channel.
    description: str
    # Notices that are posted. Default: notices about new approval requests, about budgets that
    # reach a threshold or are used up, and about endpoints whose deliveries fail.
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]
    # Access token of ntfy, sent as a bearer token. It is never returned.
    token: str


class _CreatePortalLinkRequestRequired(TypedDict):
    # Group of endpoints that the holder of the link sees and manages.
    group: str
    # Event types to which the endpoints of the portal may subscribe. See the catalog.
    event_types: List[str]


class CreatePortalLinkRequest(_CreatePortalLinkRequestRequired, total=False):
    # Origins of the pages that may contain the portal in a frame, for example
    # `https://app.example.com`. Empty: no page may.
    frame_origins: List[str]


class _CreatePushSubscriptionRequestRequired(TypedDict):
    # `endpoint` of the subscription that the browser created.
    url: str
    keys: CreatePushSubscriptionRequestKeys
    # Notices that are pushed to the browser. A notice is pushed only if you may read its subject,
    # such as the approval request.
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]


class CreatePushSubscriptionRequest(_CreatePushSubscriptionRequestRequired, total=False):
    # Name of the browser.
    description: str


class CreateRoleRequest(TypedDict):
    # Unique in the account; stored in lower case.
    name: str
    permissions: List[Literal["manage_users", "view_runtime_sessions", "manage_runtime_sessions", "search_session_content", "manage_budgets", "view_policies", "manage_policies", "view_flows", "create_flows", "edit_flows", "delete_flows", "execute_flows", "view_trackers", "manage_trackers", "view_approvals", "decide_approvals", "manage_approval_workflows", "view_agents", "manage_agents", "control_managed_agent", "view_audit_logs", "view_ai_models", "manage_ai_models", "view_cost", "manage_kill_switch", "report_discovery"]]


class _CreateSavedSearchRequestRequired(TypedDict):
    # Unique among your saved searches; 1 to 120 characters.
    name: str
    # Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512
    # characters.
    query: str


class CreateSavedSearchRequest(_CreateSavedSearchRequestRequired, total=False):
    # Default keyword.
    mode: Literal["keyword", "semantic", "hybrid"]
    filters: SearchFilters
    # Maximum number of snippets per session; default 3.
    max_snippets_per_session: int
    # Default true.
    include_snippet_text: bool
    # Visibility: only the owner (default), or the account.
    visibility: Literal["private", "account"]


class _CreateToolServerRequestRequired(TypedDict):
    # Name of the server, part of the names of its tools; unique in the account.
    name: str


class CreateToolServerRequest(_CreateToolServerRequestRequired, total=False):
    # https URL of the server; a query is allowed.
    url: str
    # Command of a server with the transport stdio, given instead of `url`; an update replaces the
    # whole object.
    command: ToolServerCommand
    # Transport: HTTP, or a program that a flow worker runs.
    transport: Literal["streamable_http", "stdio"]
    # Headers sent with each request; stored encrypted and never returned. An empty object or null
    # removes them.
    headers: Union[Dict[str, str], None]
    # False: the tools of the server are not offered.
    enabled: bool


class _CreateTrackerRequestRequired(TypedDict):
    # Name that agents use for the connection in tool calls; unique in the account.
    name: str
    # Kind of tracker; it cannot be changed later.
    kind: Literal["github", "gitlab", "jira", "linear"]
    # Access token for the tracker; stored encrypted and never returned.
    token: str


class CreateTrackerRequest(_CreateTrackerRequestRequired, total=False):
    # https base URL of a self-hosted tracker. Default: api.github.com, gitlab.com or
    # api.linear.app; required for Jira.
    base_url: str
    # Email address of the token’s owner, for Jira Cloud. If it is omitted, the server is assumed to
    # run Jira Data Center.
    username: Union[str, None]
    # Repositories and projects that flows and agents may use; "acme/*" includes everything below
    # "acme". Empty: all that the token can access.
    repositories: List[str]


class _CreateUserRequestRequired(TypedDict):
    # Letters, digits, dot, underscore and dash; unique, ignoring case.
    username: str
    # Unique, ignoring case.
    email: str
    # Name of a system role or of a custom role of the account.
    role: str


class CreateUserRequest(_CreateUserRequestRequired, total=False):
    password: Union[str, None]
    full_name: Union[str, None]


class CreatedApiKey(TypedDict):
    id: str
    name: str
    # Last four characters of the key.
    hint: str
    scopes: Union[List[str], None]
    user_id: str
    # The key with which this one was created; when that key is revoked or expires, this one stops
    # working as well.
    parent_id: Union[str, None]
    runtime_principal: Any
    # Keys of the kind `key` act on behalf of their owner. The other kinds can be used only for the
    # operations whose `x-credential-kinds` include them.
    kind: Literal["key", "agent_key", "discovery_key"]
    # Maximum permissions of a key of this kind, regardless of what its owner and scopes allow.
    # Null: the kind does not limit the permissions.
    most_permissions: Union[List[str], None]
    # Limits of the key: its models, calls and tokens. Null: no limits.
    limits: Union[CreatedApiKeyLimits, None]
    # Usage in the current minute and day (UTC), including reservations of calls in flight. Null: no
    # limits.
    limits_used: Union[CreatedApiKeyLimitsUsed, None]
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    created_at: str
    # The API key, returned only once.
    key: str


class CreatedEndpoint(TypedDict):
    # The endpoint.
    id: str
    # Receiver URL.
    url: str
    # Optional description.
    description: str
    # Group of endpoints for which portal links can be created.
    group: Union[str, None]
    # Empty means every v1 event.
    event_types: List[str]
    # Whether deliveries are sent; if false, they are held.
    active: bool
    # Whether the first KiB of the receiver’s response to each attempt is stored, with credentials
    # masked.
    keep_answers: bool
    source: Literal["account", "approval_workflow"]
    # Last four characters of the secret.
    secret_hint: Union[str, None]
    circuit_state: Literal["closed", "open", "half_open"]
    # No attempt is made before this time.
    circuit_open_until: Union[str, None]
    consecutive_failures: int
    # Why the service currently refuses new events for this endpoint.
    refusal_reason: Union[str, None]
    # When an event was last refused, to the minute; null if refusal_reason is null.
    refused_at: Union[str, None]
    # delivered, failed (will be retried) or dead.
    last_delivery_status: Union[str, None]
    # When the last attempt ended.
    last_delivery_at: Union[str, None]
    # HTTP status of the last attempt; null if there was no response.
    last_response_status: Union[int, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]
    # When the endpoint was registered.
    created_at: str
    # When the endpoint was last changed.
    updated_at: str
    # Signing secret, returned only in this response.
    secret: str


class CreatedListener(TypedDict):
    # The listener.
    id: str
    # Optional description.
    description: str
    # Empty means every v1 event.
    event_types: List[str]
    # Last four characters of the secret.
    secret_hint: Union[str, None]
    # When it was created.
    created_at: str
    # Last time at which a stream was open, accurate to within a minute.
    seen_at: str
    # Signing secret, returned only in this response.
    secret: str


class CreatedPortalLink(TypedDict):
    # The portal link.
    id: str
    # Group of endpoints that the holder of the link sees and manages.
    group: str
    # Event types to which the endpoints of the portal may subscribe. See the catalog.
    event_types: List[str]
    # Origins of the pages that may contain the portal in a frame, for example
    # `https://app.example.com`. Empty: no page may.
    frame_origins: List[str]
    # When it was created.
    created_at: str
    # When it ends.
    expires_at: str
    # URL of the portal. The fragment of the URL is the token: anyone who has the URL can use the
    # portal.
    url: str
    # Token with which the portal calls the API. It is returned only in this response.
    token: str


class _CreatedUserRequired(TypedDict):
    id: str
    account_id: str
    username: str
    email: str
    full_name: Union[str, None]
    role: str
    permissions: List[Permission]
    is_active: bool
    # True until the user accepts the invitation and chooses a password.
    is_invited: bool
    created_at: str


class CreatedUser(_CreatedUserRequired, total=False):
    # The invitation, returned only once. Anyone who has the invitation can choose the password of
    # the user.
    invitation: CreatedUserInvitation


class CredentialSighting(TypedDict):
    runtime_session_id: str
    # Title with credentials masked.
    session_title: Union[str, None]
    source_kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log", "session_summary"]
    source_id: str
    # Time of the content according to its source; if the source states none, the time at which the
    # content was stored.
    occurred_at: str
    # Name of the rule that recognized the credential.
    rule: str
    first_seen_at: str
    last_seen_at: str


class CredentialSightingPage(TypedDict):
    items: List[CredentialSighting]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class _DecideApprovalRequestRequired(TypedDict):
    # The person’s decision.
    decision: Literal["approve", "decline"]


class DecideApprovalRequest(_DecideApprovalRequestRequired, total=False):
    # Comment; visible to the caller of the tool call, and to the webhooks and chat channels that
    # receive the decision.
    comment: Union[str, None]


class DeletionJob(TypedDict):
    id: str
    status: Literal["running", "finished"]
    dry_run: bool
    # Number of matching sessions found so far.
    matched: int
    # Number of deleted sessions; 0 for a dry run.
    deleted: int
    # Numbers of matching sessions that are not deleted, by reason.
    kept: DeletionJobKept
    created_at: str
    finished_at: Union[str, None]


class DeliveredNote(TypedDict):
    # Id of the note; a note that is delivered twice has the same id.
    id: str
    # Text of the note as it was written.
    text: str
    # Text for the agent: the note inside a tag that the note’s own text cannot close.
    framed: str
    author: DeliveredNoteAuthor
    created_at: str
    expires_at: Union[str, None]


class Delivery(TypedDict):
    # The delivery.
    id: str
    # Id of the event; the same on every retry and replay.
    event_id: str
    event_type: str
    # The endpoint.
    endpoint_id: str
    # 1 for original deliveries; each replay or recovery has the next number.
    generation: int
    # State of the delivery.
    status: Literal["pending", "delivered", "dead", "cancelled"]
    attempt_count: int
    # When the next attempt is due; null once the delivery is finished.
    next_attempt_at: Union[str, None]
    # When the event happened.
    occurred_at: str
    # When the delivery was queued.
    created_at: str
    # When the endpoint accepted the delivery.
    delivered_at: Union[str, None]
    # HTTP status of the last attempt.
    response_status: Union[int, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]


class DeliveryDetails(TypedDict):
    # The delivery.
    id: str
    # Id of the event; the same on every retry and replay.
    event_id: str
    event_type: str
    # The endpoint.
    endpoint_id: str
    # 1 for original deliveries; each replay or recovery has the next number.
    generation: int
    # State of the delivery.
    status: Literal["pending", "delivered", "dead", "cancelled"]
    attempt_count: int
    # When the next attempt is due; null once the delivery is finished.
    next_attempt_at: Union[str, None]
    # When the event happened.
    occurred_at: str
    # When the delivery was queued.
    created_at: str
    # When the endpoint accepted the delivery.
    delivered_at: Union[str, None]
    # HTTP status of the last attempt.
    response_status: Union[int, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]
    # Why the delivery is held although it may be due; null if it is not held.
    held_because: Union[Literal["endpoint_inactive", "breaker_open"], None]
    # When the breaker allows a probe; null if unknown.
    held_until: Union[str, None]
    # State changes of the circuit breaker during the lifetime of the delivery, oldest first,
    # preceded by the last change before the delivery was created.
    breaker_history: List[DeliveryDetailsBreakerHistoryItem]
    attempts: List[DeliveryDetailsAttemptsItem]


class DeliveryPage(TypedDict):
    items: List[Delivery]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class _DeploymentRequired(TypedDict):
    # Edition of the deployment.
    edition: Literal["oss", "cloud", "enterprise"]
    # Version of this build.
    version: str
    # Whether anyone may currently register an account.
    registration_enabled: bool


class Deployment(_DeploymentRequired, total=False):
    # Whether the bodies of model calls are stored. Only for authenticated callers.
    content_capture: bool
    # Whether accounts can use semantic search. Only for authenticated callers.
    embedding_enabled: bool
    # Whether the caller’s account operates the deployment; if so, user administrators of the
    # account may read the health of the deployment. Only for authenticated callers.
    operated_by_account: bool


class DeploymentHealth(TypedDict):
    # When these figures were read.
    checked_at: str
    # Queues of work in the database, for all accounts.
    queues: List[DeploymentHealthQueuesItem]
    # Messages in the broker. The work itself is stored in the database; a message only makes it
    # start sooner.
    messages: List[DeploymentHealthMessagesItem]
    # Apps of the service; an app without connections is not running or cannot reach the database.
    processes: List[DeploymentHealthProcessesItem]
    # The primary database server; null if its figures are unknown.
    database: Union[DeploymentHealthDatabase, None]
    # The replica for reads; null if there is none.
    replica: Union[DeploymentHealthReplica, None]


class DiscoveryCandidate(TypedDict):
    id: str
    # Hash that identifies the workstation.
    workstation_fingerprint: str
    # Kind of agent: claude_code, codex, or a custom name.
    agent_kind: str
    # Hash of the path of the agent’s configuration, with the home folder written as ~.
    config_path_hash: str
    # Number of tool servers in the agent’s configuration.
    mcp_server_count: int
    agent_version: Union[str, None]
    enrolled: bool
    # Operating system family.
    os_family: Literal["darwin", "linux", "windows", "other"]
    # State of the candidate.
    status: Literal["new", "onboarded", "ignored"]
    # Id of the agent as which the candidate was registered.
    agent_id: Union[str, None]
    # When the candidate was first reported.
    first_seen_at: str
    # When the candidate was last reported.
    last_seen_at: str


class DiscoveryCandidatePage(TypedDict):
    items: List[DiscoveryCandidate]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class DiscoverySalt(TypedDict):
    # HMAC-SHA256 key for the hashes in reports from workstations. The key belongs to the account
    # and never changes.
    salt: str


class DiscoverySetting(TypedDict):
    # Whether reports from workstations are accepted.
    enabled: bool


class DueTimes(TypedDict):
    items: List[DueTimesItemsItem]


class EmbeddingSetting(TypedDict):
    enabled: bool
    scope: Literal["summaries_only", "full"]
    # Provider of the embeddings.
    provider: Union[Literal["generic_compatible"], None]
    # Name of the model.
    model_identifier: Union[str, None]
    # Endpoint of the provider.
    base_url: Union[str, None]
    # Number of dimensions of the vectors of the current model; null until this model has been used
    # once.
    dimensions: Union[int, None]
    # Daily cap set by the account; null if the deployment default applies.
    daily_cap_usd: Union[float, None]
    # Daily cap of the deployment in US dollars, which applies if the account has not set a cap.
    deployment_daily_cap_usd: float
    # Whether embedding is enabled in this deployment.
    deployment_embedding_enabled: bool
    # Whether an API key of the provider is stored.
    has_api_key: bool
    # US dollars spent on embeddings since midnight UTC, including amounts reserved for calls whose
    # cost is not known yet.
    spent_today_usd: float
    # Why embedding has stopped; null if it has not.
    degraded_reason: Union[str, None]
    # When embedding stopped for this reason.
    degraded_at: Union[str, None]
    corpus: EmbeddingSettingCorpus


class Endpoint(TypedDict):
    # The endpoint.
    id: str
    # Receiver URL.
    url: str
    # Optional description.
    description: str
    # Group of endpoints for which portal links can be created.
    group: Union[str, None]
    # Empty means every v1 event.
    event_types: List[str]
    # Whether deliveries are sent; if false, they are held.
    active: bool
    # Whether the first KiB of the receiver’s response to each attempt is stored, with credentials
    # masked.
    keep_answers: bool
    source: Literal["account", "approval_workflow"]
    # Last four characters of the secret.
    secret_hint: Union[str, None]
    circuit_state: Literal["closed", "open", "half_open"]
    # No attempt is made before this time.
    circuit_open_until: Union[str, None]
    consecutive_failures: int
    # Why the service currently refuses new events for this endpoint.
    refusal_reason: Union[str, None]
    # When an event was last refused, to the minute; null if refusal_reason is null.
    refused_at: Union[str, None]
    # delivered, failed (will be retried) or dead.
    last_delivery_status: Union[str, None]
    # When the last attempt ended.
    last_delivery_at: Union[str, None]
    # HTTP status of the last attempt; null if there was no response.
    last_response_status: Union[int, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]
    # When the endpoint was registered.
    created_at: str
    # When the endpoint was last changed.
    updated_at: str


class EndpointPage(TypedDict):
    items: List[Endpoint]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class Enrollment(TypedDict):
    # The enrollment.
    id: str
    # The enrolled agent.
    agent_id: str
    enrollment_type: str
    adapter_key: Union[str, None]
    target_config_path: Union[str, None]
    # State of the enrollment; `restored` is a final state.
    status: Literal["pending", "applied", "validated", "failed", "restored"]
    # Whether the agent’s model calls go through the gateway.
    gateway_routed: bool
    # Whether the agent reaches its tool servers through the service.
    mcp_rewritten: bool
    # Number of tool servers in the agent’s configuration.
    mcp_server_count: int
    candidate_id: Union[str, None]
    message: Union[str, None]
    # When the enrollment was first validated.
    onboarded_at: Union[str, None]
    created_at: str
    updated_at: str


class EnrollmentPage(TypedDict):
    items: List[Enrollment]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ErrorBody(TypedDict):
    detail: ErrorBodyDetail
    request_id: str


class EventCatalogue(TypedDict):
    version: str
    event_types: List[EventCatalogueEventTypesItem]
    signature_header: str
    # All headers and their meaning.
    headers: Dict[str, str]
    tolerance_seconds: int
    max_attempts: int
    retry_delays_seconds: List[int]
    # Time limit of an attempt; an attempt that takes longer has failed.
    timeout_seconds: float
    success: str


class EvidenceConfig(TypedDict):
    enabled: bool
    paths: List[str]


class Execution(TypedDict):
    id: str
    flow_id: str
    flow_name: str
    # Status of the execution.
    status: Literal["PENDING", "INITIALIZING", "RUNNING", "SUCCEEDED", "FAILED", "STOPPED"]
    failure_category: Union[Literal["setup_failed", "workspace_rejected", "agent_error", "tool_error", "model_error", "timeout", "cancelled", "runner_error", "unknown"], None]
    error_message: Union[str, None]
    trigger_type: str
    # Copy of the data of the trigger; file contents are redacted.
    trigger_event_details: Any
    resolved_input_prompt: Union[str, None]
    runtime_session_id: Union[str, None]
    result: Any
    evidence_receipt: Any
    created_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class ExecutionPage(TypedDict):
    items: List[Execution]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ExportAuditLogQuery(TypedDict, total=False):
    # Number of a seal that has already been exported; only later seals are exported. Default: all
    # seals that retention has not removed are exported.
    after: int


class _FinishToolServerLoginRequestRequired(TypedDict):
    # The `state` parameter that `redirect_uri` received.
    state: str


class FinishToolServerLoginRequest(_FinishToolServerLoginRequestRequired, total=False):
    # The `code` parameter that `redirect_uri` received.
    code: str
    # The `iss` parameter that `redirect_uri` received, if any (RFC 9207).
    iss: str
    # The `error` parameter that `redirect_uri` received in place of a code.
    error: str


class Flow(TypedDict):
    id: str
    name: str
    description: Union[str, None]
    is_enabled: bool
    trigger: str
    prompt_template: str
    ai_model_id: Union[str, None]
    agent_type: str
    # Values of `env` are "[hidden]". For callers without edit_flows, `command` is hidden as well.
    agent_config: Any
    allowed_tools: List[str]
    webhook_config: Union[FlowWebhookConfig, None]
    # Tracker whose events start the flow.
    tracker_config: Union[FlowTracker, None]
    schedule_config: Union[ScheduleConfig, None]
    # The URL is returned without user and password; `credentials` says whether they are stored.
    git_clone_config: Any
    # Each value is "[hidden]" for callers without edit_flows.
    setup_commands: List[str]
    timeout_seconds: int
    evidence: Any
    reporting: Union[ReportingConfig, None]
    network_allow: List[str]
    network_secrets: Union[List[NetworkSecret], None]
    created_at: str
    updated_at: str


class FlowArrival(TypedDict):
    id: str
    flow_id: str
    received_at: str
    # Whether the request started an execution, matched an earlier request, or was ignored.
    outcome: Literal["accepted", "deduplicated", "ignored"]
    reason: Union[str, None]
    # The event as passed to the run: name, event, action, delivery_id, headers.
    source: Any
    # Payload with credentials masked; null if it is larger than 128 KiB, in which case it is not
    # stored.
    payload: Any
    execution_id: Union[str, None]
    resent_from: Union[str, None]


class FlowArrivalPage(TypedDict):
    items: List[FlowArrival]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class FlowPage(TypedDict):
    items: List[Flow]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class FlowSchedule(TypedDict):
    flow_id: str
    flow_name: str
    # Schedule on which the flow starts, in addition to its trigger.
    schedule_config: ScheduleConfig
    # State of the schedule. Only an active schedule has further due times; `over` means that the
    # last due time of the schedule has passed.
    state: Literal["active", "paused", "disabled", "over"]
    paused_at: Union[str, None]
    # The next due times, at most five; empty unless the schedule is active.
    next_due_times: List[FlowScheduleNextDueTimesItem]
    queued_due_at: Union[str, None]
    last_due_at: Union[str, None]
    last_outcome: Union[Literal["started", "queued", "skipped", "missed"], None]
    last_execution_id: Union[str, None]


class FlowSchedulePage(TypedDict):
    items: List[FlowSchedule]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class FlowSecret(TypedDict):
    name: str
    created_at: str
    # When the value was last set.
    updated_at: str


class FlowSecretPage(TypedDict):
    items: List[FlowSecret]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class FlowTemplates(TypedDict):
    items: List[FlowTemplatesItemsItem]


class FlowTracker(TypedDict):
    tracker_id: str
    repository: str
    registration: FlowTrackerRegistration


class _FoundSessionRequired(TypedDict):
    runtime_session_id: str
    url: Union[str, None]
    session_source_type: str
    session_source_id: str
    session_reference: Union[str, None]
    title: Union[str, None]
    started_at: str
    last_activity_at: str
    ended_at: Union[str, None]
    score: float
    match_reason: Literal["keyword", "semantic", "both", "identifier"]
    keyword_score: Union[float, None]
    similarity: Union[float, None]
    matched_chunk_count: int
    first_match_at: Union[str, None]
    last_match_at: Union[str, None]
    snippets: List[SearchSnippet]


class FoundSession(_FoundSessionRequired, total=False):
    explain: FoundSessionExplain


class _GitCloneConfigRequired(TypedDict):
    # URL of the repository, which is cloned before the `workspace_files` of the trigger are
    # written. A user and password in the URL are stored encrypted and never returned;
    # {{secret.NAME}} can be used in their place.
    repository_url: str


class GitCloneConfig(_GitCloneConfigRequired, total=False):
    credentials: Union[Literal["[hidden]"], None]
    branch: str
    # Number of commits to fetch.
    depth: int
    # Path of the folder in the workspace for the cloned repository; no segment may be .git.
    clone_path: str


class Health(TypedDict):
    status: Literal["healthy", "degraded", "unhealthy"]
    checks: HealthChecks
    # Version of this build.
    version: str


class IgnoredWebhook(TypedDict):
    status: Literal["ignored"]
    flow_id: str
    # Why nothing is started: the request is not an event (for example, it is a ping), has an event
    # type that the flow does not listen to, or is excluded by the filter.
    reason: str
    event: Union[str, None]
    # Id of the request in the list of arrivals.
    arrival_id: str


class ImportSessionsQuery(TypedDict, total=False):
    # Format of the file; detected from its first lines if omitted.
    format: Literal["claude_code", "codex", "gemini_cli", "opencode", "cursor", "openai_chat", "anthropic_messages", "vercel_ui", "langsmith", "steward"]
    # Source id of the session for entries whose session the file does not name. Session ids in the
    # file take precedence.
    session_source_id: str
    # Time at which the sessions ended. The sessions are marked as ended at this time; no event is
    # emitted.
    ended_at: str
    # Labels to add to the sessions, in addition to those in the file.
    label: List[str]
    # Whether to read and count the entries without storing them.
    dry_run: bool


class ImportSummary(TypedDict):
    # Detected format; null if the file was not recognized.
    format: Union[str, None]
    # Number of lines or JSON values read.
    records: int
    # Number of sessions with entries in the file.
    sessions: int
    # Number of these sessions that the import created.
    created: int
    # Number of entries that were stored or, in a dry run, read.
    entries: int
    # Number of these entries that a fork copied from another session.
    copied: int
    # Number of existing entries that were replaced because the source changed them.
    replaced: int
    # Number of entries that were already stored.
    skipped: int
    # Number of records that could not be read completely, by kind; a record of an unknown type is
    # counted under this type. `broken` records are not JSON; `too_large` records contain a string
    # that is too long, or too many values (the limits are those of request bodies); `too_long`
    # records are longer than 4194304 characters, not counting base64 data such as images.
    unknown_lines: Dict[str, int]
    # Warnings for the caller.
    warnings: List[str]


class ImportTranscriptRequest(TypedDict):
    # Messages in order.
    messages: List[ImportTranscriptRequestMessagesItem]


class IssuedInvitation(TypedDict):
    # The invitation, returned only once. Anyone who has the invitation can choose the password of
    # the user.
    invitation: IssuedInvitationInvitation


class KeyLimits(TypedDict, total=False):
    # Aliases of the models that the key may call. Null or omitted: all models of the account.
    models: Union[List[str], None]
    # Maximum number of model calls per calendar minute. Null or omitted: no limit.
    calls_per_minute: Union[int, None]
    # Maximum number of model calls per calendar day (UTC). Null or omitted: no limit.
    calls_per_day: Union[int, None]
    # Maximum total number of input and output tokens per calendar minute. Null or omitted: no
    # limit.
    tokens_per_minute: Union[int, None]
    # Maximum total number of input and output tokens per calendar day (UTC). Null or omitted: no
    # limit.
    tokens_per_day: Union[int, None]


class KillSwitch(TypedDict):
    # Whether the agents of the account are stopped.
    engaged: bool
    reason: Union[str, None]
    changed_at: Union[str, None]
    changed_by: Union[KillSwitchChangedBy, None]


class ListAgentsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Kind of agent: claude_code, codex, or a custom name.
    agent_kind: str
    # Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history
    # is retained.
    lifecycle_state: Literal["active", "suspended", "retired"]
    # Only agents with this tag.
    tag: str
    # Only agents whose name contains this string, ignoring case.
    q: str


class ListAiModelsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only the model with exactly this alias.
    alias: str
    # Provider of the model; generic_compatible is any OpenAI-compatible API.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    enabled: bool


class ListApiKeysQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListApprovalRequestsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Every status except pending is final.
    status: Literal["pending", "approved", "declined", "expired", "cancelled"]
    # Only requests of this workflow.
    workflow_id: str
    # Only requests of this agent.
    managed_agent_id: str
    # Only requests of this execution.
    execution_id: str
    # Only requests of this session.
    runtime_session_id: str
    # Only pending requests that you may decide and have not voted on.
    mine: bool


class ListApprovalWorkflowsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListAuditEntriesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only entries with this action, for example query, create or login.
    action: str
    # Kind of resource the action applied to: account, agent_enrollment, ai_model, api_key,
    # approval_request, approval_workflow, audit_log, budget, credential_sighting,
    # discovery_candidate, discovery_setting, embedding_setting, event_webhook_delivery,
    # event_webhook_endpoint, event_webhook_listener, event_webhook_portal_link, flow,
    # flow_execution, flow_secret, kill_switch, managed_agent, mcp_server, notice_channel,
    # operator_note, policy, push_subscription, role, runtime_session, runtime_session_deletion,
    # saved_search, session_search, session_search_grants, similar_session, title_setting, tool,
    # tracker, user.
    resource_type: str
    status: Literal["success", "denied", "failure"]
    # Start of the range, inclusive.
    since: str
    # End of the range, exclusive.
    until: str


class ListBudgetsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class _ListCredentialSightingsRequestRequired(TypedDict):
    # The credential to search for. It is not stored or logged.
    value: str


class ListCredentialSightingsRequest(_ListCredentialSightingsRequestRequired, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListDeadLettersQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only deliveries to this endpoint.
    endpoint_id: str
    # Only deliveries of this event.
    event_id: str
    # Only this event type.
    event_type: str
    # Only deliveries created at or after this time.
    since: str
    # Only deliveries created before this time.
    until: str


class ListDeliveriesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only deliveries to this endpoint.
    endpoint_id: str
    # Only deliveries of this event.
    event_id: str
    # Only this event type.
    event_type: str
    # Only deliveries created at or after this time.
    since: str
    # Only deliveries created before this time.
    until: str
    # State of the delivery.
    status: Literal["pending", "delivered", "dead", "cancelled"]


class ListDiscoveryCandidatesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # State of the candidate.
    status: Literal["new", "onboarded", "ignored"]


class ListEndpointsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListEnrollmentsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListExecutionLogsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Whether to stream server-sent events until the execution ends.
    follow: Literal["1", "true", "0", "false"]


class ListExecutionVulnerabilitiesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListExecutionsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only executions of this flow.
    flow_id: str
    # Only executions triggered at or after this time.
    since: str
    # Only executions triggered before this time.
    until: str
    # Only executions whose id or flow name contains this string, ignoring case.
    query: str
    # Only executions with this status.
    status: Literal["PENDING", "INITIALIZING", "RUNNING", "SUCCEEDED", "FAILED", "STOPPED"]


class ListFlowArrivalsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListFlowModelsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListFlowToolsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListFlowsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only flows whose name contains this string, ignoring case.
    query: str


class ListListenersQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListLoginsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListNoticeChannelsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListOperatorNotesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only notes in this state.
    state: Literal["pending", "delivered", "expired", "cancelled"]
    # Only notes of this session.
    runtime_session_id: str
    # Only notes for this agent.
    managed_agent_id: str
    # Only notes for this flow execution.
    execution_id: str


class ListPolicyVersionsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListPortalLinksQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListPushSubscriptionsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListRolesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListSavedSearchesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only saved searches with exactly this name, ignoring surrounding white space.
    name: str
    # Only your private searches, or only searches shared with the account.
    visibility: Literal["private", "account"]


class ListSchedulesQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListSessionsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only sessions that are open (true) or ended (false).
    active: bool
    # Only sessions of this agent.
    runtime_principal_id: str
    # Only sessions of this flow.
    flow_id: str
    # Only sessions with this label, `key:value`.
    label: str
    # Only sessions started at or after this time.
    since: str
    # Only sessions started before this time.
    until: str


class ListSimilarSessionsQuery(TypedDict, total=False):
    # Maximum number of sessions; default 10.
    limit: int
    # Number of past days whose content is considered; default: all content.
    window_days: int


class ListToolServersQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListToolsQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListTrackersQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str


class ListUsageQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    model_id: str
    model_alias: str
    # Only calls to this provider.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    endpoint: str
    # Only calls with this status.
    status: Literal["ok", "error", "aborted", "refused"]
    api_key_id: str
    user_id: str
    managed_agent_id: str
    flow_id: str
    execution_id: str
    runtime_session_id: str
    # Start of the range, inclusive.
    since: str
    # End of the range, exclusive.
    until: str


class ListUsersQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Only users whose name or email address contains this string, ignoring case.
    query: str


class Listener(TypedDict):
    # The listener.
    id: str
    # Optional description.
    description: str
    # Empty means every v1 event.
    event_types: List[str]
    # Last four characters of the secret.
    secret_hint: Union[str, None]
    # When it was created.
    created_at: str
    # Last time at which a stream was open, accurate to within a minute.
    seen_at: str


class ListenerPage(TypedDict):
    items: List[Listener]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class Liveness(TypedDict):
    status: Literal["alive"]
    # Version of this build.
    version: str


class LogInRequest(TypedDict):
    # Username or email address.
    username: str
    password: str


class LogLine(TypedDict):
    id: str
    occurred_at: str
    # Step of the run that wrote the line.
    step: Union[str, None]
    level: Union[str, None]
    # One or more lines that were received together.
    text: str


class LogLinePage(TypedDict):
    items: List[LogLine]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class Login(TypedDict):
    id: str
    # Kind of client that stores the refresh token: a browser (as a cookie) or a program.
    kind: Literal["browser", "program"]
    # Name of the client that started the login, as reported by the client.
    client: Union[str, None]
    # Whether the request was made with this login.
    current: bool
    # When it was started.
    created_at: str
    # When the tokens of the login were last refreshed; null if never.
    refreshed_at: Union[str, None]
    # When the login expires unless it is refreshed.
    expires_at: str


class LoginPage(TypedDict):
    items: List[Login]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class MergeAgentsRequest(TypedDict):
    # Id of the duplicate agent, which is merged into this agent.
    duplicate_agent_id: str


class ModelChoice(TypedDict):
    id: str
    # Alias of the model; `ai_model_id` of a flow accepts the alias as well as the id.
    alias: str
    provider: Literal["openai", "anthropic", "generic_compatible"]
    # Name of the model at its provider.
    model_identifier: str
    # Whether flows without `ai_model_id` use this model.
    is_default: bool


class ModelChoicePage(TypedDict):
    items: List[ModelChoice]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class _ModelPricesRequired(TypedDict):
    # US dollars per million tokens of input.
    input_per_mtok_usd: float
    # US dollars per million tokens of output.
    output_per_mtok_usd: float


class ModelPrices(_ModelPricesRequired, total=False):
    # Null: the same price as other input.
    cached_input_per_mtok_usd: Union[float, None]


class ModelTest(TypedDict):
    # Whether the model responded.
    ok: bool
    latency_ms: int
    # Short message about the failure; null on success.
    error: Union[str, None]


class NetworkSecret(TypedDict):
    host: str
    header: str
    # Header value; it can contain {{secret.NAME}}, for example "Bearer {{secret.GITHUB_TOKEN}}".
    value: str


class NextDueTimes(TypedDict):
    # The next due times, at most five.
    next_due_times: List[NextDueTimesNextDueTimesItem]


class NoticeChannel(TypedDict):
    # The channel.
    id: str
    # Service that shows the notices.
    kind: Literal["slack", "teams", "ntfy"]
    # URL to which notices are posted; its path is shown only to users who may change the channel.
    url: str
    # Optional description.
    description: str
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]
    # Whether notices are posted; if false, they are held.
    active: bool
    # Last four characters of the access token; null if there is none.
    token_hint: Union[str, None]
    # State of the circuit breaker.
    circuit_state: Literal["closed", "open", "half_open"]
    # No attempt is made before this time.
    circuit_open_until: Union[str, None]
    consecutive_failures: int
    # Why the service currently refuses new notices for this channel.
    refusal_reason: Union[str, None]
    # delivered, failed (will be retried) or dead.
    last_delivery_status: Union[str, None]
    # When the last attempt ended.
    last_delivery_at: Union[str, None]
    # HTTP status of the last attempt; null if there was no response.
    last_response_status: Union[int, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]
    # When the channel was created.
    created_at: str
    # When the channel was last changed.
    updated_at: str


class NoticeChannelPage(TypedDict):
    items: List[NoticeChannel]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class OnboardDiscoveryCandidateRequest(TypedDict, total=False):
    # Display name of the agent.
    display_name: str
    owner_user_id: Union[str, None]
    tags: List[str]


class _OpenSessionRequestRequired(TypedDict):
    # Kind of source, for example `coding_agent`.
    session_source_type: str
    # Id of the session at its source, unique per account and source type.
    session_source_id: str


class OpenSessionRequest(_OpenSessionRequestRequired, total=False):
    session_reference: Union[str, None]
    runtime_principal_type: Union[str, None]
    runtime_principal_id: Union[str, None]
    runtime_principal_name: Union[str, None]
    title: Union[str, None]
    summary: Union[str, None]
    labels: Union[List[str], None]
    started_at: Union[str, None]


class OperatorNote(TypedDict):
    # The note.
    id: str
    state: Literal["pending", "delivered", "expired", "cancelled"]
    # Id of the session that the note is for; null until the note is assigned to a session.
    runtime_session_id: Union[str, None]
    execution_id: Union[str, None]
    kind: Literal["operator_note"]
    occurred_at: str
    managed_agent_id: Union[str, None]
    text: str
    author: OperatorNoteAuthor
    created_at: str
    expires_at: Union[str, None]
    cancelled_at: Union[str, None]
    delivered_at: Union[str, None]
    # How the note was delivered: `gateway`, `hook`, `assistant_channel` or `assistant_message`.
    delivery_channel: Union[str, None]
    # Number of model calls in the session up to the delivery, including the call with which the
    # note was delivered, if any.
    turn_index: Union[int, None]


class OperatorNotePage(TypedDict):
    items: List[OperatorNote]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class Overview(TypedDict):
    # Number of pending approval requests; 100 means 100 or more; null if the caller lacks the
    # permission to see the number.
    pending_approvals: Union[int, None]
    # Number of dead deliveries that were not sent again; 100 means 100 or more; null if the caller
    # lacks the permission to see the number.
    dead_deliveries: Union[int, None]
    # Number of running executions; 100 means 100 or more; null if the caller lacks the permission
    # to see the number.
    running_executions: Union[int, None]
    # Whether the agents of the account are stopped.
    agents_stopped: bool


class PendingNotes(TypedDict):
    # At most five notes, oldest first.
    operator_notes: List[DeliveredNote]


class PermissionCheck(TypedDict):
    # Only "allow" permits the call. An "allow" after an approval is valid for this one call.
    decision: Literal["allow", "deny", "pending"]
    # Human-readable explanation, never empty.
    reason: str
    # The rule that decided; null if no rule decided and a default applied.
    rule: Union[PermissionCheckRule, None]
    # Error that prevented the evaluation of the rule’s condition; the condition therefore counted
    # as true.
    condition_error: Union[str, None]
    approval_request_id: Union[str, None]
    # When the pending request expires.
    expires_at: Union[str, None]
    # Operator notes for the agent, delivered with this response.
    operator_notes: List[DeliveredNote]
    # Seconds after which to repeat the same call; set while the request is pending.
    poll_after_seconds: Union[int, None]


class Policy(TypedDict):
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    version: int
    # Format of the document.
    format: Literal["yaml", "json"]
    # Reason for the change.
    message: Union[str, None]
    # The older version whose content was applied again.
    rolled_back_to: Union[int, None]
    # Number of rules.
    rules: int
    # The user who applied the version.
    created_by: Union[str, None]
    # Time when the version was applied; null for the default document.
    created_at: Union[str, None]
    # The policy document; its schema is at GET /api/v1/policies/schema.
    document: Any
    # Text of the document as it was applied, byte for byte.
    text: str


class PolicyDecision(TypedDict):
    # The decision on the call.
    decision: Literal["allow", "deny", "require_approval"]
    # The rule that decides; null if no rule decides and a default applies.
    rule: Union[PolicyDecisionRule, None]
    # Explanation of the rule or default.
    rule_description: str
    # Text of the rule’s condition; null if there is no rule or condition.
    condition_matched: Union[str, None]
    # Error that prevented the evaluation of the condition; the condition therefore counted as true.
    condition_error: Union[str, None]
    # Approval workflow that the policy names. Null if the policy names none (the default workflow
    # then applies) or if no approval is required.
    workflow: Union[str, None]
    human_only: bool
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    policy_version: int
    trace: List[PolicyDecisionTraceItem]


class PolicyDiff(TypedDict):
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    version: int
    changes: List[PolicyDiffChangesItem]
    warnings: List[PolicyProblem]


class PolicyProblem(TypedDict):
    # Line number, from 1.
    line: int
    # Column number, from 1.
    column: int
    # JSON Pointer to the position in the document.
    path: str
    message: str


class PolicyValidation(TypedDict):
    valid: bool
    errors: List[PolicyProblem]
    warnings: List[PolicyProblem]


class PolicyVersion(TypedDict):
    # Number of the version; 0 is the default document, which is in force until a document is
    # applied.
    version: int
    # Format of the document.
    format: Literal["yaml", "json"]
    # Reason for the change.
    message: Union[str, None]
    # The older version whose content was applied again.
    rolled_back_to: Union[int, None]
    # Number of rules.
    rules: int
    # The user who applied the version.
    created_by: Union[str, None]
    # Time when the version was applied; null for the default document.
    created_at: Union[str, None]


class PolicyVersionPage(TypedDict):
    items: List[PolicyVersion]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class PortalLink(TypedDict):
    # The portal link.
    id: str
    # Group of endpoints that the holder of the link sees and manages.
    group: str
    # Event types to which the endpoints of the portal may subscribe. See the catalog.
    event_types: List[str]
    # Origins of the pages that may contain the portal in a frame, for example
    # `https://app.example.com`. Empty: no page may.
    frame_origins: List[str]
    # When it was created.
    created_at: str
    # When it ends.
    expires_at: str


class PortalLinkPage(TypedDict):
    items: List[PortalLink]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class PreviewScheduleRequest(TypedDict):
    # Schedule on which the flow starts, in addition to its trigger.
    schedule_config: ScheduleConfig


class PushKey(TypedDict):
    # Key of this deployment (VAPID), base64url.
    public_key: str


class PushSubscription(TypedDict):
    id: str
    # Name of the browser.
    description: str
    # Origin of the browser’s push service.
    push_service: Union[str, None]
    # Whether the browser was subscribed with the login of this request.
    current: bool
    # Notices that are pushed to the browser. A notice is pushed only if you may read its subject,
    # such as the approval request.
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]
    # delivered, failed (will be retried) or dead.
    last_delivery_status: Union[str, None]
    # When the last attempt ended.
    last_delivery_at: Union[str, None]
    # Short description of the error of the last attempt.
    last_error: Union[str, None]
    # When the browser was subscribed.
    created_at: str


class PushSubscriptionPage(TypedDict):
    items: List[PushSubscription]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ReadApprovalRequestQuery(TypedDict, total=False):
    # Seconds to wait for a decision while the request is pending.
    wait: int


class ReadExecutionQuery(TypedDict, total=False):
    # Seconds to wait for a final status.
    wait: int


class ReadTimelineQuery(TypedDict, total=False):
    # Items per page.
    limit: int
    # Opaque cursor: `next_cursor` of the previous page.
    cursor: str
    # Oldest first (`asc`, the default) or newest first.
    order: Literal["asc", "desc"]
    # Only content of this kind.
    kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log"]
    # Entry around which the page is returned: an `id` of the timeline, or the `source_id` of a
    # search match.
    around: str


class Readiness(TypedDict):
    status: Literal["ready"]
    # Version of this build.
    version: str


class Recovery(TypedDict):
    # The recovery.
    id: str
    # Only deliveries to this endpoint.
    endpoint_id: Union[str, None]
    # Only deliveries created at or after this time.
    since: str
    # Only deliveries created before this time.
    until: str
    status: Literal["running", "finished"]
    # Number of matching dead deliveries that had not been replayed or recovered before this
    # request.
    matched: int
    # Number of deliveries queued so far.
    queued: int
    # Number of deliveries that were skipped because their endpoint is inactive or deleted, or
    # because they were sent again in the meantime; null while the recovery is running.
    skipped: Union[int, None]
    # When it was requested.
    created_at: str
    # When the last batch was queued.
    finished_at: Union[str, None]


class RefreshTokensRequest(TypedDict):
    refresh_token: str


class _RegisterAccountRequestRequired(TypedDict):
    # Letters, digits, dot, underscore and dash; unique, ignoring case.
    username: str
    # Unique, ignoring case.
    email: str
    # 8 to 200 characters; common passwords and the user’s own name are refused.
    password: str


class RegisterAccountRequest(_RegisterAccountRequestRequired, total=False):
    full_name: Union[str, None]


class Replay(TypedDict):
    # The event.
    event_id: str
    delivery_ids: List[str]
    # Number of deliveries queued.
    queued: int
    # Ids of the endpoints to which nothing is sent, because they are now inactive or deleted.
    skipped: List[str]


class ReplayEventRequest(TypedDict, total=False):
    # Id of the only endpoint to which the event is sent; the endpoint must have received the event
    # before. Default: every endpoint that received the event.
    endpoint_id: str


class ReportDiscoveryRequest(TypedDict):
    # Hash that identifies the workstation.
    workstation_fingerprint: str
    # Operating system family.
    os_family: Literal["darwin", "linux", "windows", "other"]
    # Agents found on the workstation.
    agents: List[ReportDiscoveryRequestAgentsItem]


class ReportingConfig(TypedDict, total=False):
    # Whether an event is emitted for each exploited vulnerability of the product in `result.json`.
    cra: bool


class Role(TypedDict):
    id: str
    name: str
    permissions: List[str]
    is_system: bool


class RolePage(TypedDict):
    items: List[Role]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class RollBackPolicyRequest(TypedDict, total=False):
    # Reason for the change, shown in the list of versions.
    message: str


class RotateApprovalWebhookSecretRequest(TypedDict, total=False):
    # Seconds during which requests are also signed with the old secret; default 0.
    overlap_seconds: int


class RotateEndpointSecretRequest(TypedDict, total=False):
    # Seconds during which deliveries are also signed with the old secret.
    overlap_seconds: int


class RotatedFlowSecret(TypedDict):
    flow_id: str
    webhook_secret: str
    webhook_secret_hint: str


class RunSavedSearchRequest(TypedDict, total=False):
    # Sessions per page, default 20.
    limit: int
    # Number of sessions to skip; default 0. Not allowed together with cursor.
    offset: int
    # `next_cursor` of the previous page. Content that is stored in the meantime does not shift the
    # pages.
    cursor: str


class RuntimeSession(TypedDict):
    id: str
    account_id: str
    url: Union[str, None]
    session_source_type: str
    session_source_id: str
    session_reference: Union[str, None]
    runtime_principal_type: Union[str, None]
    runtime_principal_id: Union[str, None]
    runtime_principal_name: Union[str, None]
    # Whether a key that is bound to the session’s agent opened the session; if false, the caller’s
    # claim about the agent was not verified.
    principal_verified: bool
    flow_id: Union[str, None]
    title: Union[str, None]
    summary: Union[str, None]
    # Labels, each a `key:value` pair, in the order in which they were set.
    labels: List[str]
    started_at: str
    last_activity_at: str
    ended_at: Union[str, None]
    end_reason: Union[Literal["execution_finished", "idle", "operator"], None]
    # Whether the session is protected from deletion.
    legal_hold: bool
    created_at: str
    updated_at: str


class RuntimeSessionPage(TypedDict):
    items: List[RuntimeSession]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class SaveEmbeddingSettingRequest(TypedDict, total=False):
    enabled: Union[bool, None]
    scope: Union[str, None]
    provider: Union[str, None]
    model_identifier: Union[str, None]
    base_url: Union[str, None]
    api_key: Union[str, None]
    # Daily cap in US dollars; days begin at midnight UTC. Null resets the cap to the deployment
    # default.
    daily_cap_usd: Union[float, None]


class SaveFlowSecretRequest(TypedDict):
    # Value of the secret; stored encrypted and never returned.
    value: str


class SaveTitleSettingRequest(TypedDict):
    title_model: Union[str, None]


class _SavedApprovalWorkflowRequired(TypedDict):
    # The workflow.
    id: str
    name: str
    description: str
    approver_user_ids: List[str]
    approver_roles: List[str]
    quorum: int
    expires_seconds: int
    approval_wait_seconds: int
    require_comment: bool
    allow_self_approval: bool
    escalate_after_seconds: Union[int, None]
    escalation_user_ids: List[str]
    channel_configs: List[SavedApprovalWorkflowChannelConfigsItem]
    approval_config: SavedApprovalWorkflowApprovalConfig
    # Whether approvers receive email.
    email: bool
    webhook_secret_hint: Union[str, None]
    is_default: bool
    # ai_first: a model is asked before people, unless the rule sets human_only.
    mode: Literal["human", "ai_first"]
    ai_model_id: Union[str, None]
    ai_guidelines: str
    ai_confidence_threshold: float
    # The active bypass; new requests are approved automatically until it ends.
    bypass: Union[SavedApprovalWorkflowBypass, None]
    created_at: str
    updated_at: str


class SavedApprovalWorkflow(_SavedApprovalWorkflowRequired, total=False):
    # New secret with which requests to the receivers are signed, returned only in this response.
    webhook_secret: str


class SavedSearch(TypedDict):
    # The saved search.
    id: str
    name: str
    query: str
    # Search mode.
    mode: Literal["keyword", "semantic", "hybrid"]
    filters: SearchFilters
    max_snippets_per_session: int
    include_snippet_text: bool
    # Visibility: only the owner (default), or the account.
    visibility: Literal["private", "account"]
    # When the search was shared with the account; null while the search is private.
    shared_at: Union[str, None]
    # Id of the user who saved the search.
    owner_user_id: str
    # Whether the caller owns the saved search; only the owner may change it.
    is_own: bool
    # Identifier of the ranking that was in use when the search was saved.
    ranking_identity: str
    # When the search was last run; null if never.
    last_run_at: Union[str, None]
    run_count: int
    # When it was created.
    created_at: str
    # When the search was last saved.
    updated_at: str


class SavedSearchPage(TypedDict):
    items: List[SavedSearch]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class SavedSearchRun(TypedDict):
    search: SearchAnswer
    # Filters that refer to a deleted flow or session, or to a revoked API key; they are still
    # applied.
    unresolved_filters: List[Literal["start_date", "end_date", "source_kind", "model_alias", "provider_name", "runtime_principal_id", "api_key_id", "flow_id", "session_id", "role", "tool_name", "status", "session_source_type", "label"]]
    # Whether the ranking changed since the search was saved. Saving the search again resets this to
    # false.
    ranking_changed: bool


class ScheduleConfig(TypedDict, total=False):
    # Five fields: minute, hour, day of the month, month, day of the week; for example "0 6 * *
    # 1-5". If both the day of the month and the day of the week are set, it is enough for one of
    # them to match. Set either this or interval_seconds.
    cron: str
    # Seconds between two due times. The first due time is starts_at or, if starts_at is omitted,
    # one interval after the schedule was saved.
    interval_seconds: int
    # IANA time zone of the cron expression, for example Europe/Berlin. Default UTC.
    time_zone: str
    # Handling of a due time while an earlier run is active: skip it (default), queue it (at most
    # one due time waits), or replace the active run.
    overlap: Literal["skip", "queue", "replace"]
    # Whether the latest due time that passed while no worker was running starts a run as soon as a
    # worker is running again. Default true. If false, due times that are more than a minute late
    # start no run.
    catch_up: bool
    # Maximum random delay of a due time, in seconds; the delay of a given due time never changes.
    # Default 0.
    jitter_seconds: int
    # Earliest due time.
    starts_at: str
    # Latest due time.
    ends_at: str


class SearchAnswer(TypedDict):
    query: str
    mode: str
    # The mode that was used; keyword if the semantic half could not run.
    effective_mode: Literal["keyword", "semantic", "hybrid"]
    results: List[FoundSession]
    # Number of matching sessions.
    total: int
    # False if total is a lower bound.
    total_is_exact: bool
    limit: int
    offset: int
    next_cursor: Union[str, None]
    indexed_from: Union[str, None]
    indexed_through: Union[str, None]
    backfill_complete: bool
    backfill_state: Literal["not_started", "in_progress", "complete"]
    metadata_only_from: Union[str, None]
    metadata_only_through: Union[str, None]
    # Number of sources in the searched range that are too long to be indexed completely; only their
    # beginning and end are indexed. Counted up to 1000.
    truncated_sources: int
    embedded_through: Union[str, None]
    degraded: SearchAnswerDegraded
    hint: Union[str, None]
    elapsed_ms: float


class SearchFilters(TypedDict, total=False):
    # Start of the range (inclusive), as a time with a UTC offset.
    start_date: str
    # End of the range (exclusive), as a time with a UTC offset.
    end_date: str
    # Only chunks of this kind of content.
    source_kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log", "session_summary"]
    # Only interactions of this model.
    model_alias: str
    # Only interactions of this provider.
    provider_name: str
    # Only sessions run by this principal.
    runtime_principal_id: str
    # Only content that was stored with this API key.
    api_key_id: str
    # Only sessions of this flow.
    flow_id: str
    # Only this session.
    session_id: str
    # Only transcript messages with this role.
    role: str
    # Only calls of the tool with exactly this name.
    tool_name: str
    # Only interactions and tool calls with exactly this status, or log lines of this level.
    status: str
    # Only sessions of this source type.
    session_source_type: str
    # Only sessions with this label, `key:value`.
    label: str


class SearchGrants(TypedDict):
    # All grants; at most one for each subject.
    grants: List[SearchGrantsGrantsItem]


class _SearchSessionsRequestRequired(TypedDict):
    # Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512
    # characters.
    query: str


class SearchSessionsRequest(_SearchSessionsRequestRequired, total=False):
    # Default keyword.
    mode: Literal["keyword", "semantic", "hybrid"]
    filters: SearchFilters
    # Sessions per page, default 20.
    limit: int
    # Number of sessions to skip; default 0. Not allowed together with cursor.
    offset: int
    # `next_cursor` of the previous page. Content that is stored in the meantime does not shift the
    # pages.
    cursor: str
    # Maximum number of snippets per session; default 3.
    max_snippets_per_session: int
    # Default true.
    include_snippet_text: bool
    # Whether to add the parts of the score to every result. Default false.
    explain: bool


class SearchSnippet(TypedDict):
    document_id: str
    source_kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log", "session_summary"]
    source_id: str
    chunk_index: int
    gap_after_chunk: Union[int, None]
    occurred_at: str
    role: Union[str, None]
    text: Union[str, None]
    # Keyword score of the chunk; for a chunk found only by meaning, its similarity.
    rank: float
    match_reason: Literal["keyword", "semantic", "both"]
    similarity: Union[float, None]


class _SendOperatorNoteRequestRequired(TypedDict):
    # The note.
    text: str


class SendOperatorNoteRequest(_SendOperatorNoteRequestRequired, total=False):
    runtime_session_id: Union[str, None]
    managed_agent_id: Union[str, None]
    execution_id: Union[str, None]
    expires_in_seconds: Union[int, None]


class SentEvent(TypedDict):
    # The event.
    id: str
    type: str
    # When the event happened.
    occurred_at: str
    # When the event was stored for sending.
    created_at: str
    # Headers common to all attempts.
    headers: Dict[str, str]
    # The body exactly as signed and sent, in UTF-8.
    body: str


class _SetKillSwitchRequestRequired(TypedDict):
    # True stops the agents of the account; false lets them act again.
    engaged: bool


class SetKillSwitchRequest(_SetKillSwitchRequestRequired, total=False):
    reason: Union[str, None]


class SimilarSessions(TypedDict):
    items: List[SimilarSessionsItemsItem]
    degraded: SimilarSessionsDegraded


class StartApprovalBypassRequest(TypedDict):
    minutes: int
    # Reason for the bypass; included in the `approval.decided` event of each request that the
    # bypass approves.
    reason: str


class _StartBacktestRequestRequired(TypedDict):
    # Start of the range of calls, inclusive.
    since: str


class StartBacktestRequest(_StartBacktestRequestRequired, total=False):
    # Policy document, as a string or as an object; default: the policy in force.
    document: Any
    # End of the range of calls, exclusive; default now.
    until: str
    # Maximum number of calls; the newest are used.
    limit: int


class _StartDeletionRequestRequired(TypedDict):
    # Filters that select the sessions, as in the list of sessions. At least one is required.
    filters: StartDeletionRequestFilters


class StartDeletionRequest(_StartDeletionRequestRequired, total=False):
    # True: the sessions are only counted, not deleted.
    dry_run: bool


class _StartRecoveryRequestRequired(TypedDict):
    # Only deliveries created at or after this time.
    since: str


class StartRecoveryRequest(_StartRecoveryRequestRequired, total=False):
    # Only deliveries to this endpoint.
    endpoint_id: str
    # Only deliveries created before this time; default now.
    until: str
    # Only dead deliveries can be recovered.
    status: Literal["dead"]
    # True: the deliveries are only counted, not sent.
    dry_run: bool


class StartedRecovery(TypedDict):
    # Number of matching dead deliveries that had not been replayed or recovered before this
    # request.
    matched: int
    # Number of deliveries that will be sent again: those whose endpoint is active; 0 for a dry run.
    queued: int
    # Id of the recovery, for reading its progress; null if nothing is queued.
    recovery_id: Union[str, None]


class _StoreInteractionRequestRequired(TypedDict):
    # Name of the model in the caller’s request.
    model_alias: str
    # Provider that responded.
    provider_name: str
    # The request as sent to the model.
    request: Any
    # The response as received.
    response: Any


class StoreInteractionRequest(_StoreInteractionRequestRequired, total=False):
    usage: Union[StoreInteractionRequestUsage, None]
    status: Union[str, None]
    occurred_at: Union[str, None]
    external_id: Union[str, None]


class _StoreToolCallRequestRequired(TypedDict):
    # Name of the tool.
    tool_name: str
    # Arguments of the call.
    arguments: Any


class StoreToolCallRequest(_StoreToolCallRequestRequired, total=False):
    # Result of the tool.
    result: Any
    status: Union[str, None]
    occurred_at: Union[str, None]
    external_id: Union[str, None]


class StoredContent(TypedDict):
    id: str
    runtime_session_id: str
    kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log"]
    occurred_at: str
    role: Union[str, None]
    external_id: Union[str, None]
    model_alias: Union[str, None]
    provider_name: Union[str, None]
    tool_name: Union[str, None]
    status: Union[str, None]
    input_tokens: Union[int, None]
    output_tokens: Union[int, None]
    cache_read_tokens: Union[int, None]
    cache_write_tokens: Union[int, None]
    reasoning_tokens: Union[int, None]
    cost_usd: Union[float, None]
    copy_of: Union[StoredContentCopyOf, None]
    # False if the body was not stored.
    content_captured: bool
    created_at: str


class _SummarizeUsageQueryRequired(TypedDict):
    # Field to group by.
    group_by: Literal["model", "agent", "api_key", "flow", "session", "day"]


class SummarizeUsageQuery(_SummarizeUsageQueryRequired, total=False):
    model_id: str
    model_alias: str
    # Only calls to this provider.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    endpoint: str
    # Only calls with this status.
    status: Literal["ok", "error", "aborted", "refused"]
    api_key_id: str
    user_id: str
    managed_agent_id: str
    flow_id: str
    execution_id: str
    runtime_session_id: str
    # Start of the range, inclusive.
    since: str
    # End of the range, exclusive.
    until: str


class TakePendingNotesRequest(TypedDict, total=False):
    # Id of the session whose notes are taken; default: the notes of all sessions of the agent are
    # taken. Notes that wait for a session are taken in both cases.
    runtime_session_id: Union[str, None]
    # Channel by which the agent receives the notes; default `hook`.
    channel: Literal["hook", "assistant_channel", "assistant_message"]


class TakenReports(TypedDict):
    # Number of new candidates; `agent.discovered` was emitted for each of them.
    created: int
    # Number of known candidates; only their `last_seen_at` changed.
    updated: int


class TestEndpointRequest(TypedDict, total=False):
    # Event type whose example from the catalog is sent. Default: webhook.test.
    event_type: str


class TestNotice(TypedDict):
    # The test notice.
    event_id: str
    # Id of the delivery, which shows whether Slack, Teams or ntfy accepted the notice.
    delivery_id: str


class TestNoticeChannelRequest(TypedDict, total=False):
    # Notice whose example is posted. Default: a test notice.
    notice: Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]


class _TestPolicyRequestRequired(TypedDict):
    # Name of the tool on its server.
    tool_name: str


class TestPolicyRequest(_TestPolicyRequestRequired, total=False):
    # Server of the tool; default "local".
    server: str
    # Arguments of the call, as the tool would receive them; default {}.
    arguments: Any
    # Id of an agent of the account; the call is evaluated as a call of this agent.
    agent_id: str
    # Attributes of an agent that does not have to exist.
    agent: TestPolicyRequestAgent
    # Policy document to use instead of the one in force, as a string or as an object.
    document: Any


class TestSend(TypedDict):
    # The test event.
    event_id: str
    delivery_ids: List[str]


class TestTrackerRequest(TypedDict, total=False):
    # owner/repository (GitHub), group/project (GitLab), key of a project (Jira), or key of a team
    # (Linear).
    repository: str


class ThrownKillSwitch(TypedDict):
    # Whether the agents of the account are stopped.
    engaged: bool
    reason: Union[str, None]
    changed_at: Union[str, None]
    changed_by: Union[ThrownKillSwitchChangedBy, None]
    # Number of executions that this call stopped.
    stopped_executions: int
    # Number of approval requests that this call cancelled.
    cancelled_approval_requests: int


class TimelineEntry(TypedDict):
    id: str
    runtime_session_id: str
    kind: Literal["gateway_interaction", "tool_call", "transcript_message", "operator_note", "flow_log"]
    occurred_at: str
    role: Union[str, None]
    external_id: Union[str, None]
    model_alias: Union[str, None]
    provider_name: Union[str, None]
    tool_name: Union[str, None]
    status: Union[str, None]
    input_tokens: Union[int, None]
    output_tokens: Union[int, None]
    cache_read_tokens: Union[int, None]
    cache_write_tokens: Union[int, None]
    reasoning_tokens: Union[int, None]
    cost_usd: Union[float, None]
    copy_of: Union[TimelineEntryCopyOf, None]
    # False if the body was not stored.
    content_captured: bool
    created_at: str
    # The body: `{request, response}` of an interaction, `{arguments, result}` of a tool call,
    # otherwise the text or message. Null if it was not stored, or if there is a `content_error`.
    content: Any
    # Why a stored body cannot be returned: `unavailable` (the object store does not respond; try
    # again later) or `lost` (the object is missing or its bytes have changed). Null if the body is
    # returned or was not stored.
    content_error: Union[Literal["unavailable", "lost"], None]


class TimelineEntryPage(TypedDict):
    items: List[TimelineEntry]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]
    # Cursor for the entries before a page that was requested with `around`. It must be used with
    # the opposite `order`. Null if there are no such entries.
    previous_cursor: Union[str, None]


class TitleSetting(TypedDict):
    title_model: Union[str, None]
    title_model_enabled: Union[bool, None]


class Tokens(TypedDict):
    access_token: str
    # Refresh token; works once, at /api/v1/auth/refresh.
    refresh_token: str
    token_type: Literal["bearer"]
    # Seconds until the access token expires.
    expires_in: int


class Tool(TypedDict):
    # Name of the tool on its server.
    name: str
    # Definition of the tool as its server lists it.
    definition: Dict[str, Any]
    # SHA-256 hash of the definition.
    definition_hash: str
    # Whether the definition has changed since it was accepted.
    changed: bool
    # The accepted definition, if the tool has changed.
    accepted_definition: Union[Dict[str, Any], None]
    first_seen_at: str
    changed_at: str


class ToolChoice(TypedDict):
    # Name of the tool in `allowed_tools` of a flow.
    name: str
    # Origin of the tool: the built-in agent, this service, a tracker of the account, or a tool
    # server.
    source: Literal["workspace", "service", "tracker", "server"]
    # Name by which policies refer to the tool server, or "tracker"; null for other tools.
    server: Union[str, None]
    # Name of the tool in policies and on its server.
    tool: str
    # Description of the tool; for a tool of a tool server, the beginning of the description that
    # the server provides.
    description: Union[str, None]
    # Whether the definition of the tool changed since it was accepted.
    changed: bool


class ToolChoicePage(TypedDict):
    items: List[ToolChoice]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ToolPage(TypedDict):
    items: List[Tool]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class ToolServer(TypedDict):
    # The tool server.
    id: str
    name: str
    # Transport: HTTP, or a program that a flow worker runs.
    transport: Literal["streamable_http", "stdio"]
    # URL of the server; for a program, `stdio:` followed by its name or path.
    url: str
    # Settings of the program, for callers who may change the server; null otherwise.
    command: Union[ToolServerCommand1, None]
    # Whether headers are stored.
    has_headers: bool
    enabled: bool
    # Result of the last attempt to list the tools of the server.
    status: Literal["unknown", "ok", "failing"]
    # Why the tools could not be listed, or which of them were omitted.
    last_error: Union[str, None]
    # Login (OAuth) used for calls to the server; null if there is none.
    oauth: Union[ToolServerOauth, None]
    # Number of tools of the server.
    tools_count: int
    # When the tools were last listed.
    tools_seen_at: Union[str, None]
    created_at: str
    updated_at: str


class _ToolServerCommandRequired(TypedDict):
    # Name or path of the program in the sandbox.
    command: str


class ToolServerCommand(_ToolServerCommandRequired, total=False):
    args: List[str]
    # Environment variables of the program, stored encrypted and never returned.
    env: Dict[str, str]
    # Hosts that the program may reach, in the format of a flow’s network_allow.
    network_allow: List[str]


class ToolServerLog(TypedDict):
    # At most the last 200 lines, oldest first, each with its time; credentials are masked.
    lines: List[str]


class ToolServerPage(TypedDict):
    items: List[ToolServer]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class Tracker(TypedDict):
    # The connection.
    id: str
    name: str
    # Kind of tracker; it cannot be changed later.
    kind: Literal["github", "gitlab", "jira", "linear"]
    base_url: str
    username: Union[str, None]
    repositories: List[str]
    created_at: str
    updated_at: str


class _TrackerConfigRequired(TypedDict):
    # The connection.
    tracker_id: str
    # owner/repository (GitHub), group/project (GitLab), key of a project (Jira), or key of a team
    # (Linear).
    repository: str


class TrackerConfig(_TrackerConfigRequired, total=False):
    # The field is ignored. It is accepted so that a response can be sent back unchanged.
    registration: Any


class TrackerPage(TypedDict):
    items: List[Tracker]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class TrackerTrial(TypedDict):
    ok: bool
    latency_ms: int
    # Name of the token’s owner at the tracker.
    login: Union[str, None]
    name: Union[str, None]
    # Scopes of the token; null if the tracker does not report them.
    scopes: Union[List[str], None]
    # Expiry of the token, in the tracker’s format; null if the token never expires or the tracker
    # does not report the expiry.
    expires_at: Union[str, None]
    # Permissions of the token in the requested repository.
    repository: Union[TrackerTrialRepository, None]
    # Reason for the failure; null on success.
    error: Union[TrackerTrialError, None]


class TranscriptImport(TypedDict):
    # Number of messages stored.
    imported: int
    # Number of messages skipped because the session already has their external_id.
    skipped: int


class UpdateAgentRequest(TypedDict, total=False):
    # Display name of the agent.
    display_name: str
    owner_user_id: Union[str, None]
    tags: List[str]
    # Suspended: the agent’s keys are refused. Retired: the agent’s keys are revoked and its history
    # is retained.
    lifecycle_state: Literal["active", "suspended", "retired"]
    lifecycle_reason: Union[str, None]


class UpdateAiModelRequest(TypedDict, total=False):
    # Name that clients send in the field `model`; unique in the account.
    alias: str
    # Provider of the model; generic_compatible is any OpenAI-compatible API.
    provider: Literal["openai", "anthropic", "generic_compatible"]
    # Name of the model at its provider.
    model_identifier: str
    # https base URL of the API including its version. Optional for openai and anthropic.
    base_url: str
    # API key of the provider; stored encrypted and never returned. An empty string or null removes
    # it.
    api_key: Union[str, None]
    # Prices set by the account; null: prices of the catalog.
    prices: Union[ModelPrices, None]
    # Maximum output tokens of a call; null: unknown.
    max_output_tokens: Union[int, None]
    # Models to try in this order if the call fails; at most three.
    fallback_model_ids: List[str]
    # Whether this is the default model. True replaces the current default.
    is_default: bool
    # False: calls to the model are refused.
    enabled: bool


class UpdateApiKeyRequest(TypedDict, total=False):
    name: str
    limits: Union[KeyLimits, None]


class UpdateApprovalWorkflowRequest(TypedDict, total=False):
    # Unique in the account.
    name: str
    description: str
    # Users who are asked to decide. If no users or roles are set, everyone who may decide approvals
    # is asked.
    approver_user_ids: List[str]
    # Roles whose users are asked to decide.
    approver_roles: List[str]
    # Number of approvals by different people that a request needs; a single decline declines the
    # request.
    quorum: int
    # Seconds after which an undecided request expires.
    expires_seconds: int
    # Maximum seconds that a call waits for its approval on an open connection.
    approval_wait_seconds: int
    # Whether a decision needs a comment.
    require_comment: bool
    # Whether the requester may decide their own request.
    allow_self_approval: bool
    # Seconds after which the users in escalation_user_ids may also decide.
    escalate_after_seconds: Union[int, None]
    # Users who are asked if nobody has decided after escalate_after_seconds.
    escalation_user_ids: List[str]
    # Receivers of the requests and of their outcomes.
    channel_configs: List[UpdateApprovalWorkflowRequestChannelConfigsItem]
    # Older format that names a single receiver.
    approval_config: UpdateApprovalWorkflowRequestApprovalConfig
    # Whether approvers receive email; null: yes if the deployment sends email (MAIL_FROM).
    email: Union[bool, None]
    # Whether this workflow handles calls whose rule names no workflow. If true, this workflow
    # replaces the previous default workflow.
    is_default: bool
    # ai_first: a model is asked before people, unless the rule sets human_only.
    mode: Literal["human", "ai_first"]
    ai_model_id: Union[str, None]
    # Instructions for the model.
    ai_guidelines: str
    # Minimum confidence for the model’s decision to take effect; default 0.8.
    ai_confidence_threshold: float


class UpdateBudgetRequest(TypedDict, total=False):
    """The scope, model and period of a budget cannot be changed; create another budget instead."""

    # US dollars, at most six decimals.
    limit_amount: float
    # Whether calls that would exceed the limit are refused; default true.
    hard: bool
    # How a hard limit applies to calls whose cost cannot be estimated from the body (files, URLs,
    # earlier responses, provider tools): `hold` (default) reserves the cost of the largest
    # possible input until the call ends, and `refuse` refuses the call.
    unsized_calls: Literal["hold", "refuse"]
    # Percentages of the limit. For each percentage, one alert is sent per period when spend reaches
    # it; default [80].
    thresholds_percent: List[int]
    # False: the budget still counts spend but does not refuse calls or send alerts.
    enabled: bool


class UpdateDiscoveryCandidateRequest(TypedDict):
    # An ignored candidate stays ignored, however often it is reported.
    status: Literal["new", "ignored"]


class UpdateEndpointRequest(TypedDict, total=False):
    # URL of the endpoint: absolute http or https, at most 2048 characters, without credentials or
    # fragment.
    url: str
    # Optional description.
    description: str
    # Group of endpoints; null removes the endpoint from its group.
    group: Union[str, None]
    # Event types to receive; empty means every v1 event. See the catalog.
    event_types: List[str]
    # If false, deliveries are held. If true, the held deliveries are sent and the circuit breaker
    # is closed.
    active: bool
    # Whether the first KiB of the receiver’s response to each attempt is stored, with credentials
    # masked.
    keep_answers: bool


class UpdateFlowRequest(TypedDict, total=False):
    # Unique in the account.
    name: str
    # Prompt template with placeholders such as {{trigger_event.payload.repository.name}} and the
    # filter |truncate(N).
    prompt_template: str
    # Kind of agent: a command, or the built-in agent.
    agent_type: Literal["command", "builtin"]
    # Settings of the agent; for "command": {"command": string | string[], "env"?: {}}; for
    # "builtin": {"max_steps"?, "max_tokens"?, "system_prompt"?, "temperature"?, "env"?}. Values of
    # "env" are stored encrypted and returned as "[hidden]". An update keeps values that are
    # omitted or sent back as "[hidden]"; null removes a value. {{secret.NAME}} in a value refers
    # to a named secret.
    agent_config: Dict[str, Any]
    description: Union[str, None]
    # Whether the flow can be started. Triggers of a disabled flow are refused with 409. Default
    # true.
    is_enabled: bool
    # Trigger that starts the flow, in addition to manual starts. Default manual.
    trigger: Literal["manual", "webhook", "tracker", "schedule"]
    ai_model_id: Union[str, None]
    # Tools that a built-in agent may call: tools of the workspace, and tools at `/mcp/v1` by their
    # names there or by a prefix followed by `*`. If the list is empty, the agent may call all
    # tools of the workspace, including `run_shell`, and none at `/mcp/v1`.
    allowed_tools: List[str]
    webhook_config: Union[WebhookConfig, None]
    tracker_config: Union[TrackerConfig, None]
    schedule_config: Union[ScheduleConfig, None]
    git_clone_config: Union[GitCloneConfig, None]
    # Shell commands that run before the agent. {{secret.NAME}} is replaced by a shell variable that
    # contains that secret.
    setup_commands: List[str]
    # Time limit of one run, in seconds. Default 3600.
    timeout_seconds: int
    evidence: Union[EvidenceConfig, None]
    reporting: Union[ReportingConfig, None]
    # Hosts that programs of a run may reach in addition to the API: "host", "host:port", "*.host",
    # or "*" for all public hosts. Without a port: 80 and 443. Default: none.
    network_allow: List[str]
    network_secrets: Union[List[NetworkSecret], None]


class UpdateNoticeChannelRequest(TypedDict, total=False):
    # Slack: the URL of an incoming webhook. Teams: the URL of a workflow that posts a card when it
    # receives a webhook request. ntfy: the URL of a topic.
    url: str
    # Optional description, such as the name of the Slack channel.
    description: str
    # Notices that are posted.
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]
    # If false, notices are held. If true, held notices are sent and the circuit breaker is closed.
    active: bool
    # A new access token; null removes it.
    token: Union[str, None]


class UpdatePushSubscriptionRequest(TypedDict):
    # Notices that are pushed to the browser. A notice is pushed only if you may read its subject,
    # such as the approval request.
    notices: List[Literal["approval.created", "approval.decided", "budget.threshold", "budget.exceeded", "webhook.endpoint_failing", "policy.denied", "agent.discovered", "cra.reportable_vulnerability"]]


class UpdateRoleRequest(TypedDict):
    permissions: List[Literal["manage_users", "view_runtime_sessions", "manage_runtime_sessions", "search_session_content", "manage_budgets", "view_policies", "manage_policies", "view_flows", "create_flows", "edit_flows", "delete_flows", "execute_flows", "view_trackers", "manage_trackers", "view_approvals", "decide_approvals", "manage_approval_workflows", "view_agents", "manage_agents", "control_managed_agent", "view_audit_logs", "view_ai_models", "manage_ai_models", "view_cost", "manage_kill_switch", "report_discovery"]]


class UpdateSavedSearchRequest(TypedDict, total=False):
    # Unique among your saved searches; 1 to 120 characters.
    name: str
    # Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512
    # characters.
    query: str
    # Default keyword.
    mode: Literal["keyword", "semantic", "hybrid"]
    filters: SearchFilters
    # Maximum number of snippets per session; default 3.
    max_snippets_per_session: int
    # Default true.
    include_snippet_text: bool
    # Visibility: only the owner (default), or the account.
    visibility: Literal["private", "account"]


class UpdateSessionRequest(TypedDict, total=False):
    title: Union[str, None]
    summary: Union[str, None]
    labels: Union[List[str], None]
    # If true, neither users nor retention can delete the session.
    legal_hold: bool


class UpdateToolServerRequest(TypedDict, total=False):
    # Name of the server, part of the names of its tools; unique in the account.
    name: str
    # https URL of the server; a query is allowed.
    url: str
    # Command of a server with the transport stdio, given instead of `url`; an update replaces the
    # whole object.
    command: ToolServerCommand
    # Transport: HTTP, or a program that a flow worker runs.
    transport: Literal["streamable_http", "stdio"]
    # Headers sent with each request; stored encrypted and never returned. An empty object or null
    # removes them.
    headers: Union[Dict[str, str], None]
    # False: the tools of the server are not offered.
    enabled: bool


class UpdateTrackerRequest(TypedDict, total=False):
    # Name that agents use for the connection in tool calls; unique in the account.
    name: str
    # Access token for the tracker; stored encrypted and never returned.
    token: str
    # https base URL of a self-hosted tracker. Default: api.github.com, gitlab.com or
    # api.linear.app; required for Jira.
    base_url: str
    # Email address of the token’s owner, for Jira Cloud. If it is omitted, the server is assumed to
    # run Jira Data Center.
    username: Union[str, None]
    # Repositories and projects that flows and agents may use; "acme/*" includes everything below
    # "acme". Empty: all that the token can access.
    repositories: List[str]


class UpdateUserRequest(TypedDict, total=False):
    # Name of a system role or of a custom role of the account.
    role: str
    is_active: bool


class UsageRow(TypedDict):
    id: str
    occurred_at: str
    account_id: str
    # Id of the API key with which the call was made.
    api_key_id: Union[str, None]
    # Id of the user who made the call, or of the owner of the API key.
    user_id: Union[str, None]
    # Id of the agent as which the key acts.
    managed_agent_id: Union[str, None]
    # Id of the execution that made the call.
    execution_id: Union[str, None]
    # Flow of the execution.
    flow_id: Union[str, None]
    # Id of the session to which the call belongs.
    runtime_session_id: Union[str, None]
    # Id of the model that served the call. If no model served it, id of the model that was tried
    # last or, if no model was tried, of the requested model. Null for embeddings for the session
    # search, and for calls that were refused before the requested model was found.
    model_id: Union[str, None]
    # Alias of the model; for embeddings for the session search, the name of the embedding model at
    # its provider.
    model_alias: Union[str, None]
    # Null if no provider was called.
    provider: Union[Literal["openai", "anthropic", "generic_compatible"], None]
    endpoint: str
    # Status of the call; `refused` means that nothing was sent to a provider.
    status: Literal["ok", "error", "aborted", "refused"]
    # Null if unknown.
    input_tokens: Union[int, None]
    # Null if unknown.
    cached_input_tokens: Union[int, None]
    # Null if unknown.
    output_tokens: Union[int, None]
    # US dollars; null when the price is unknown.
    cost_usd: Union[float, None]
    # Source of the price.
    price_source: Literal["catalogue", "custom", "unknown", "provider"]
    # Null if no provider was called.
    usage_source: Union[Literal["provider", "estimated", "partial", "assumed"], None]
    # Duration of the whole call in milliseconds.
    duration_ms: int
    # Null if no byte arrived.
    first_byte_ms: Union[int, None]
    stream: bool
    # Why the call failed or was refused.
    error_class: Union[str, None]


class UsageRowPage(TypedDict):
    items: List[UsageRow]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class UsageSummary(TypedDict):
    # The requested grouping.
    group_by: Literal["model", "agent", "api_key", "flow", "session", "day"]
    # Start of the range, inclusive.
    since: str
    # End of the range, exclusive.
    until: str
    # Groups, most expensive first; days are in chronological order.
    items: List[UsageSummaryItemsItem]
    # Total of all groups.
    total: UsageSummaryTotal
    # Whether there are more groups than returned.
    truncated: bool


class User(TypedDict):
    id: str
    account_id: str
    username: str
    email: str
    full_name: Union[str, None]
    role: str
    permissions: List[Permission]
    is_active: bool
    # True until the user accepts the invitation and chooses a password.
    is_invited: bool
    created_at: str


class UserPage(TypedDict):
    items: List[User]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class _ValidateEnrollmentRequestRequired(TypedDict):
    # Whether a call of the agent reached the service.
    ok: bool


class ValidateEnrollmentRequest(_ValidateEnrollmentRequestRequired, total=False):
    # Whether the agent’s model calls go through the gateway.
    gateway_routed: bool
    # Whether the agent reaches its tool servers through the service.
    mcp_rewritten: bool
    # Number of tool servers in the agent’s configuration.
    mcp_server_count: int
    # Findings of the check.
    message: str


class Vulnerability(TypedDict):
    # Index of the entry in the result, from 0.
    index: int
    # CVE id; null if the entry has no valid one, or if its `reason` is `beyond_limit`.
    cve: Union[str, None]
    # Whether the vulnerability meets the conditions for the event `cra.reportable_vulnerability`.
    reportable: bool
    # Why the vulnerability is or is not reportable.
    reason: Literal["reportable", "not_exploited", "exploitation_unknown", "not_affected", "affected_unknown", "malformed", "duplicate", "beyond_limit", "reporting_off", "not_succeeded"]
    # The reason as a sentence.
    message: str
    # When the vulnerability was discovered; null if the vulnerability is not reportable.
    discovered_at: Union[str, None]
    # Reporting deadlines, counted from `discovered_at`; null if the vulnerability is not
    # reportable.
    deadlines: Union[VulnerabilityDeadlines, None]
    # Id of the event; null if the vulnerability is not reportable. If no endpoint was subscribed to
    # the type of the event, no event with this id exists.
    event_id: Union[str, None]


class VulnerabilityPage(TypedDict):
    items: List[Vulnerability]
    # Cursor of the next page; null on the last page.
    next_cursor: Union[str, None]


class WebhookConfig(TypedDict, total=False):
    # Service that sends the requests. The choice determines how signatures, media types, headers,
    # deduplication and handshakes are handled. If no source is set, every sender of JSON is
    # accepted: a request whose headers identify one of these services is handled like a request of
    # that service; of any other request, only the payload is stored.
    source: Literal["generic", "github", "gitlab", "bitbucket", "gitea", "jira", "linear", "slack", "sns", "stripe", "standard_webhooks", "cloudevents"]
    signing_secrets: Union[List[str], None]
    # Events that start a run, by the names that the sender uses, for example "pull_request.opened",
    # "Merge Request Hook", "repo:push", "jira:issue_created". An empty list means all events.
    event_types: List[str]
    # Condition in CEL, as in policies, over `payload` and `event` (name, action, names), for
    # example payload.pull_request.draft == false. Requests that do not match are ignored.
    filter: str
    # Additional headers to pass to the run. Headers that may contain a credential are not allowed.
    headers: List[str]
    webhook_secret: Union[str, None]
    # If true, a trigger whose dedupe value is that of an active execution stops this execution and
    # starts a new one.
    supersede_on_update: bool
    # Path in the payload, for example pull_request.number; at most one execution per value at this
    # path is active at a time.
    dedupe_path: str


AcceptedWebhook = Union[AcceptedTrigger, IgnoredWebhook]

CancelOperatorNoteRequest = Dict[str, Any]

EndSessionRequest = Dict[str, Any]

PauseFlowScheduleRequest = Dict[str, Any]

Permission = Literal["manage_users", "view_runtime_sessions", "manage_runtime_sessions", "search_session_content", "manage_budgets", "view_policies", "manage_policies", "view_flows", "create_flows", "edit_flows", "delete_flows", "execute_flows", "view_trackers", "manage_trackers", "view_approvals", "decide_approvals", "manage_approval_workflows", "view_agents", "manage_agents", "control_managed_agent", "view_audit_logs", "view_ai_models", "manage_ai_models", "view_cost", "manage_kill_switch", "report_discovery", "manage_api_keys"]

ReadApprovalDecisionStatsQuery = TypedDict("ReadApprovalDecisionStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['result', 'tool', 'workflow']", "key": "str", "limit": "int"}, total=False)

ReadApprovalStatsQuery = TypedDict("ReadApprovalStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['tool', 'agent', 'workflow', 'person']", "key": "str", "limit": "int"}, total=False)

ReadDeliveryLatencyStatsQuery = TypedDict("ReadDeliveryLatencyStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['endpoint', 'type']", "key": "str", "limit": "int"}, total=False)

ReadDeliveryStatsQuery = TypedDict("ReadDeliveryStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['endpoint', 'type', 'result']", "key": "str", "limit": "int"}, total=False)

ReadExecutionStatsQuery = TypedDict("ReadExecutionStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['flow', 'result', 'trigger']", "key": "str", "limit": "int"}, total=False)

ReadModelCallStatsQuery = TypedDict("ReadModelCallStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['model', 'agent', 'key', 'flow', 'person', 'result']", "key": "str", "limit": "int"}, total=False)

ReadSearchCorpusStatsQuery = TypedDict("ReadSearchCorpusStatsQuery", {"from": "str", "to": "str", "step": "Literal['hour', 'day']", "time_zone": "str", "group_by": "Literal['kind']", "key": "str", "limit": "int"}, total=False)

ReadSessionStatsQuery = TypedDict("ReadSessionStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['source', 'agent', 'key', 'flow']", "key": "str", "limit": "int"}, total=False)

ReadSpendStatsQuery = TypedDict("ReadSpendStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['model', 'agent', 'key', 'flow', 'person', 'result']", "key": "str", "limit": "int"}, total=False)

ReadToolCallStatsQuery = TypedDict("ReadToolCallStatsQuery", {"from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Literal['tool', 'agent', 'key', 'result']", "key": "str", "limit": "int"}, total=False)

RestoreEnrollmentRequest = Dict[str, Any]

ResumeFlowScheduleRequest = Dict[str, Any]

RetryExecutionRequest = Dict[str, Any]

RotateFlowWebhookSecretRequest = Dict[str, Any]

RunFlowScheduleRequest = Dict[str, Any]

SendArrivalAgainRequest = Dict[str, Any]

SentArrival = Union[AcceptedTrigger, IgnoredWebhook]

Series = TypedDict("Series", {"name": "str", "from": "str", "to": "str", "step": "Literal['minute', 'hour', 'day']", "time_zone": "str", "group_by": "Union[str, None]", "times": "List[str]", "total": "SeriesTotal", "groups": "List[SeriesGroupsItem]", "truncated": "bool"}, total=False)

StopExecutionRequest = Dict[str, Any]

StreamListenerEventsQuery = TypedDict("StreamListenerEventsQuery", {"from": "Literal['kept', 'now']"}, total=False)

WebhookChallenge = Dict[str, str]

__all__ = [
    "AcceptInvitationRequest",
    "AcceptToolRequest",
    "AcceptedTrigger",
    "AcceptedWebhook",
    "Agent",
    "AgentPage",
    "AiModel",
    "AiModelPage",
    "ApiKey",
    "ApiKeyPage",
    "AppliedPolicy",
    "ApplyPolicyQuery",
    "ApprovalRequest",
    "ApprovalRequestPage",
    "ApprovalWorkflow",
    "ApprovalWorkflowPage",
    "AuditEntry",
    "AuditEntryPage",
    "BackfillState",
    "Backtest",
    "BegunLogin",
    "Budget",
    "BudgetPage",
    "CancelApprovalRequest",
    "CancelOperatorNoteRequest",
    "ChangePasswordRequest",
    "CheckPermissionRequest",
    "ConnectToolServerRequest",
    "CreateAgentRequest",
    "CreateAiModelRequest",
    "CreateApiKeyRequest",
    "CreateApprovalWorkflowRequest",
    "CreateBudgetRequest",
    "CreateEndpointRequest",
    "CreateEnrollmentRequest",
    "CreateFlowRequest",
    "CreateListenerRequest",
    "CreateNoticeChannelRequest",
    "CreatePortalLinkRequest",
    "CreatePushSubscriptionRequest",
    "CreateRoleRequest",
    "CreateSavedSearchRequest",
    "CreateToolServerRequest",
    "CreateTrackerRequest",
    "CreateUserRequest",
    "CreatedApiKey",
    "CreatedEndpoint",
    "CreatedListener",
    "CreatedPortalLink",
    "CreatedUser",
    "CredentialSighting",
    "CredentialSightingPage",
    "DecideApprovalRequest",
    "DeletionJob",
    "DeliveredNote",
    "Delivery",
    "DeliveryDetails",
    "DeliveryPage",
    "Deployment",
    "DeploymentHealth",
    "DiscoveryCandidate",
    "DiscoveryCandidatePage",
    "DiscoverySalt",
    "DiscoverySetting",
    "DueTimes",
    "EmbeddingSetting",
    "EndSessionRequest",
    "Endpoint",
    "EndpointPage",
    "Enrollment",
    "EnrollmentPage",
    "ErrorBody",
    "EventCatalogue",
    "EvidenceConfig",
    "Execution",
    "ExecutionPage",
    "ExportAuditLogQuery",
    "FinishToolServerLoginRequest",
    "Flow",
    "FlowArrival",
    "FlowArrivalPage",
    "FlowPage",
    "FlowSchedule",
    "FlowSchedulePage",
    "FlowSecret",
    "FlowSecretPage",
    "FlowTemplates",
    "FlowTracker",
    "FoundSession",
    "GitCloneConfig",
    "Health",
    "IgnoredWebhook",
    "ImportSessionsQuery",
    "ImportSummary",
    "ImportTranscriptRequest",
    "IssuedInvitation",
    "KeyLimits",
    "KillSwitch",
    "ListAgentsQuery",
    "ListAiModelsQuery",
    "ListApiKeysQuery",
    "ListApprovalRequestsQuery",
    "ListApprovalWorkflowsQuery",
    "ListAuditEntriesQuery",
    "ListBudgetsQuery",
    "ListCredentialSightingsRequest",
    "ListDeadLettersQuery",
    "ListDeliveriesQuery",
    "ListDiscoveryCandidatesQuery",
    "ListEndpointsQuery",
    "ListEnrollmentsQuery",
    "ListExecutionLogsQuery",
    "ListExecutionVulnerabilitiesQuery",
    "ListExecutionsQuery",
    "ListFlowArrivalsQuery",
    "ListFlowModelsQuery",
    "ListFlowToolsQuery",
    "ListFlowsQuery",
    "ListListenersQuery",
    "ListLoginsQuery",
    "ListNoticeChannelsQuery",
    "ListOperatorNotesQuery",
    "ListPolicyVersionsQuery",
    "ListPortalLinksQuery",
    "ListPushSubscriptionsQuery",
    "ListRolesQuery",
    "ListSavedSearchesQuery",
    "ListSchedulesQuery",
    "ListSessionsQuery",
    "ListSimilarSessionsQuery",
    "ListToolServersQuery",
    "ListToolsQuery",
    "ListTrackersQuery",
    "ListUsageQuery",
    "ListUsersQuery",
    "Listener",
    "ListenerPage",
    "Liveness",
    "LogInRequest",
    "LogLine",
    "LogLinePage",
    "Login",
    "LoginPage",
    "MergeAgentsRequest",
    "ModelChoice",
    "ModelChoicePage",
    "ModelPrices",
    "ModelTest",
    "NetworkSecret",
    "NextDueTimes",
    "NoticeChannel",
    "NoticeChannelPage",
    "OnboardDiscoveryCandidateRequest",
    "OpenSessionRequest",
    "OperatorNote",
    "OperatorNotePage",
    "Overview",
    "PauseFlowScheduleRequest",
    "PendingNotes",
    "Permission",
    "PermissionCheck",
    "Policy",
    "PolicyDecision",
    "PolicyDiff",
    "PolicyProblem",
    "PolicyValidation",
    "PolicyVersion",
    "PolicyVersionPage",
    "PortalLink",
    "PortalLinkPage",
    "PreviewScheduleRequest",
    "PushKey",
    "PushSubscription",
    "PushSubscriptionPage",
    "ReadApprovalDecisionStatsQuery",
    "ReadApprovalRequestQuery",
    "ReadApprovalStatsQuery",
    "ReadDeliveryLatencyStatsQuery",
    "ReadDeliveryStatsQuery",
    "ReadExecutionQuery",
    "ReadExecutionStatsQuery",
    "ReadModelCallStatsQuery",
    "ReadSearchCorpusStatsQuery",
    "ReadSessionStatsQuery",
    "ReadSpendStatsQuery",
    "ReadTimelineQuery",
    "ReadToolCallStatsQuery",
    "Readiness",
    "Recovery",
    "RefreshTokensRequest",
    "RegisterAccountRequest",
    "Replay",
    "ReplayEventRequest",
    "ReportDiscoveryRequest",
    "ReportingConfig",
    "RestoreEnrollmentRequest",
    "ResumeFlowScheduleRequest",
    "RetryExecutionRequest",
    "Role",
    "RolePage",
    "RollBackPolicyRequest",
    "RotateApprovalWebhookSecretRequest",
    "RotateEndpointSecretRequest",
    "RotateFlowWebhookSecretRequest",
    "RotatedFlowSecret",
    "RunFlowScheduleRequest",
    "RunSavedSearchRequest",
    "RuntimeSession",
    "RuntimeSessionPage",
    "SaveEmbeddingSettingRequest",
    "SaveFlowSecretRequest",
    "SaveTitleSettingRequest",
    "SavedApprovalWorkflow",
    "SavedSearch",
    "SavedSearchPage",
    "SavedSearchRun",
    "ScheduleConfig",
    "SearchAnswer",
    "SearchFilters",
    "SearchGrants",
    "SearchSessionsRequest",
    "SearchSnippet",
    "SendArrivalAgainRequest",
    "SendOperatorNoteRequest",
    "SentArrival",
    "SentEvent",
    "Series",
    "SetKillSwitchRequest",
    "SimilarSessions",
    "StartApprovalBypassRequest",
    "StartBacktestRequest",
    "StartDeletionRequest",
    "StartRecoveryRequest",
    "StartedRecovery",
    "StopExecutionRequest",
    "StoreInteractionRequest",
    "StoreToolCallRequest",
    "StoredContent",
    "StreamListenerEventsQuery",
    "SummarizeUsageQuery",
    "TakePendingNotesRequest",
    "TakenReports",
    "TestEndpointRequest",
    "TestNotice",
    "TestNoticeChannelRequest",
    "TestPolicyRequest",
    "TestSend",
    "TestTrackerRequest",
    "ThrownKillSwitch",
    "TimelineEntry",
    "TimelineEntryPage",
    "TitleSetting",
    "Tokens",
    "Tool",
    "ToolChoice",
    "ToolChoicePage",
    "ToolPage",
    "ToolServer",
    "ToolServerCommand",
    "ToolServerLog",
    "ToolServerPage",
    "Tracker",
    "TrackerConfig",
    "TrackerPage",
    "TrackerTrial",
    "TranscriptImport",
    "UpdateAgentRequest",
    "UpdateAiModelRequest",
    "UpdateApiKeyRequest",
    "UpdateApprovalWorkflowRequest",
    "UpdateBudgetRequest",
    "UpdateDiscoveryCandidateRequest",
    "UpdateEndpointRequest",
    "UpdateFlowRequest",
    "UpdateNoticeChannelRequest",
    "UpdatePushSubscriptionRequest",
    "UpdateRoleRequest",
    "UpdateSavedSearchRequest",
    "UpdateSessionRequest",
    "UpdateToolServerRequest",
    "UpdateTrackerRequest",
    "UpdateUserRequest",
    "UsageRow",
    "UsageRowPage",
    "UsageSummary",
    "User",
    "UserPage",
    "ValidateEnrollmentRequest",
    "Vulnerability",
    "VulnerabilityPage",
    "WebhookChallenge",
    "WebhookConfig",
]
