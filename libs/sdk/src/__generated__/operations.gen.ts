// Made from the OpenAPI document by `npm run docs`.

import type { Caller, CallOptions, RawBody } from "../caller.ts";
import type { Pages } from "../pages.ts";
import type {
  AcceptInvitationRequest,
  AcceptToolRequest,
  AcceptedTrigger,
  AcceptedWebhook,
  Agent,
  AgentPage,
  AiModel,
  AiModelPage,
  ApiKey,
  ApiKeyPage,
  AppliedPolicy,
  ApplyPolicyQuery,
  ApprovalRequest,
  ApprovalRequestPage,
  ApprovalWorkflow,
  ApprovalWorkflowPage,
  AuditEntry,
  AuditEntryPage,
  BackfillState,
  Backtest,
  BegunLogin,
  Budget,
  BudgetPage,
  CancelApprovalRequest,
  CancelOperatorNoteRequest,
  ChangePasswordRequest,
  CheckPermissionRequest,
  ConnectToolServerRequest,
  CreateAgentRequest,
  CreateAiModelRequest,
  CreateApiKeyRequest,
  CreateApprovalWorkflowRequest,
  CreateBudgetRequest,
  CreateEndpointRequest,
  CreateEnrollmentRequest,
  CreateFlowRequest,
  CreateListenerRequest,
  CreateNoticeChannelRequest,
  CreatePortalLinkRequest,
  CreatePushSubscriptionRequest,
  CreateRoleRequest,
  CreateSavedSearchRequest,
  CreateToolServerRequest,
  CreateTrackerRequest,
  CreateUserRequest,
  CreatedApiKey,
  CreatedEndpoint,
  CreatedListener,
  CreatedPortalLink,
  CreatedUser,
  CredentialSighting,
  CredentialSightingPage,
  DecideApprovalRequest,
  DeletionJob,
  Delivery,
  DeliveryDetails,
  DeliveryPage,
  Deployment,
  DeploymentHealth,
  DiscoveryCandidate,
  DiscoveryCandidatePage,
  DiscoverySalt,
  DiscoverySetting,
  DueTimes,
  EmbeddingSetting,
  EndSessionRequest,
  Endpoint,
  EndpointPage,
  Enrollment,
  EnrollmentPage,
  EventCatalogue,
  Execution,
  ExecutionPage,
  ExportAuditLogQuery,
  FinishToolServerLoginRequest,
  Flow,
  FlowArrival,
  FlowArrivalPage,
  FlowPage,
  FlowSchedule,
  FlowSchedulePage,
  FlowSecret,
  FlowSecretPage,
  FlowTemplates,
  FlowTracker,
  Health,
  ImportSessionsQuery,
  ImportSummary,
  ImportTranscriptRequest,
  IssuedInvitation,
  KillSwitch,
  ListAgentsQuery,
  ListAiModelsQuery,
  ListApiKeysQuery,
  ListApprovalRequestsQuery,
  ListApprovalWorkflowsQuery,
  ListAuditEntriesQuery,
  ListBudgetsQuery,
  ListCredentialSightingsRequest,
  ListDeadLettersQuery,
  ListDeliveriesQuery,
  ListDiscoveryCandidatesQuery,
  ListEndpointsQuery,
  ListEnrollmentsQuery,
  ListExecutionLogsQuery,
  ListExecutionVulnerabilitiesQuery,
  ListExecutionsQuery,
  ListFlowArrivalsQuery,
  ListFlowModelsQuery,
  ListFlowToolsQuery,
  ListFlowsQuery,
  ListListenersQuery,
  ListLoginsQuery,
  ListNoticeChannelsQuery,
  ListOperatorNotesQuery,
  ListPolicyVersionsQuery,
  ListPortalLinksQuery,
  ListPushSubscriptionsQuery,
  ListRolesQuery,
  ListSavedSearchesQuery,
  ListSchedulesQuery,
  ListSessionsQuery,
  ListSimilarSessionsQuery,
  ListToolServersQuery,
  ListToolsQuery,
  ListTrackersQuery,
  ListUsageQuery,
  ListUsersQuery,
  Listener,
  ListenerPage,
  Liveness,
  LogInRequest,
  LogLine,
  LogLinePage,
  Login,
  LoginPage,
  MergeAgentsRequest,
  ModelChoice,
  ModelChoicePage,
  ModelTest,
  NextDueTimes,
  NoticeChannel,
  NoticeChannelPage,
  OnboardDiscoveryCandidateRequest,
  OpenSessionRequest,
  OperatorNote,
  OperatorNotePage,
  Overview,
  PauseFlowScheduleRequest,
  PendingNotes,
  PermissionCheck,
  Policy,
  PolicyDecision,
  PolicyDiff,
  PolicyValidation,
  PolicyVersion,
  PolicyVersionPage,
  PortalLink,
  PortalLinkPage,
  PreviewScheduleRequest,
  PushKey,
  PushSubscription,
  PushSubscriptionPage,
  ReadApprovalDecisionStatsQuery,
  ReadApprovalRequestQuery,
  ReadApprovalStatsQuery,
  ReadDeliveryLatencyStatsQuery,
  ReadDeliveryStatsQuery,
  ReadExecutionQuery,
  ReadExecutionStatsQuery,
  ReadModelCallStatsQuery,
  ReadSearchCorpusStatsQuery,
  ReadSessionStatsQuery,
  ReadSpendStatsQuery,
  ReadTimelineQuery,
  ReadToolCallStatsQuery,
  Readiness,
  Recovery,
  RefreshTokensRequest,
  RegisterAccountRequest,
  Replay,
  ReplayEventRequest,
  ReportDiscoveryRequest,
  RestoreEnrollmentRequest,
  ResumeFlowScheduleRequest,
  RetryExecutionRequest,
  Role,
  RolePage,
  RollBackPolicyRequest,
  RotateApprovalWebhookSecretRequest,
  RotateEndpointSecretRequest,
  RotateFlowWebhookSecretRequest,
  RotatedFlowSecret,
  RunFlowScheduleRequest,
  RunSavedSearchRequest,
  RuntimeSession,
  RuntimeSessionPage,
  SaveEmbeddingSettingRequest,
  SaveFlowSecretRequest,
  SaveTitleSettingRequest,
  SavedApprovalWorkflow,
  SavedSearch,
  SavedSearchPage,
  SavedSearchRun,
  SearchAnswer,
  SearchGrants,
  SearchSessionsRequest,
  SendArrivalAgainRequest,
  SendOperatorNoteRequest,
  SentArrival,
  SentEvent,
  Series,
  SetKillSwitchRequest,
  SimilarSessions,
  StartApprovalBypassRequest,
  StartBacktestRequest,
  StartDeletionRequest,
  StartRecoveryRequest,
  StartedRecovery,
  StopExecutionRequest,
  StoreInteractionRequest,
  StoreToolCallRequest,
  StoredContent,
  StreamListenerEventsQuery,
  SummarizeUsageQuery,
  TakePendingNotesRequest,
  TakenReports,
  TestEndpointRequest,
  TestNotice,
  TestNoticeChannelRequest,
  TestPolicyRequest,
  TestSend,
  TestTrackerRequest,
  ThrownKillSwitch,
  TimelineEntry,
  TimelineEntryPage,
  TitleSetting,
  Tokens,
  Tool,
  ToolChoice,
  ToolChoicePage,
  ToolPage,
  ToolServer,
  ToolServerLog,
  ToolServerPage,
  Tracker,
  TrackerPage,
  TrackerTrial,
  TranscriptImport,
  UpdateAgentRequest,
  UpdateAiModelRequest,
  UpdateApiKeyRequest,
  UpdateApprovalWorkflowRequest,
  UpdateBudgetRequest,
  UpdateDiscoveryCandidateRequest,
  UpdateEndpointRequest,
  UpdateFlowRequest,
  UpdateNoticeChannelRequest,
  UpdatePushSubscriptionRequest,
  UpdateRoleRequest,
  UpdateSavedSearchRequest,
  UpdateSessionRequest,
  UpdateToolServerRequest,
  UpdateTrackerRequest,
  UpdateUserRequest,
  UsageRow,
  UsageRowPage,
  UsageSummary,
  User,
  UserPage,
  ValidateEnrollmentRequest,
  Vulnerability,
  VulnerabilityPage,
  WebhookChallenge,
} from "./types.gen.ts";

const encode = encodeURIComponent;

/** One method for each operation of the API. Paths, fields and answers are as the service documents them. */
export class Operations {
  /** Sends requests of operations that have no method here. */
  readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Read the kill switch: whether the agents of the account are stopped, since when and by whom.
   *
   * Permission: `view_agents`.
   */
  readKillSwitch(options?: CallOptions): Promise<KillSwitch> {
    return this.caller.call({ method: "GET", path: "/api/v1/account/kill-switch" }, options);
  }

  /**
   * Engage or release the kill switch, which stops all agents of the account.
   *
   * While the kill switch is engaged, model calls, tool calls, permission checks, triggers and decisions on approval requests are refused with 403 kill_switch_engaged, executions are stopped and pending approval requests are cancelled. The response is sent after the executions have been stopped and the requests have been cancelled; if this call fails, repeating it completes the remaining work.
   *
   * Permission: `manage_kill_switch`.
   */
  setKillSwitch(body: SetKillSwitchRequest, options?: CallOptions): Promise<ThrownKillSwitch> {
    return this.caller.call({ method: "PUT", path: "/api/v1/account/kill-switch", body }, options);
  }

  /**
   * Register an agent. API keys that are bound to the agent’s id act as the agent.
   *
   * Permission: `manage_agents`.
   */
  createAgent(body: CreateAgentRequest, options?: CallOptions): Promise<Agent> {
    return this.caller.call({ method: "POST", path: "/api/v1/agents", body }, options);
  }

  /**
   * List the agents of the account, newest first.
   *
   * Permission: `view_agents`.
   */
  listAgents(query: ListAgentsQuery = {}, options?: CallOptions): Pages<AgentPage, Agent> {
    return this.caller.list({ path: "/api/v1/agents", query }, options);
  }

  /**
   * List agents that workstations reported, newest first. A candidate that has not been reported for 90 days is deleted.
   *
   * Permission: `view_agents`.
   */
  listDiscoveryCandidates(
    query: ListDiscoveryCandidatesQuery = {},
    options?: CallOptions,
  ): Pages<DiscoveryCandidatePage, DiscoveryCandidate> {
    return this.caller.list({ path: "/api/v1/agents/discovery-candidates", query }, options);
  }

  /**
   * Ignore a candidate, or stop ignoring it.
   *
   * Permission: `manage_agents`.
   */
  updateDiscoveryCandidate(
    candidateId: string,
    body: UpdateDiscoveryCandidateRequest,
    options?: CallOptions,
  ): Promise<DiscoveryCandidate> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/agents/discovery-candidates/${encode(candidateId)}`, body },
      options,
    );
  }

  /**
   * Register a candidate as an agent.
   *
   * Permission: `manage_agents`.
   */
  onboardDiscoveryCandidate(
    candidateId: string,
    body: OnboardDiscoveryCandidateRequest = {},
    options?: CallOptions,
  ): Promise<Agent> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/agents/discovery-candidates/${encode(candidateId)}/onboard`, body },
      options,
    );
  }

  /**
   * Report the agents of a workstation. The workstation and the paths of configuration files are sent only as hashes. For each new agent, `agent.discovered` is emitted once.
   *
   * Permission: `report_discovery`.
   *
   * The operation can also be used with keys that can only report discoveries.
   */
  reportDiscovery(body: ReportDiscoveryRequest, options?: CallOptions): Promise<TakenReports> {
    return this.caller.call(
      { method: "POST", path: "/api/v1/agents/discovery-reports", body, repeat: "always" },
      options,
    );
  }

  /**
   * Read the salt that the workstations of the account use for hashing.
   *
   * Permission: `report_discovery`.
   *
   * The operation can also be used with keys that can only report discoveries.
   */
  readDiscoverySalt(options?: CallOptions): Promise<DiscoverySalt> {
    return this.caller.call({ method: "GET", path: "/api/v1/agents/discovery-salt" }, options);
  }

  /**
   * Read whether workstations may report their agents.
   *
   * Permission: `view_agents`.
   */
  readDiscoverySetting(options?: CallOptions): Promise<DiscoverySetting> {
    return this.caller.call({ method: "GET", path: "/api/v1/agents/discovery-setting" }, options);
  }

  /**
   * Accept or refuse reports from workstations. Existing candidates are retained.
   *
   * Permission: `manage_agents`.
   */
  saveDiscoverySetting(body: DiscoverySetting, options?: CallOptions): Promise<DiscoverySetting> {
    return this.caller.call({ method: "PUT", path: "/api/v1/agents/discovery-setting", body }, options);
  }

  /**
   * Take the pending notes of an agent.
   *
   * Call the operation with the credential of the agent, because a caller gets only the notes for its own agent, execution and sessions. A note counts as delivered, and is not returned again, once the response has been written.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  takePendingNotes(body: TakePendingNotesRequest = {}, options?: CallOptions): Promise<PendingNotes> {
    return this.caller.call({ method: "POST", path: "/api/v1/agents/notes/pending", body }, options);
  }

  /**
   * Check whether an agent may call a tool, before the call.
   *
   * Any response other than 200 with the decision "allow" means that the call is not permitted. Tools of /mcp/v1 (server "steward") are allowed here, because the MCP endpoint decides on their calls itself. If the same call is repeated while its approval request is pending, the decision is "pending" again, and no second request is created. Within 15 minutes after an approval, the call is allowed once; within one minute after a decline, it is denied. In all other cases, the call creates a new request.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  checkPermission(body: CheckPermissionRequest, options?: CallOptions): Promise<PermissionCheck> {
    return this.caller.call(
      { method: "POST", path: "/api/v1/agents/permission-check", body, repeat: "always" },
      options,
    );
  }

  /**
   * Read an agent. For a merged agent, "merged_into" is the id of the agent that replaced it.
   *
   * Permission: `view_agents`.
   */
  readAgent(agentId: string, options?: CallOptions): Promise<Agent> {
    return this.caller.call({ method: "GET", path: `/api/v1/agents/${encode(agentId)}` }, options);
  }

  /**
   * Update an agent; omitted fields keep their values. The keys of a suspended agent are refused from the next request on.
   *
   * Permission: `manage_agents`.
   */
  updateAgent(agentId: string, body: UpdateAgentRequest, options?: CallOptions): Promise<Agent> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/agents/${encode(agentId)}`, body }, options);
  }

  /**
   * Retire an agent. The agent’s keys are revoked and its history is retained.
   *
   * Permission: `manage_agents`.
   */
  retireAgent(agentId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/agents/${encode(agentId)}` }, options);
  }

  /**
   * Create an enrollment of an agent. If the enrollment is created with the status `validated`, `agent.onboarded` is emitted.
   *
   * Permission: `manage_agents`.
   */
  createEnrollment(agentId: string, body: CreateEnrollmentRequest, options?: CallOptions): Promise<Enrollment> {
    return this.caller.call({ method: "POST", path: `/api/v1/agents/${encode(agentId)}/enrollments`, body }, options);
  }

  /**
   * List the enrollments of an agent, newest first.
   *
   * Permission: `view_agents`.
   */
  listEnrollments(
    agentId: string,
    query: ListEnrollmentsQuery = {},
    options?: CallOptions,
  ): Pages<EnrollmentPage, Enrollment> {
    return this.caller.list({ path: `/api/v1/agents/${encode(agentId)}/enrollments`, query }, options);
  }

  /**
   * Record that the agent’s configuration was restored, and end the enrollment.
   *
   * Permission: `manage_agents`.
   */
  restoreEnrollment(
    agentId: string,
    enrollmentId: string,
    body: RestoreEnrollmentRequest = {},
    options?: CallOptions,
  ): Promise<Enrollment> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/agents/${encode(agentId)}/enrollments/${encode(enrollmentId)}/restore`, body },
      options,
    );
  }

  /**
   * Report the result of an enrollment check. The first successful check emits `agent.onboarded`.
   *
   * Permission: `manage_agents`.
   */
  validateEnrollment(
    agentId: string,
    enrollmentId: string,
    body: ValidateEnrollmentRequest,
    options?: CallOptions,
  ): Promise<Enrollment> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/agents/${encode(agentId)}/enrollments/${encode(enrollmentId)}/validate`, body },
      options,
    );
  }

  /**
   * Merge two agents.
   *
   * Keys, enrollments, pending notes and budgets of the duplicate move to this agent, and the duplicate is retired. Existing records keep the id of the duplicate and can be found by the id of either agent.
   *
   * Permission: `manage_agents`.
   */
  mergeAgents(agentId: string, body: MergeAgentsRequest, options?: CallOptions): Promise<Agent> {
    return this.caller.call({ method: "POST", path: `/api/v1/agents/${encode(agentId)}/merge`, body }, options);
  }

  /**
   * Add a model that clients of the account can call.
   *
   * Permission: `manage_ai_models`.
   */
  createAiModel(body: CreateAiModelRequest, options?: CallOptions): Promise<AiModel> {
    return this.caller.call({ method: "POST", path: "/api/v1/ai-models", body }, options);
  }

  /**
   * List the models of the account, newest first.
   *
   * Permission: `view_ai_models`.
   */
  listAiModels(query: ListAiModelsQuery = {}, options?: CallOptions): Pages<AiModelPage, AiModel> {
    return this.caller.list({ path: "/api/v1/ai-models", query }, options);
  }

  /**
   * Read a model.
   *
   * Permission: `view_ai_models`.
   */
  readAiModel(aiModelId: string, options?: CallOptions): Promise<AiModel> {
    return this.caller.call({ method: "GET", path: `/api/v1/ai-models/${encode(aiModelId)}` }, options);
  }

  /**
   * Update a model; omitted fields keep their values.
   *
   * Changing the provider or the origin of the base URL removes a stored key. If the provider changes and the request contains no base URL, the model gets the base URL of the new provider. Changes take effect with the next call of the model.
   *
   * Permission: `manage_ai_models`.
   */
  updateAiModel(aiModelId: string, body: UpdateAiModelRequest, options?: CallOptions): Promise<AiModel> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/ai-models/${encode(aiModelId)}`, body }, options);
  }

  /**
   * Delete a model. A model that is a fallback of another model, or that a flow uses, cannot be deleted.
   *
   * Permission: `manage_ai_models`.
   */
  deleteAiModel(aiModelId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/ai-models/${encode(aiModelId)}` }, options);
  }

  /**
   * Test a model: request a few tokens and report whether it responded.
   *
   * The service makes one call of at most 30 seconds, without retries or fallbacks, even if the model is disabled. If the caller’s API key has limits, the call counts toward them and is recorded as usage; otherwise, no usage is recorded. `error` is a short message that never contains the key, and contains at most a short code from the provider.
   *
   * Permission: `manage_ai_models`.
   */
  testAiModel(aiModelId: string, options?: CallOptions): Promise<ModelTest> {
    return this.caller.call({ method: "POST", path: `/api/v1/ai-models/${encode(aiModelId)}/test` }, options);
  }

  /**
   * List the approval requests of the account, newest first.
   *
   * Permission: `view_approvals`.
   *
   * The operation can also be used with API keys that are bound to an agent.
   */
  listApprovalRequests(
    query: ListApprovalRequestsQuery = {},
    options?: CallOptions,
  ): Pages<ApprovalRequestPage, ApprovalRequest> {
    return this.caller.list({ path: "/api/v1/approval-requests", query }, options);
  }

  /**
   * Read an approval request. With `wait`, the response is delayed until the request is no longer pending or the wait time is over.
   *
   * Permission: `view_approvals`.
   *
   * The operation can also be used with API keys that are bound to an agent.
   */
  readApprovalRequest(
    approvalRequestId: string,
    query: ReadApprovalRequestQuery = {},
    options?: CallOptions,
  ): Promise<ApprovalRequest> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/approval-requests/${encode(approvalRequestId)}`, query },
      options,
    );
  }

  /**
   * Cancel an approval request that no longer needs a decision.
   *
   * A request can be cancelled by the caller whose call needs the approval, and by everyone who may decide approvals.
   *
   * Permission: `view_approvals`.
   *
   * The operation can also be used with API keys that are bound to an agent.
   */
  cancelApprovalRequest(
    approvalRequestId: string,
    body: CancelApprovalRequest = {},
    options?: CallOptions,
  ): Promise<ApprovalRequest> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/approval-requests/${encode(approvalRequestId)}/cancel`, body },
      options,
    );
  }

  /**
   * Approve or decline a pending call.
   *
   * The vote is attributed to the person who owns the credential. A key that is bound to an agent cannot decide.
   *
   * Permission: `decide_approvals`.
   */
  decideApprovalRequest(
    approvalRequestId: string,
    body: DecideApprovalRequest,
    options?: CallOptions,
  ): Promise<ApprovalRequest> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/approval-requests/${encode(approvalRequestId)}/decide`, body },
      options,
    );
  }

  /**
   * Create an approval workflow, which defines approvers and a quorum.
   *
   * If the workflow has webhook receivers, their signing secret is returned only in this response.
   *
   * Permission: `manage_approval_workflows`.
   */
  createApprovalWorkflow(body: CreateApprovalWorkflowRequest, options?: CallOptions): Promise<SavedApprovalWorkflow> {
    return this.caller.call({ method: "POST", path: "/api/v1/approval-workflows", body }, options);
  }

  /**
   * List the approval workflows of the account, newest first.
   *
   * Permission: `view_approvals`.
   */
  listApprovalWorkflows(
    query: ListApprovalWorkflowsQuery = {},
    options?: CallOptions,
  ): Pages<ApprovalWorkflowPage, ApprovalWorkflow> {
    return this.caller.list({ path: "/api/v1/approval-workflows", query }, options);
  }

  /**
   * Read an approval workflow.
   *
   * Permission: `view_approvals`.
   */
  readApprovalWorkflow(workflowId: string, options?: CallOptions): Promise<ApprovalWorkflow> {
    return this.caller.call({ method: "GET", path: `/api/v1/approval-workflows/${encode(workflowId)}` }, options);
  }

  /**
   * Update an approval workflow; omitted fields keep their values.
   *
   * Changes also apply to pending requests, with two exceptions: the times of their escalation and expiry remain the same, and a raised quorum applies only to new requests. If the quorum is lowered, pending requests that now have enough approvals are approved.
   *
   * Permission: `manage_approval_workflows`.
   */
  updateApprovalWorkflow(
    workflowId: string,
    body: UpdateApprovalWorkflowRequest,
    options?: CallOptions,
  ): Promise<SavedApprovalWorkflow> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/approval-workflows/${encode(workflowId)}`, body },
      options,
    );
  }

  /**
   * Delete an approval workflow, together with its receivers.
   *
   * The workflow must have no pending requests, and the policy in force must not name it.
   *
   * Permission: `manage_approval_workflows`.
   */
  deleteApprovalWorkflow(workflowId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/approval-workflows/${encode(workflowId)}` }, options);
  }

  /**
   * Approve all new requests of a workflow automatically, for a limited time.
   *
   * Requests that are already pending remain pending. A new bypass replaces the active one.
   *
   * Permission: `manage_approval_workflows`.
   */
  startApprovalBypass(
    workflowId: string,
    body: StartApprovalBypassRequest,
    options?: CallOptions,
  ): Promise<ApprovalWorkflow> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/approval-workflows/${encode(workflowId)}/bypass`, body },
      options,
    );
  }

  /**
   * End a bypass. Without an active bypass, nothing changes.
   *
   * Permission: `manage_approval_workflows`.
   */
  endApprovalBypass(workflowId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/approval-workflows/${encode(workflowId)}/bypass` },
      options,
    );
  }

  /**
   * Replace the signing secret of a workflow’s receivers. The next delivery is signed with the new secret.
   *
   * Permission: `manage_approval_workflows`.
   */
  rotateApprovalWebhookSecret(
    workflowId: string,
    body: RotateApprovalWebhookSecretRequest = {},
    options?: CallOptions,
  ): Promise<SavedApprovalWorkflow> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/approval-workflows/${encode(workflowId)}/webhook-secret/rotate`, body },
      options,
    );
  }

  /**
   * List the audit log, newest first.
   *
   * Permission: `view_audit_logs`.
   */
  listAuditEntries(query: ListAuditEntriesQuery = {}, options?: CallOptions): Pages<AuditEntryPage, AuditEntry> {
    return this.caller.list({ path: "/api/v1/audit-log", query }, options);
  }

  /**
   * Download the audit log with its seals, oldest first.
   *
   * The response consists of JSON lines. The first line is `{"record": "log", "account_id", "after", "digest"}`, with `"removed": {"seals", "entries"}` if retention removed all seals before the exported ones. For each seal, its entries `{"record": "entry", ...}` follow, and then the seal `{"record": "seal", "number", "entries", "previous_digest", "digest", "sealed_at"}`. The last line is `{"record": "end", "seals": n, "entries": n, "unsealed": n, "unknown": n}`; a response without this line is incomplete. The digest of a seal is computed from the digest of the previous seal: for each entry in order, the next digest is the SHA-256 of 64 bytes, namely the current digest followed by the SHA-256 of the entry as canonical JSON (RFC 8785).
   *
   * Permission: `view_audit_logs`.
   */
  exportAuditLog(query: ExportAuditLogQuery = {}, options?: CallOptions): Promise<Response> {
    return this.caller.call({ method: "GET", path: "/api/v1/audit-log/export", query, answer: "response" }, options);
  }

  /**
   * List API keys, newest first: your own or, with manage_users, all keys of the account.
   *
   * With an API key, only this key and the keys created with it are listed.
   *
   * The operation can be used with every credential of a person.
   *
   * The operation can also be used with API keys that are bound to an agent.
   */
  listApiKeys(query: ListApiKeysQuery = {}, options?: CallOptions): Pages<ApiKeyPage, ApiKey> {
    return this.caller.list({ path: "/api/v1/auth/api-keys", query }, options);
  }

  /**
   * Create an API key. Clients send the key as a bearer token.
   *
   * If one key is used to create another, the new key cannot have scopes that its parent lacks, and cannot expire later than its parent. If the parent is bound, the new key has the same binding. If `scopes`, `expires_at` or `runtime_principal` is omitted, the new key inherits the value of its parent, except that the scope `manage_api_keys` is never inherited. The new key stops working when its parent does.
   *
   * The operation can be used with every credential of a person.
   */
  createApiKey(body: CreateApiKeyRequest, options?: CallOptions): Promise<CreatedApiKey> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/api-keys", body }, options);
  }

  /**
   * Rename an API key, or change its limits; new limits apply from the key’s next call on.
   *
   * Omitted fields keep their values; `limits` are replaced as a whole, and null removes them.
   *
   * The operation can be used with every credential of a person.
   */
  updateApiKey(apiKeyId: string, body: UpdateApiKeyRequest, options?: CallOptions): Promise<ApiKey> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/auth/api-keys/${encode(apiKeyId)}`, body }, options);
  }

  /**
   * Revoke an API key and all keys created with it, effective from the next request on.
   *
   * The operation can be used with every credential of a person.
   */
  revokeApiKey(apiKeyId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/auth/api-keys/${encode(apiKeyId)}` }, options);
  }

  /**
   * Accept an invitation by choosing a password. An invitation can be used only once. Log in afterwards to get a token.
   *
   * No credential is required.
   */
  acceptInvitation(body: AcceptInvitationRequest, options?: CallOptions): Promise<User> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/invitations/accept", body }, options);
  }

  /**
   * Log out. The tokens of this login stop working from the next request on.
   *
   * The operation can be used with every credential of a person.
   */
  logOut(options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/logout" }, options);
  }

  /**
   * Exchange a refresh token for a new access token and a new refresh token.
   *
   * A refresh token can be used only once. If it is used a second time, the login ends, because the token may have been stolen.
   *
   * No credential is required.
   */
  refreshTokens(body: RefreshTokensRequest, options?: CallOptions): Promise<Tokens> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/refresh", body }, options);
  }

  /**
   * Create an account and its owner. Log in afterwards to get a token.
   *
   * The configuration of the deployment determines who may register: anyone, only the first account, or nobody.
   *
   * No credential is required.
   */
  registerAccount(body: RegisterAccountRequest, options?: CallOptions): Promise<User> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/register", body }, options);
  }

  /**
   * List your logins, newest first.
   *
   * The operation can be used with every credential of a person.
   */
  listLogins(query: ListLoginsQuery = {}, options?: CallOptions): Pages<LoginPage, Login> {
    return this.caller.list({ path: "/api/v1/auth/sessions", query }, options);
  }

  /**
   * Log out everywhere. The tokens of all your logins stop working, including this one.
   *
   * API keys are not logins and keep working. They have to be revoked individually.
   *
   * The operation can be used with every credential of a person.
   */
  endAllLogins(options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/sessions/revoke-all" }, options);
  }

  /**
   * End one of your logins. Its tokens stop working from the next request on.
   *
   * The operation can be used with every credential of a person.
   */
  endLogin(sessionId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/auth/sessions/${encode(sessionId)}` }, options);
  }

  /**
   * Log in with JSON.
   *
   * No credential is required.
   */
  logIn(body: LogInRequest, options?: CallOptions): Promise<Tokens> {
    return this.caller.call({ method: "POST", path: "/api/v1/auth/token/json", body }, options);
  }

  /**
   * Create a budget for model calls. Calls made earlier in the current period count toward it.
   *
   * Permission: `manage_budgets`.
   */
  createBudget(body: CreateBudgetRequest, options?: CallOptions): Promise<Budget> {
    return this.caller.call({ method: "POST", path: "/api/v1/budgets", body }, options);
  }

  /**
   * List the budgets of the account with their spend, newest first.
   *
   * Permission: `view_cost`.
   */
  listBudgets(query: ListBudgetsQuery = {}, options?: CallOptions): Pages<BudgetPage, Budget> {
    return this.caller.list({ path: "/api/v1/budgets", query }, options);
  }

  /**
   * Read a budget with the spend of its current period.
   *
   * Permission: `view_cost`.
   */
  readBudget(budgetId: string, options?: CallOptions): Promise<Budget> {
    return this.caller.call({ method: "GET", path: `/api/v1/budgets/${encode(budgetId)}` }, options);
  }

  /**
   * Update the terms of a budget; omitted fields keep their values.
   *
   * After the limit is raised, thresholds above the current spend can alert again.
   *
   * Permission: `manage_budgets`.
   */
  updateBudget(budgetId: string, body: UpdateBudgetRequest, options?: CallOptions): Promise<Budget> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/budgets/${encode(budgetId)}`, body }, options);
  }

  /**
   * Delete a budget. Calls in flight are still completed.
   *
   * Permission: `manage_budgets`.
   */
  deleteBudget(budgetId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/budgets/${encode(budgetId)}` }, options);
  }

  /**
   * Describe this deployment.
   *
   * Without a credential, the response contains only the information that the sign-in page needs.
   *
   * The credential is optional.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readDeployment(options?: CallOptions): Promise<Deployment> {
    return this.caller.call({ method: "GET", path: "/api/v1/deployment" }, options);
  }

  /**
   * Read the state of the queues, processes and database of this deployment.
   *
   * Only users of the accounts in `OPERATOR_ACCOUNTS` may read the health of the deployment. If that setting is empty, users may read the health only if the deployment has a single account. Figures are at most 10 seconds old.
   *
   * Permission: `manage_users`.
   */
  readDeploymentHealth(options?: CallOptions): Promise<DeploymentHealth> {
    return this.caller.call({ method: "GET", path: "/api/v1/deployment/health" }, options);
  }

  /**
   * List event types with their schemas, and read the headers, signature and retry schedule of deliveries.
   *
   * Permission: `view_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  readEventCatalogue(options?: CallOptions): Promise<EventCatalogue> {
    return this.caller.call({ method: "GET", path: "/api/v1/event-webhooks/catalogue" }, options);
  }

  /**
   * List deliveries, newest first.
   *
   * Permission: `view_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  listDeliveries(query: ListDeliveriesQuery = {}, options?: CallOptions): Pages<DeliveryPage, Delivery> {
    return this.caller.list({ path: "/api/v1/event-webhooks/deliveries", query }, options);
  }

  /**
   * List dead deliveries, for which no further attempt is scheduled, newest first.
   *
   * Permission: `view_policies`.
   */
  listDeadLetters(query: ListDeadLettersQuery = {}, options?: CallOptions): Pages<DeliveryPage, Delivery> {
    return this.caller.list({ path: "/api/v1/event-webhooks/deliveries/dead-letter", query }, options);
  }

  /**
   * Send dead deliveries of a time range again, in the background, or only count them.
   *
   * Permission: `manage_policies`.
   */
  startRecovery(body: StartRecoveryRequest, options?: CallOptions): Promise<StartedRecovery> {
    return this.caller.call({ method: "POST", path: "/api/v1/event-webhooks/deliveries/recover", body }, options);
  }

  /**
   * Read the progress of a recovery.
   *
   * Permission: `view_policies`.
   */
  readRecovery(recoveryId: string, options?: CallOptions): Promise<Recovery> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/event-webhooks/deliveries/recover/${encode(recoveryId)}` },
      options,
    );
  }

  /**
   * Read a delivery with its attempts and the reason for its state.
   *
   * Permission: `view_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  readDelivery(deliveryId: string, options?: CallOptions): Promise<DeliveryDetails> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/event-webhooks/deliveries/${encode(deliveryId)}` },
      options,
    );
  }

  /**
   * Send an event again to every endpoint to which it was sent before, or to one of them.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  replayEvent(eventId: string, body: ReplayEventRequest = {}, options?: CallOptions): Promise<Replay> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/event-webhooks/deliveries/${encode(eventId)}/replay`, body },
      options,
    );
  }

  /**
   * Register a webhook endpoint. The signing secret is returned only in this response.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  createEndpoint(body: CreateEndpointRequest, options?: CallOptions): Promise<CreatedEndpoint> {
    return this.caller.call({ method: "POST", path: "/api/v1/event-webhooks/endpoints", body }, options);
  }

  /**
   * List webhook endpoints, newest first.
   *
   * Permission: `view_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  listEndpoints(query: ListEndpointsQuery = {}, options?: CallOptions): Pages<EndpointPage, Endpoint> {
    return this.caller.list({ path: "/api/v1/event-webhooks/endpoints", query }, options);
  }

  /**
   * Read an endpoint with the state of its circuit breaker and the outcome of its last delivery.
   *
   * Permission: `view_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  readEndpoint(endpointId: string, options?: CallOptions): Promise<Endpoint> {
    return this.caller.call({ method: "GET", path: `/api/v1/event-webhooks/endpoints/${encode(endpointId)}` }, options);
  }

  /**
   * Update an endpoint. A new URL or `active: true` closes the circuit breaker immediately.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  updateEndpoint(endpointId: string, body: UpdateEndpointRequest, options?: CallOptions): Promise<Endpoint> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/event-webhooks/endpoints/${encode(endpointId)}`, body },
      options,
    );
  }

  /**
   * Delete an endpoint. Its pending deliveries are cancelled. The history of its deliveries is stored until the retention period ends.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  deleteEndpoint(endpointId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/event-webhooks/endpoints/${encode(endpointId)}` },
      options,
    );
  }

  /**
   * Replace the signing secret. Until `overlap_seconds` have passed, deliveries are also signed with the old secret.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  rotateEndpointSecret(
    endpointId: string,
    body: RotateEndpointSecretRequest = {},
    options?: CallOptions,
  ): Promise<CreatedEndpoint> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/event-webhooks/endpoints/${encode(endpointId)}/secret/rotate`, body },
      options,
    );
  }

  /**
   * Send a test event, or the example event of an event type, to one endpoint, regardless of its subscriptions.
   *
   * An example event contains the example data of the catalog, including the ids in that data; the event itself has a new id and the current time. The event is delivered like any other event of its type.
   *
   * Permission: `manage_policies`.
   *
   * The operation can also be used with portal links, which are limited to the endpoints of their group.
   */
  testEndpoint(endpointId: string, body: TestEndpointRequest = {}, options?: CallOptions): Promise<TestSend> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/event-webhooks/endpoints/${encode(endpointId)}/test`, body },
      options,
    );
  }

  /**
   * Read an event as it is sent: its body and the headers common to all attempts.
   *
   * An event is stored at least until all of its deliveries have been deleted. Signature, timestamp and attempt number differ per attempt.
   *
   * Permission: `manage_policies`.
   */
  readSentEvent(eventId: string, options?: CallOptions): Promise<SentEvent> {
    return this.caller.call({ method: "GET", path: `/api/v1/event-webhooks/events/${encode(eventId)}` }, options);
  }

  /**
   * Create a listener, which reads events as a stream. The signing secret is returned only in this response.
   *
   * Permission: `manage_policies`.
   */
  createListener(body: CreateListenerRequest = {}, options?: CallOptions): Promise<CreatedListener> {
    return this.caller.call({ method: "POST", path: "/api/v1/event-webhooks/listeners", body }, options);
  }

  /**
   * List listeners, newest first.
   *
   * Permission: `view_policies`.
   */
  listListeners(query: ListListenersQuery = {}, options?: CallOptions): Pages<ListenerPage, Listener> {
    return this.caller.list({ path: "/api/v1/event-webhooks/listeners", query }, options);
  }

  /**
   * Change the description or the event types of a listener. New event types apply to new events only.
   *
   * Permission: `manage_policies`.
   */
  updateListener(listenerId: string, body: CreateListenerRequest, options?: CallOptions): Promise<Listener> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/event-webhooks/listeners/${encode(listenerId)}`, body },
      options,
    );
  }

  /**
   * Delete a listener together with its unread events. An open stream ends.
   *
   * Permission: `manage_policies`.
   */
  deleteListener(listenerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/event-webhooks/listeners/${encode(listenerId)}` },
      options,
    );
  }

  /**
   * Stream the events of a listener. Each event is sent at least once and is signed like a webhook.
   *
   * The response consists of server-sent events: `event` is the event type; `data` is an object with the `headers` and the `body` of a webhook with this event; `id` is the position to send as `Last-Event-ID`. A `ping` is sent every 15 s.
   *
   * Permission: `manage_policies`.
   */
  streamListenerEvents(
    listenerId: string,
    query: StreamListenerEventsQuery = {},
    options?: CallOptions,
  ): Promise<Response> {
    return this.caller.call(
      {
        method: "GET",
        path: `/api/v1/event-webhooks/listeners/${encode(listenerId)}/events`,
        query,
        answer: "response",
      },
      options,
    );
  }

  /**
   * Create a link with which a customer can manage the endpoints of one group for one hour.
   *
   * The link opens a page that can be embedded in the pages of the given origins. Endpoints of the group receive events of the whole account. Choose only event types that the holder of the link may see.
   *
   * Permission: `manage_policies`.
   */
  createPortalLink(body: CreatePortalLinkRequest, options?: CallOptions): Promise<CreatedPortalLink> {
    return this.caller.call({ method: "POST", path: "/api/v1/event-webhooks/portal-links", body }, options);
  }

  /**
   * List portal links that have not expired, newest first.
   *
   * Permission: `view_policies`.
   */
  listPortalLinks(query: ListPortalLinksQuery = {}, options?: CallOptions): Pages<PortalLinkPage, PortalLink> {
    return this.caller.list({ path: "/api/v1/event-webhooks/portal-links", query }, options);
  }

  /**
   * Revoke a portal link, effective from the next request on. The endpoints remain.
   *
   * Permission: `manage_policies`.
   */
  deletePortalLink(portalLinkId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/event-webhooks/portal-links/${encode(portalLinkId)}` },
      options,
    );
  }

  /**
   * List the named secrets of flows, sorted by name, all on one page. Values are not returned.
   *
   * Permission: `edit_flows`.
   */
  listFlowSecrets(options?: CallOptions): Pages<FlowSecretPage, FlowSecret> {
    return this.caller.list({ path: "/api/v1/flow-secrets" }, options);
  }

  /**
   * Read the time at which a named secret was set. The value of the secret is not returned.
   *
   * Permission: `edit_flows`.
   */
  readFlowSecret(name: string, options?: CallOptions): Promise<FlowSecret> {
    return this.caller.call({ method: "GET", path: `/api/v1/flow-secrets/${encode(name)}` }, options);
  }

  /**
   * Create or replace a named secret. Flows of the account refer to it as {{secret.NAME}}.
   *
   * Permission: `edit_flows`.
   */
  saveFlowSecret(name: string, body: SaveFlowSecretRequest, options?: CallOptions): Promise<FlowSecret> {
    return this.caller.call({ method: "PUT", path: `/api/v1/flow-secrets/${encode(name)}`, body }, options);
  }

  /**
   * Delete a named secret. Executions of flows that refer to the secret fail from now on.
   *
   * Permission: `edit_flows`.
   */
  deleteFlowSecret(name: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/flow-secrets/${encode(name)}` }, options);
  }

  /**
   * List flow templates, each with a variant for every kind of tracker that it supports.
   *
   * Permission: `view_flows`.
   */
  listFlowTemplates(options?: CallOptions): Promise<FlowTemplates> {
    return this.caller.call({ method: "GET", path: "/api/v1/flow-templates" }, options);
  }

  /**
   * List flows, newest first.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listFlows(query: ListFlowsQuery = {}, options?: CallOptions): Pages<FlowPage, Flow> {
    return this.caller.list({ path: "/api/v1/flows", query }, options);
  }

  /**
   * Create a flow. If the flow is started by a webhook, a webhook secret is generated.
   *
   * Permission: `create_flows`.
   */
  createFlow(body: CreateFlowRequest, options?: CallOptions): Promise<Flow> {
    return this.caller.call({ method: "POST", path: "/api/v1/flows", body }, options);
  }

  /**
   * List executions, newest first.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listExecutions(query: ListExecutionsQuery = {}, options?: CallOptions): Pages<ExecutionPage, Execution> {
    return this.caller.list({ path: "/api/v1/flows/executions", query }, options);
  }

  /**
   * Read an execution. With `wait`, the response is delayed until the execution ends or the wait time is over.
   *
   * If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in strings are replaced by `[redacted]`.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readExecution(executionId: string, query: ReadExecutionQuery = {}, options?: CallOptions): Promise<Execution> {
    return this.caller.call({ method: "GET", path: `/api/v1/flows/executions/${encode(executionId)}`, query }, options);
  }

  /**
   * Download the evidence of an execution.
   *
   * The response is a gzipped tar archive that contains the files under `files/` and a `manifest.json` with the SHA-256 of each file.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  downloadExecutionEvidence(executionId: string, options?: CallOptions): Promise<Response> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/flows/executions/${encode(executionId)}/evidence`, answer: "response" },
      options,
    );
  }

  /**
   * Read the log lines of an execution, oldest first; `follow=1` streams them.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listExecutionLogs(
    executionId: string,
    query: ListExecutionLogsQuery = {},
    options?: CallOptions,
  ): Pages<LogLinePage, LogLine> {
    return this.caller.list({ path: `/api/v1/flows/executions/${encode(executionId)}/logs`, query }, options);
  }

  /**
   * Retry a failed or stopped execution with the same payload and files.
   *
   * Permission: `execute_flows`.
   */
  retryExecution(
    executionId: string,
    body: RetryExecutionRequest = {},
    options?: CallOptions,
  ): Promise<AcceptedTrigger> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/executions/${encode(executionId)}/retry`, body },
      options,
    );
  }

  /**
   * Stop an execution. Stopping a finished execution changes nothing.
   *
   * Permission: `execute_flows`.
   */
  stopExecution(executionId: string, body: StopExecutionRequest = {}, options?: CallOptions): Promise<Execution> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/executions/${encode(executionId)}/stop`, body },
      options,
    );
  }

  /**
   * List the vulnerabilities in the result of an execution, each with the reason why it is reportable or not.
   *
   * Entries are in the order of the result. The reasons are not a legal determination. The service reports nothing to authorities; reporting is the responsibility of the manufacturer.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listExecutionVulnerabilities(
    executionId: string,
    query: ListExecutionVulnerabilitiesQuery = {},
    options?: CallOptions,
  ): Pages<VulnerabilityPage, Vulnerability> {
    return this.caller.list(
      { path: `/api/v1/flows/executions/${encode(executionId)}/vulnerabilities`, query },
      options,
    );
  }

  /**
   * List the models that flows can use, newest first.
   *
   * Permission: `view_flows`.
   */
  listFlowModels(query: ListFlowModelsQuery = {}, options?: CallOptions): Pages<ModelChoicePage, ModelChoice> {
    return this.caller.list({ path: "/api/v1/flows/models", query }, options);
  }

  /**
   * List the tools that a flow may allow its agent: first the tools of the built-in agent, of this service and for trackers, then those of tool servers, sorted by server and tool name.
   *
   * The policy decides which of these tools an agent may call.
   *
   * Permission: `view_flows`.
   */
  listFlowTools(query: ListFlowToolsQuery = {}, options?: CallOptions): Pages<ToolChoicePage, ToolChoice> {
    return this.caller.list({ path: "/api/v1/flows/tools", query }, options);
  }

  /**
   * Read a flow.
   *
   * Permission: `view_flows`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readFlow(flowId: string, options?: CallOptions): Promise<Flow> {
    return this.caller.call({ method: "GET", path: `/api/v1/flows/${encode(flowId)}` }, options);
  }

  /**
   * Update a flow. Secrets that are omitted or sent back masked keep their values. If the flow is now started by a webhook and has no webhook secret yet, a secret is generated.
   *
   * Permission: `edit_flows`.
   */
  updateFlow(flowId: string, body: UpdateFlowRequest, options?: CallOptions): Promise<Flow> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/flows/${encode(flowId)}`, body }, options);
  }

  /**
   * Delete a flow. Past executions of the flow remain readable.
   *
   * Permission: `delete_flows`.
   */
  deleteFlow(flowId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/flows/${encode(flowId)}` }, options);
  }

  /**
   * List the last 100 arrivals of a flow, newest first: requests from its source, including ignored ones, and one entry for each time that an arrival was processed again.
   *
   * Permission: `view_flows`.
   */
  listFlowArrivals(
    flowId: string,
    query: ListFlowArrivalsQuery = {},
    options?: CallOptions,
  ): Pages<FlowArrivalPage, FlowArrival> {
    return this.caller.list({ path: `/api/v1/flows/${encode(flowId)}/arrivals`, query }, options);
  }

  /**
   * Process an arrival again with the current settings of the flow. If the arrival matches these settings, a new execution is started.
   *
   * Permission: `execute_flows`.
   */
  sendArrivalAgain(
    flowId: string,
    arrivalId: string,
    body: SendArrivalAgainRequest = {},
    options?: CallOptions,
  ): Promise<SentArrival> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/${encode(flowId)}/arrivals/${encode(arrivalId)}/send-again`, body },
      options,
    );
  }

  /**
   * Read the schedule of a flow, with its next five due times.
   *
   * Permission: `view_flows`.
   */
  readFlowSchedule(flowId: string, options?: CallOptions): Promise<FlowSchedule> {
    return this.caller.call({ method: "GET", path: `/api/v1/flows/${encode(flowId)}/schedule` }, options);
  }

  /**
   * List the last 100 due times of a flow with their outcomes, newest first.
   *
   * Permission: `view_flows`.
   */
  listFlowDueTimes(flowId: string, options?: CallOptions): Promise<DueTimes> {
    return this.caller.call({ method: "GET", path: `/api/v1/flows/${encode(flowId)}/schedule/due-times` }, options);
  }

  /**
   * Pause the schedule of a flow: no scheduled runs are started until the schedule is resumed.
   *
   * Permission: `edit_flows`.
   */
  pauseFlowSchedule(flowId: string, body: PauseFlowScheduleRequest = {}, options?: CallOptions): Promise<FlowSchedule> {
    return this.caller.call({ method: "POST", path: `/api/v1/flows/${encode(flowId)}/schedule/pause`, body }, options);
  }

  /**
   * Resume the schedule of a flow; runs that were due in the meantime are skipped.
   *
   * Permission: `edit_flows`.
   */
  resumeFlowSchedule(
    flowId: string,
    body: ResumeFlowScheduleRequest = {},
    options?: CallOptions,
  ): Promise<FlowSchedule> {
    return this.caller.call({ method: "POST", path: `/api/v1/flows/${encode(flowId)}/schedule/resume`, body }, options);
  }

  /**
   * Run a scheduled flow now, even if its schedule is paused or another run is active.
   *
   * Permission: `execute_flows`.
   */
  runFlowSchedule(flowId: string, body: RunFlowScheduleRequest = {}, options?: CallOptions): Promise<AcceptedTrigger> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/${encode(flowId)}/schedule/run`, body, repeat: "key" },
      options,
    );
  }

  /**
   * Register the webhook of a flow at its tracker now, and return the outcome.
   *
   * An existing webhook is corrected; the webhook of a disabled flow is removed. If the service is already registering or removing a webhook of the flow, the returned state is `pending`, and the request takes effect afterwards.
   *
   * Permission: `edit_flows`.
   */
  registerFlowHook(flowId: string, options?: CallOptions): Promise<FlowTracker> {
    return this.caller.call({ method: "POST", path: `/api/v1/flows/${encode(flowId)}/tracker-registration` }, options);
  }

  /**
   * Start a flow with the body as the trigger payload.
   *
   * A body that contains only {"payload": {...}} is unwrapped. `workspace_files` adds files to the workspace.
   *
   * Permission: `execute_flows`.
   */
  triggerFlow(
    flowId: string,
    body: Readonly<Record<string, unknown>> = {},
    options?: CallOptions,
  ): Promise<AcceptedTrigger> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/${encode(flowId)}/trigger`, body, repeat: "key" },
      options,
    );
  }

  /**
   * Replace the webhook secret. The old URL returns 404 from now on.
   *
   * Permission: `edit_flows`.
   */
  rotateFlowWebhookSecret(
    flowId: string,
    body: RotateFlowWebhookSecretRequest = {},
    options?: CallOptions,
  ): Promise<RotatedFlowSecret> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/flows/${encode(flowId)}/webhook-secret/rotate`, body },
      options,
    );
  }

  /**
   * Check health: whether this process can serve requests, and which of its dependencies respond.
   *
   * No credential is required.
   */
  readHealth(options?: CallOptions): Promise<Health> {
    return this.caller.call({ method: "GET", path: "/api/v1/health" }, options);
  }

  /**
   * Check liveness: whether the process responds, regardless of its dependencies.
   *
   * No credential is required.
   */
  probeLiveness(options?: CallOptions): Promise<Liveness> {
    return this.caller.call({ method: "GET", path: "/api/v1/livez" }, options);
  }

  /**
   * Add a tool server.
   *
   * Permission: `manage_policies`.
   */
  createToolServer(body: CreateToolServerRequest, options?: CallOptions): Promise<ToolServer> {
    return this.caller.call({ method: "POST", path: "/api/v1/mcp-servers", body }, options);
  }

  /**
   * List the tool servers of the account, newest first.
   *
   * Permission: `view_policies`.
   */
  listToolServers(query: ListToolServersQuery = {}, options?: CallOptions): Pages<ToolServerPage, ToolServer> {
    return this.caller.list({ path: "/api/v1/mcp-servers", query }, options);
  }

  /**
   * Read a tool server.
   *
   * Permission: `view_policies`.
   */
  readToolServer(mcpServerId: string, options?: CallOptions): Promise<ToolServer> {
    return this.caller.call({ method: "GET", path: `/api/v1/mcp-servers/${encode(mcpServerId)}` }, options);
  }

  /**
   * Update a tool server; omitted fields keep their values.
   *
   * Changing the origin of the URL deletes the login and, unless the request contains new headers, the stored headers.
   *
   * Permission: `manage_policies`.
   */
  updateToolServer(mcpServerId: string, body: UpdateToolServerRequest, options?: CallOptions): Promise<ToolServer> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/mcp-servers/${encode(mcpServerId)}`, body }, options);
  }

  /**
   * Delete a tool server.
   *
   * Permission: `manage_policies`.
   */
  deleteToolServer(mcpServerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/mcp-servers/${encode(mcpServerId)}` }, options);
  }

  /**
   * Read the last output of a tool server’s program, and how the program ended.
   *
   * Permission: `manage_policies`.
   */
  readToolServerLog(mcpServerId: string, options?: CallOptions): Promise<ToolServerLog> {
    return this.caller.call({ method: "GET", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/log` }, options);
  }

  /**
   * Delete the login of a tool server, including one in progress.
   *
   * The tokens are revoked at the authorization server if that server supports revocation.
   *
   * Permission: `manage_policies`.
   */
  disconnectToolServer(mcpServerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/oauth` }, options);
  }

  /**
   * Start a login (OAuth) at the authorization server of a tool server.
   *
   * The response contains the URL of the page where the person logs in and grants access. The person who started the login completes it with `finish` within 15 minutes.
   *
   * Permission: `manage_policies`.
   */
  connectToolServer(mcpServerId: string, body: ConnectToolServerRequest, options?: CallOptions): Promise<BegunLogin> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/oauth/connect`, body },
      options,
    );
  }

  /**
   * Finish a login that you started. The tool server is then called with the tokens of this login.
   *
   * The body contains the parameters that `redirect_uri` received. The tokens are stored encrypted and never returned.
   *
   * Permission: `manage_policies`.
   */
  finishToolServerLogin(
    mcpServerId: string,
    body: FinishToolServerLoginRequest,
    options?: CallOptions,
  ): Promise<ToolServer> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/oauth/finish`, body },
      options,
    );
  }

  /**
   * Reload the tools of a server now.
   *
   * The response contains the server; its `status` shows whether its tools could be listed. Tools are also reloaded every five minutes and after each update.
   *
   * Permission: `manage_policies`.
   */
  refreshToolServer(mcpServerId: string, options?: CallOptions): Promise<ToolServer> {
    return this.caller.call({ method: "POST", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/refresh` }, options);
  }

  /**
   * List the tools of a server in order of name, with the accepted definition of each tool that has changed.
   *
   * Permission: `view_policies`.
   */
  listTools(mcpServerId: string, query: ListToolsQuery = {}, options?: CallOptions): Pages<ToolPage, Tool> {
    return this.caller.list({ path: `/api/v1/mcp-servers/${encode(mcpServerId)}/tools`, query }, options);
  }

  /**
   * Accept the current definition of a tool.
   *
   * Permission: `manage_policies`.
   */
  acceptTool(
    mcpServerId: string,
    toolName: string,
    body: AcceptToolRequest = {},
    options?: CallOptions,
  ): Promise<Tool> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/mcp-servers/${encode(mcpServerId)}/tools/${encode(toolName)}/accept`, body },
      options,
    );
  }

  /**
   * Add a channel to which notices for people are posted: Slack, Teams or ntfy.
   *
   * Permission: `manage_policies`.
   */
  createNoticeChannel(body: CreateNoticeChannelRequest, options?: CallOptions): Promise<NoticeChannel> {
    return this.caller.call({ method: "POST", path: "/api/v1/notice-channels", body }, options);
  }

  /**
   * List notice channels, newest first.
   *
   * Permission: `view_policies`.
   */
  listNoticeChannels(
    query: ListNoticeChannelsQuery = {},
    options?: CallOptions,
  ): Pages<NoticeChannelPage, NoticeChannel> {
    return this.caller.list({ path: "/api/v1/notice-channels", query }, options);
  }

  /**
   * Read a notice channel with the outcome of its last delivery.
   *
   * Permission: `view_policies`.
   */
  readNoticeChannel(channelId: string, options?: CallOptions): Promise<NoticeChannel> {
    return this.caller.call({ method: "GET", path: `/api/v1/notice-channels/${encode(channelId)}` }, options);
  }

  /**
   * Update a notice channel. Changing the origin of the URL removes the token unless the request contains a new token.
   *
   * Permission: `manage_policies`.
   */
  updateNoticeChannel(
    channelId: string,
    body: UpdateNoticeChannelRequest,
    options?: CallOptions,
  ): Promise<NoticeChannel> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/notice-channels/${encode(channelId)}`, body }, options);
  }

  /**
   * Delete a notice channel. Notices that have not been posted yet are cancelled.
   *
   * Permission: `manage_policies`.
   */
  deleteNoticeChannel(channelId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/notice-channels/${encode(channelId)}` }, options);
  }

  /**
   * Post a test notice, or the example notice of a notice type, to one channel.
   *
   * The delivery (`GET /api/v1/event-webhooks/deliveries/{id}`) contains the response of Slack, Teams or ntfy.
   *
   * Permission: `manage_policies`.
   */
  testNoticeChannel(
    channelId: string,
    body: TestNoticeChannelRequest = {},
    options?: CallOptions,
  ): Promise<TestNotice> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/notice-channels/${encode(channelId)}/test`, body },
      options,
    );
  }

  /**
   * Send a note to a session, a managed agent or a flow execution.
   *
   * Set exactly one of `runtime_session_id`, `managed_agent_id` and `execution_id`. The note is delivered with the next turn of the agent; if there is no open session, it waits for the next session. A note to a session that has ended is stored but not delivered; for every other note, the event `agent.note_sent` is emitted. One author can send at most 20 notes per hour to one agent; further requests are refused with 429.
   *
   * Permission: `control_managed_agent`.
   */
  sendOperatorNote(body: SendOperatorNoteRequest, options?: CallOptions): Promise<OperatorNote> {
    return this.caller.call({ method: "POST", path: "/api/v1/operator-notes", body }, options);
  }

  /**
   * List notes to agents, newest first.
   *
   * If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the notes are replaced by `[redacted]`.
   *
   * Permission: `view_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listOperatorNotes(query: ListOperatorNotesQuery = {}, options?: CallOptions): Pages<OperatorNotePage, OperatorNote> {
    return this.caller.list({ path: "/api/v1/operator-notes", query }, options);
  }

  /**
   * Cancel a note. If the note was delivered or is being delivered, has expired or was already cancelled, the response is 409 with the state of the note.
   *
   * Permission: `control_managed_agent`.
   */
  cancelOperatorNote(
    noteId: string,
    body: CancelOperatorNoteRequest = {},
    options?: CallOptions,
  ): Promise<OperatorNote> {
    return this.caller.call({ method: "POST", path: `/api/v1/operator-notes/${encode(noteId)}/cancel`, body }, options);
  }

  /**
   * Count the items that need attention and the running executions, and read whether agents are stopped.
   *
   * The operation can be used with every credential of a person.
   */
  readOverview(options?: CallOptions): Promise<Overview> {
    return this.caller.call({ method: "GET", path: "/api/v1/overview" }, options);
  }

  /**
   * Read the policy in force. With Accept: application/yaml, the response is the text of the policy as it was applied.
   *
   * Permission: `view_policies`.
   */
  readPolicy(options?: CallOptions): Promise<Policy> {
    return this.caller.call({ method: "GET", path: "/api/v1/policies" }, options);
  }

  /**
   * Apply a policy document, effective from the next decision on.
   *
   * With If-Match: "3", the document is applied only while version 3 is in force; otherwise the response is 412.
   *
   * Permission: `manage_policies`.
   */
  applyPolicy(body: RawBody, query: ApplyPolicyQuery = {}, options?: CallOptions): Promise<AppliedPolicy> {
    return this.caller.call({ method: "POST", path: "/api/v1/policies/apply", query, rawBody: body }, options);
  }

  /**
   * Test a policy document against recorded tool calls, in the background.
   *
   * A document is compared with the version in force. Without a document, the version in force is compared with the recorded calls, each of which counts as allowed.
   *
   * Permission: `view_policies`, `view_runtime_sessions`.
   */
  startBacktest(body: StartBacktestRequest, options?: CallOptions): Promise<Backtest> {
    return this.caller.call({ method: "POST", path: "/api/v1/policies/backtest", body }, options);
  }

  /**
   * Read the progress and the result of a backtest.
   *
   * Permission: `view_policies`, `view_runtime_sessions`.
   */
  readBacktest(backtestId: string, options?: CallOptions): Promise<Backtest> {
    return this.caller.call({ method: "GET", path: `/api/v1/policies/backtests/${encode(backtestId)}` }, options);
  }

  /**
   * Compare a policy document with the one in force, matching rules by id.
   *
   * Permission: `view_policies`.
   */
  comparePolicy(body: RawBody, options?: CallOptions): Promise<PolicyDiff> {
    return this.caller.call(
      { method: "POST", path: "/api/v1/policies/diff", rawBody: body, repeat: "always" },
      options,
    );
  }

  /**
   * Read the JSON Schema of a policy, for editors.
   *
   * `x-condition-names` lists the names that a condition may use, because JSON Schema cannot express this restriction.
   *
   * Permission: `view_policies`.
   */
  readPolicySchema(options?: CallOptions): Promise<unknown> {
    return this.caller.call({ method: "GET", path: "/api/v1/policies/schema" }, options);
  }

  /**
   * Evaluate a tool call against the policy, rule by rule. No tool is called, and nothing is recorded.
   *
   * Permission: `view_policies`.
   */
  testPolicy(body: TestPolicyRequest, options?: CallOptions): Promise<PolicyDecision> {
    return this.caller.call({ method: "POST", path: "/api/v1/policies/test", body, repeat: "always" }, options);
  }

  /**
   * Validate a policy document and report errors and warnings.
   *
   * Permission: `view_policies`.
   */
  validatePolicy(body: RawBody, options?: CallOptions): Promise<PolicyValidation> {
    return this.caller.call(
      { method: "POST", path: "/api/v1/policies/validate", rawBody: body, repeat: "always" },
      options,
    );
  }

  /**
   * List all versions of the policy, newest first.
   *
   * Permission: `view_policies`.
   */
  listPolicyVersions(
    query: ListPolicyVersionsQuery = {},
    options?: CallOptions,
  ): Pages<PolicyVersionPage, PolicyVersion> {
    return this.caller.list({ path: "/api/v1/policies/versions", query }, options);
  }

  /**
   * Read one version of the policy. With Accept: application/yaml, the response is the text of the policy as it was applied.
   *
   * Permission: `view_policies`.
   */
  readPolicyVersion(version: string, options?: CallOptions): Promise<Policy> {
    return this.caller.call({ method: "GET", path: `/api/v1/policies/versions/${encode(version)}` }, options);
  }

  /**
   * Apply the content of an old policy version again, as a new version.
   *
   * Permission: `manage_policies`.
   */
  rollBackPolicy(version: string, body: RollBackPolicyRequest = {}, options?: CallOptions): Promise<AppliedPolicy> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/policies/versions/${encode(version)}/rollback`, body },
      options,
    );
  }

  /**
   * Read the public key (VAPID) with which a browser subscribes to notices of this deployment.
   *
   * The operation can be used with every credential of a person.
   */
  readPushKey(options?: CallOptions): Promise<PushKey> {
    return this.caller.call({ method: "GET", path: "/api/v1/push-key" }, options);
  }

  /**
   * Check readiness: whether the database responds and the process is not stopping.
   *
   * No credential is required.
   */
  probeReadiness(options?: CallOptions): Promise<Readiness> {
    return this.caller.call({ method: "GET", path: "/api/v1/readyz" }, options);
  }

  /**
   * List the system roles and the custom roles of the account.
   *
   * The operation can be used with every credential of a person.
   */
  listRoles(query: ListRolesQuery = {}, options?: CallOptions): Pages<RolePage, Role> {
    return this.caller.list({ path: "/api/v1/roles", query }, options);
  }

  /**
   * Create a custom role. The role cannot have permissions that its creator lacks.
   *
   * Permission: `manage_users`.
   */
  createRole(body: CreateRoleRequest, options?: CallOptions): Promise<Role> {
    return this.caller.call({ method: "POST", path: "/api/v1/roles", body }, options);
  }

  /**
   * Change the permissions of a custom role, effective from the next request of its users on.
   *
   * The caller needs all old and new permissions of the role. The name cannot be changed.
   *
   * Permission: `manage_users`.
   */
  updateRole(roleId: string, body: UpdateRoleRequest, options?: CallOptions): Promise<Role> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/roles/${encode(roleId)}`, body }, options);
  }

  /**
   * Delete a custom role that no user and no approval workflow uses.
   *
   * Permission: `manage_users`.
   */
  deleteRole(roleId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/roles/${encode(roleId)}` }, options);
  }

  /**
   * Open a session, or update the existing session with the same source.
   *
   * An ended session is updated, too, but stays ended.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  openSession(body: OpenSessionRequest, options?: CallOptions): Promise<RuntimeSession> {
    return this.caller.call({ method: "POST", path: "/api/v1/runtime-sessions", body, repeat: "always" }, options);
  }

  /**
   * List sessions, newest first.
   *
   * Permission: `view_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listSessions(query: ListSessionsQuery = {}, options?: CallOptions): Pages<RuntimeSessionPage, RuntimeSession> {
    return this.caller.list({ path: "/api/v1/runtime-sessions", query }, options);
  }

  /**
   * List the places where a credential was seen, newest first.
   *
   * A keyed fingerprint of the value is compared with the fingerprints that were stored when content was indexed. The list is empty for a value that was never seen and for a value that no rule recognizes as a credential.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   */
  listCredentialSightings(
    body: ListCredentialSightingsRequest,
    options?: CallOptions,
  ): Pages<CredentialSightingPage, CredentialSighting> {
    return this.caller.list({ path: "/api/v1/runtime-sessions/credential-sightings", body, repeat: "always" }, options);
  }

  /**
   * Delete all matching sessions in the background, or only count them.
   *
   * Sessions under legal hold and sessions of active executions are not deleted and are counted in `kept`. Sessions stored after the request are not deleted either.
   *
   * Permission: `manage_runtime_sessions`.
   */
  startDeletion(body: StartDeletionRequest, options?: CallOptions): Promise<DeletionJob> {
    return this.caller.call({ method: "POST", path: "/api/v1/runtime-sessions/deletions", body }, options);
  }

  /**
   * Read the progress of a bulk deletion.
   *
   * Permission: `view_runtime_sessions`.
   */
  readDeletion(deletionId: string, options?: CallOptions): Promise<DeletionJob> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/runtime-sessions/deletions/${encode(deletionId)}` },
      options,
    );
  }

  /**
   * Import session files of agents in their original formats.
   *
   * Supported formats: Claude Code and Codex (transcripts and JSON output), Gemini CLI, OpenCode, Cursor, OpenAI and Anthropic (messages, logs, streams and batches), Vercel UI messages, LangSmith runs, and entries in the service’s own format. Importing the same file again adds nothing. Entries that were stored before an error remain stored. With `Accept: application/x-ndjson`, the response is a stream of lines: `{"type": "progress"}` during the import, then `summary` or `error`.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent.
   */
  importSessions(body: RawBody, query: ImportSessionsQuery = {}, options?: CallOptions): Promise<ImportSummary> {
    return this.caller.call({ method: "POST", path: "/api/v1/runtime-sessions/import", query, rawBody: body }, options);
  }

  /**
   * Search the content of runtime sessions.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  searchSessions(body: SearchSessionsRequest, options?: CallOptions): Promise<SearchAnswer> {
    return this.caller.call(
      { method: "POST", path: "/api/v1/runtime-sessions/search", body, repeat: "always" },
      options,
    );
  }

  /**
   * Save a search under a name, privately or for the account.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   */
  createSavedSearch(body: CreateSavedSearchRequest, options?: CallOptions): Promise<SavedSearch> {
    return this.caller.call({ method: "POST", path: "/api/v1/runtime-sessions/search/saved", body }, options);
  }

  /**
   * List your saved searches and those shared with the account, newest first.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listSavedSearches(query: ListSavedSearchesQuery = {}, options?: CallOptions): Pages<SavedSearchPage, SavedSearch> {
    return this.caller.list({ path: "/api/v1/runtime-sessions/search/saved", query }, options);
  }

  /**
   * Read a saved search.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readSavedSearch(savedSearchId: string, options?: CallOptions): Promise<SavedSearch> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/runtime-sessions/search/saved/${encode(savedSearchId)}` },
      options,
    );
  }

  /**
   * Update your own saved search; omitted fields keep their values, and `filters` is replaced as a whole.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   */
  updateSavedSearch(
    savedSearchId: string,
    body: UpdateSavedSearchRequest,
    options?: CallOptions,
  ): Promise<SavedSearch> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/runtime-sessions/search/saved/${encode(savedSearchId)}`, body },
      options,
    );
  }

  /**
   * Delete your own saved search or, with manage_users, a shared search of another user.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   */
  deleteSavedSearch(savedSearchId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/runtime-sessions/search/saved/${encode(savedSearchId)}` },
      options,
    );
  }

  /**
   * Run a saved search; paging is set in the body.
   *
   * The response contains the search result, the filters that refer to deleted objects, and whether the ranking has changed since the search was saved.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  runSavedSearch(
    savedSearchId: string,
    body: RunSavedSearchRequest = {},
    options?: CallOptions,
  ): Promise<SavedSearchRun> {
    return this.caller.call(
      {
        method: "POST",
        path: `/api/v1/runtime-sessions/search/saved/${encode(savedSearchId)}/run`,
        body,
        repeat: "always",
      },
      options,
    );
  }

  /**
   * Read the progress of the search backfill and its estimated time of completion.
   *
   * Permission: `view_runtime_sessions`.
   */
  readBackfill(options?: CallOptions): Promise<BackfillState> {
    return this.caller.call({ method: "GET", path: "/api/v1/runtime-sessions/settings/backfill" }, options);
  }

  /**
   * Read the embedding setting of the account, today’s spend and the state of the corpus.
   *
   * Permission: `view_runtime_sessions`.
   */
  readEmbeddingSetting(options?: CallOptions): Promise<EmbeddingSetting> {
    return this.caller.call({ method: "GET", path: "/api/v1/runtime-sessions/settings/embedding" }, options);
  }

  /**
   * Update the embedding setting. Fields that are omitted or null keep their values, except `daily_cap_usd`, which is reset by null.
   *
   * Provider details are saved only if the request leaves embedding enabled. If any part is refused, nothing is saved. Changing the origin of the endpoint removes a stored key.
   *
   * Permission: `manage_budgets`.
   */
  saveEmbeddingSetting(body: SaveEmbeddingSettingRequest, options?: CallOptions): Promise<EmbeddingSetting> {
    return this.caller.call({ method: "PUT", path: "/api/v1/runtime-sessions/settings/embedding", body }, options);
  }

  /**
   * Read which model generates the titles of the account’s sessions.
   *
   * Permission: `view_runtime_sessions`.
   */
  readTitleSetting(options?: CallOptions): Promise<TitleSetting> {
    return this.caller.call({ method: "GET", path: "/api/v1/runtime-sessions/settings/titles" }, options);
  }

  /**
   * Set the model that generates the titles of the account’s sessions, or none.
   *
   * The model is called in the background, within the budgets, when a session without a title from a client or an import is listed. It is called again for the same session only if it has not responded, or if the first words of the session have changed. After a failure, the title is requested again after an hour at the earliest. Each call appears in the usage.
   *
   * Permission: `manage_budgets`.
   */
  saveTitleSetting(body: SaveTitleSettingRequest, options?: CallOptions): Promise<TitleSetting> {
    return this.caller.call({ method: "PUT", path: "/api/v1/runtime-sessions/settings/titles", body }, options);
  }

  /**
   * Read a session.
   *
   * Permission: `view_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readSession(sessionId: string, options?: CallOptions): Promise<RuntimeSession> {
    return this.caller.call({ method: "GET", path: `/api/v1/runtime-sessions/${encode(sessionId)}` }, options);
  }

  /**
   * Update title, summary, labels or legal hold of a session.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  updateSession(sessionId: string, body: UpdateSessionRequest, options?: CallOptions): Promise<RuntimeSession> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/runtime-sessions/${encode(sessionId)}`, body }, options);
  }

  /**
   * Permanently delete a session and all of its content.
   *
   * After the response, the session can no longer be found or read; its content is deleted in the background. The request is refused with 409 `legal_hold` for a session under legal hold, and with 409 `execution_active` for the session of an active execution. Content sent later with the same source opens a new session.
   *
   * Permission: `manage_runtime_sessions`.
   */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/runtime-sessions/${encode(sessionId)}` }, options);
  }

  /**
   * End a session (reason `operator`).
   *
   * Emits `session.ended` once. Ending an ended session changes nothing.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  endSession(sessionId: string, body: EndSessionRequest = {}, options?: CallOptions): Promise<RuntimeSession> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/runtime-sessions/${encode(sessionId)}/end`, body, repeat: "always" },
      options,
    );
  }

  /**
   * Download a session with all of its content.
   *
   * The response consists of JSON lines: `{"record": "session", ...}`, then one `{"record": "content", ...}` per entry, oldest first as in the timeline, and finally `{"record": "end", "items": n}`. A response without this last line is incomplete. The response is 503 if bodies are in an object store that does not respond.
   *
   * Permission: `view_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  exportSession(sessionId: string, options?: CallOptions): Promise<Response> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/runtime-sessions/${encode(sessionId)}/export`, answer: "response" },
      options,
    );
  }

  /**
   * Store a model interaction.
   *
   * If MODEL_GATEWAY_CAPTURE_CONTENT is off, `request` and `response` are not stored; only metadata is stored and searchable.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  storeInteraction(sessionId: string, body: StoreInteractionRequest, options?: CallOptions): Promise<StoredContent> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/runtime-sessions/${encode(sessionId)}/interactions`, body, repeat: "id" },
      options,
    );
  }

  /**
   * Find similar sessions, most similar first.
   *
   * Permission: `view_runtime_sessions`, `search_session_content`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  listSimilarSessions(
    sessionId: string,
    query: ListSimilarSessionsQuery = {},
    options?: CallOptions,
  ): Promise<SimilarSessions> {
    return this.caller.call(
      { method: "GET", path: `/api/v1/runtime-sessions/${encode(sessionId)}/similar`, query },
      options,
    );
  }

  /**
   * List the content of a session, oldest first.
   *
   * A page with large bodies may contain fewer items than `limit`. Use `next_cursor` to continue. A cursor is only a position; the `order` of each request determines the direction in which reading continues. A body in an object store that does not respond is returned as null, with `content_error`. If the caller does not have the permission `manage_runtime_sessions`, or uses the token of an execution to read data of another session, credentials in the content are replaced by `[redacted]`.
   *
   * Permission: `view_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readTimeline(
    sessionId: string,
    query: ReadTimelineQuery = {},
    options?: CallOptions,
  ): Pages<TimelineEntryPage, TimelineEntry> {
    return this.caller.list({ path: `/api/v1/runtime-sessions/${encode(sessionId)}/timeline`, query }, options);
  }

  /**
   * Store a tool call.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  storeToolCall(sessionId: string, body: StoreToolCallRequest, options?: CallOptions): Promise<StoredContent> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/runtime-sessions/${encode(sessionId)}/tool-calls`, body, repeat: "id" },
      options,
    );
  }

  /**
   * Import messages of a transcript.
   *
   * Either all messages are stored or none. A message whose external_id the session already has is skipped.
   *
   * Permission: `manage_runtime_sessions`.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  importTranscript(sessionId: string, body: ImportTranscriptRequest, options?: CallOptions): Promise<TranscriptImport> {
    return this.caller.call(
      { method: "POST", path: `/api/v1/runtime-sessions/${encode(sessionId)}/transcript`, body },
      options,
    );
  }

  /**
   * List the schedules of flows, with their next due times, newest flow first.
   *
   * Permission: `view_flows`.
   */
  listSchedules(query: ListSchedulesQuery = {}, options?: CallOptions): Pages<FlowSchedulePage, FlowSchedule> {
    return this.caller.list({ path: "/api/v1/schedules", query }, options);
  }

  /**
   * Preview the next five due times of a schedule. The schedule is validated but not stored.
   *
   * Permission: `view_flows`.
   */
  previewSchedule(body: PreviewScheduleRequest, options?: CallOptions): Promise<NextDueTimes> {
    return this.caller.call({ method: "POST", path: "/api/v1/schedules/preview", body, repeat: "always" }, options);
  }

  /**
   * List which agents may search the sessions of the whole account (enterprise edition).
   *
   * Permission: `manage_agents`, `search_session_content`.
   */
  readSearchGrants(options?: CallOptions): Promise<SearchGrants> {
    return this.caller.call({ method: "GET", path: "/api/v1/session-search/grants" }, options);
  }

  /**
   * Set which agents may search the sessions of the whole account (enterprise edition).
   *
   * The request replaces the whole list: subjects that are omitted no longer have a grant. For each search, the grant of the API key is looked up first, then that of its agent, then that of the account; the first grant found applies, whether its value is true or false.
   *
   * Permission: `manage_agents`, `search_session_content`.
   */
  saveSearchGrants(body: SearchGrants, options?: CallOptions): Promise<SearchGrants> {
    return this.caller.call({ method: "PUT", path: "/api/v1/session-search/grants", body }, options);
  }

  /**
   * Read the outcomes of approval requests over time, and how long the requests were pending.
   *
   * A request is counted at the time of its decision, expiry or cancellation; `failed` is the number of requests that were not approved. Durations are measured from the creation of a request to its decision, expiry or cancellation.
   *
   * Permission: `view_approvals`.
   */
  readApprovalDecisionStats(query: ReadApprovalDecisionStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/approval_decisions", query }, options);
  }

  /**
   * Read the number of approval requests over time.
   *
   * A request is counted at the time at which it was created; `person` is the owner of the credential with which the request was created.
   *
   * Permission: `view_approvals`.
   */
  readApprovalStats(query: ReadApprovalStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/approvals", query }, options);
  }

  /**
   * Read the number of finished webhook deliveries over time.
   *
   * A delivery is counted at the time at which it was delivered, became dead (counted in `failed`) or was cancelled.
   *
   * Permission: `view_policies`.
   */
  readDeliveryStats(query: ReadDeliveryStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/deliveries", query }, options);
  }

  /**
   * Read the durations of webhook deliveries over time.
   *
   * The durations are those of successful deliveries, from the creation of the delivery to its acceptance by the receiver, including retries.
   *
   * Permission: `view_policies`.
   */
  readDeliveryLatencyStats(query: ReadDeliveryLatencyStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/delivery_latency", query }, options);
  }

  /**
   * Read the outcomes and durations of executions over time.
   *
   * An execution is counted at the time at which it ended; `failed` is the number of executions with the status `FAILED`. Durations are measured from the start of an execution to its end.
   *
   * Permission: `view_flows`.
   */
  readExecutionStats(query: ReadExecutionStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/executions", query }, options);
  }

  /**
   * Read the numbers of model calls and of their tokens over time.
   *
   * Refused calls are counted, too; `failed` is the number of calls with the status `error`.
   *
   * Permission: `view_cost`.
   */
  readModelCallStats(query: ReadModelCallStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/model_calls", query }, options);
  }

  /**
   * Read the size of the search corpus over time.
   *
   * `size` is the number of chunks at the end of each step; `count` is the increase during the step.
   *
   * Permission: `view_runtime_sessions`.
   */
  readSearchCorpusStats(query: ReadSearchCorpusStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/search_corpus", query }, options);
  }

  /**
   * Read the number of started sessions over time.
   *
   * A session is counted at the time at which it started.
   *
   * Permission: `view_runtime_sessions`.
   */
  readSessionStats(query: ReadSessionStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/sessions", query }, options);
  }

  /**
   * Read the cost of model calls over time.
   *
   * `cost_usd` is the sum of the costs of the calls that `GET /api/v1/usage` lists; calls with an unknown price add nothing to it.
   *
   * Permission: `view_cost`.
   */
  readSpendStats(query: ReadSpendStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/spend", query }, options);
  }

  /**
   * Read the number of recorded tool calls over time.
   *
   * `failed` counts the calls that were denied, were declined or ended with an error.
   *
   * Permission: `view_runtime_sessions`.
   */
  readToolCallStats(query: ReadToolCallStatsQuery = {}, options?: CallOptions): Promise<Series> {
    return this.caller.call({ method: "GET", path: "/api/v1/stats/tool_calls", query }, options);
  }

  /**
   * Connect a tracker.
   *
   * Permission: `manage_trackers`.
   */
  createTracker(body: CreateTrackerRequest, options?: CallOptions): Promise<Tracker> {
    return this.caller.call({ method: "POST", path: "/api/v1/trackers", body }, options);
  }

  /**
   * List the connections to trackers, newest first.
   *
   * Permission: `view_trackers`.
   */
  listTrackers(query: ListTrackersQuery = {}, options?: CallOptions): Pages<TrackerPage, Tracker> {
    return this.caller.list({ path: "/api/v1/trackers", query }, options);
  }

  /**
   * Read a connection to a tracker.
   *
   * Permission: `view_trackers`.
   */
  readTracker(trackerId: string, options?: CallOptions): Promise<Tracker> {
    return this.caller.call({ method: "GET", path: `/api/v1/trackers/${encode(trackerId)}` }, options);
  }

  /**
   * Update a connection to a tracker; omitted fields keep their values.
   *
   * If base_url is changed to another server, the token must be sent again. If a webhook could not be registered or removed, another attempt is made with the new settings.
   *
   * Permission: `manage_trackers`.
   */
  updateTracker(trackerId: string, body: UpdateTrackerRequest, options?: CallOptions): Promise<Tracker> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/trackers/${encode(trackerId)}`, body }, options);
  }

  /**
   * Delete a connection whose events start no flow, together with its token.
   *
   * Permission: `manage_trackers`.
   */
  deleteTracker(trackerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "DELETE", path: `/api/v1/trackers/${encode(trackerId)}` }, options);
  }

  /**
   * Test a connection: ask the tracker who owns the token and what the token may do.
   *
   * If `repository` is set, the response also contains the permissions in that repository. Nothing is changed at the tracker.
   *
   * Permission: `manage_trackers`.
   */
  testTracker(trackerId: string, body: TestTrackerRequest = {}, options?: CallOptions): Promise<TrackerTrial> {
    return this.caller.call({ method: "POST", path: `/api/v1/trackers/${encode(trackerId)}/test`, body }, options);
  }

  /**
   * List model calls with their tokens and costs, newest first.
   *
   * Permission: `view_cost`.
   */
  listUsage(query: ListUsageQuery = {}, options?: CallOptions): Pages<UsageRowPage, UsageRow> {
    return this.caller.list({ path: "/api/v1/usage", query }, options);
  }

  /**
   * Summarize model calls, tokens and costs of a time range; default: the last 30 days.
   *
   * Permission: `view_cost`.
   */
  summarizeUsage(query: SummarizeUsageQuery, options?: CallOptions): Promise<UsageSummary> {
    return this.caller.call({ method: "GET", path: "/api/v1/usage/summary", query }, options);
  }

  /**
   * List the users of the account, newest first.
   *
   * Permission: `manage_users`.
   */
  listUsers(query: ListUsersQuery = {}, options?: CallOptions): Pages<UserPage, User> {
    return this.caller.list({ path: "/api/v1/users", query }, options);
  }

  /**
   * Add a user to the account.
   *
   * If the request contains no password, the response contains a one-time invitation, with which the user chooses a password; until then, the user cannot log in.
   *
   * Permission: `manage_users`.
   */
  createUser(body: CreateUserRequest, options?: CallOptions): Promise<CreatedUser> {
    return this.caller.call({ method: "POST", path: "/api/v1/users", body }, options);
  }

  /**
   * Read the caller: the user of the token, or the owner of the API key.
   *
   * The operation can be used with every credential of a person.
   *
   * The operation can also be used with API keys that are bound to an agent and with the token of an execution.
   */
  readMe(options?: CallOptions): Promise<User> {
    return this.caller.call({ method: "GET", path: "/api/v1/users/me" }, options);
  }

  /**
   * Change your password. The change ends your other logins.
   *
   * If the current password is wrong, the response is 422 with the name of the field (not 401, because the token itself is valid), and the request counts as a failed login. API keys cannot be used to change passwords. Existing API keys keep working after a change.
   *
   * The operation can be used with every credential of a person.
   */
  changePassword(body: ChangePasswordRequest, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: "PUT", path: "/api/v1/users/me/password", body }, options);
  }

  /**
   * List your browsers that get notices, newest first.
   *
   * The operation can be used with every credential of a person.
   */
  listPushSubscriptions(
    query: ListPushSubscriptionsQuery = {},
    options?: CallOptions,
  ): Pages<PushSubscriptionPage, PushSubscription> {
    return this.caller.list({ path: "/api/v1/users/me/push-subscriptions", query }, options);
  }

  /**
   * Subscribe a browser to notices, until its login ends. If the browser is already subscribed, its subscription is replaced.
   *
   * The operation can be used with every credential of a person.
   */
  createPushSubscription(body: CreatePushSubscriptionRequest, options?: CallOptions): Promise<PushSubscription> {
    return this.caller.call({ method: "POST", path: "/api/v1/users/me/push-subscriptions", body }, options);
  }

  /**
   * Choose which notices are pushed to one of your browsers.
   *
   * The operation can be used with every credential of a person.
   */
  updatePushSubscription(
    subscriptionId: string,
    body: UpdatePushSubscriptionRequest,
    options?: CallOptions,
  ): Promise<PushSubscription> {
    return this.caller.call(
      { method: "PATCH", path: `/api/v1/users/me/push-subscriptions/${encode(subscriptionId)}`, body },
      options,
    );
  }

  /**
   * Unsubscribe one of your browsers from notices.
   *
   * The operation can be used with every credential of a person.
   */
  deletePushSubscription(subscriptionId: string, options?: CallOptions): Promise<void> {
    return this.caller.call(
      { method: "DELETE", path: `/api/v1/users/me/push-subscriptions/${encode(subscriptionId)}` },
      options,
    );
  }

  /**
   * Change a user’s role, or activate or deactivate the user. The change applies from the user’s next request on.
   *
   * Callers cannot change a user who has a permission that they lack; only owners can change owners. Deactivation ends the user’s logins, and permanently revokes the user’s API keys and invitation.
   *
   * Permission: `manage_users`.
   */
  updateUser(userId: string, body: UpdateUserRequest, options?: CallOptions): Promise<User> {
    return this.caller.call({ method: "PATCH", path: `/api/v1/users/${encode(userId)}`, body }, options);
  }

  /**
   * Issue a new invitation for a user who has no password yet. The previous invitation becomes invalid.
   *
   * Permission: `manage_users`.
   */
  inviteUser(userId: string, options?: CallOptions): Promise<IssuedInvitation> {
    return this.caller.call({ method: "POST", path: `/api/v1/users/${encode(userId)}/invitation` }, options);
  }

  /**
   * Receive a webhook; the body becomes the trigger payload.
   *
   * Requests can safely be repeated with an Idempotency-Key (or X-GitHub-Delivery, X-Gitlab-Event-UUID, webhook-id or X-Service-Event-Id): for 24 hours, the same key returns the first execution. If the flow sets a source, such as `github`, the media types and headers of that sender are recognized, its signature is verified if the flow has signing secrets, and requests that do not match the flow’s event types or filter are ignored. If no source is set, the sender is recognized by its headers (X-GitHub-Event, X-Gitlab-Event, X-Event-Key and others).
   *
   * No credential is required.
   */
  receiveFlowWebhook(
    flowId: string,
    webhookSecret: string,
    body: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<WebhookChallenge | AcceptedWebhook> {
    return this.caller.call(
      { method: "POST", path: `/webhooks/flows/${encode(flowId)}/${encode(webhookSecret)}`, body, repeat: "key" },
      options,
    );
  }
}
