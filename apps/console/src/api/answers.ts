/**
 * The answers of the API by the names this code calls them. The generated types are named after operations; here, and nowhere
 * else, they are looked up.
 */
import type {
  GetApiV1OperatorNotesResponse,
  GetApiV1OverviewResponse,
  GetApiV1PoliciesResponse,
  GetApiV1PoliciesVersionsResponse,
  GetApiV1PoliciesBacktestsBacktestIdResponse,
  PostApiV1PoliciesDiffResponse,
  PostApiV1PoliciesTestResponse,
  PostApiV1PoliciesValidateResponse,
  GetApiV1AccountKillSwitchResponse,
  PutApiV1AccountKillSwitchResponse,
  GetApiV1AgentsResponse,
  GetApiV1AgentsAgentIdEnrollmentsResponse,
  GetApiV1AgentsDiscoveryCandidatesResponse,
  GetApiV1AgentsDiscoverySettingResponse,
  GetApiV1AiModelsResponse,
  GetApiV1BudgetsResponse,
  GetApiV1McpServersMcpServerIdToolsResponse,
  GetApiV1McpServersResponse,
  GetApiV1UsageSummaryResponse,
  PostApiV1AiModelsAiModelIdTestResponse,
  GetApiV1RolesResponse,
  GetApiV1AuthSessionsResponse,
  GetApiV1UsersResponse,
  PostApiV1UsersResponse,
  PostApiV1UsersUserIdInvitationResponse,
  GetApiV1AuthApiKeysResponse,
  PostApiV1AuthApiKeysResponse,
  GetApiV1AuditLogResponse,
  GetApiV1FlowsResponse,
  GetApiV1FlowsModelsResponse,
  GetApiV1FlowsToolsResponse,
  GetApiV1ApprovalWorkflowsResponse,
  PostApiV1FlowsFlowIdTriggerResponse,
  GetApiV1ApprovalRequestsResponse,
  GetApiV1FlowsExecutionsExecutionIdLogsResponse,
  GetApiV1FlowsExecutionsResponse,
  PostApiV1FlowsExecutionsExecutionIdRetryResponse,
  GetApiV1EventWebhooksCatalogueResponse,
  GetApiV1EventWebhooksDeliveriesDeliveryIdResponse,
  GetApiV1EventWebhooksDeliveriesResponse,
  GetApiV1EventWebhooksEndpointsResponse,
  GetApiV1RuntimeSessionsResponse,
  GetApiV1RuntimeSessionsSettingsEmbeddingResponse,
  PutApiV1RuntimeSessionsSettingsEmbeddingData,
  GetApiV1RuntimeSessionsSessionIdResponse,
  GetApiV1RuntimeSessionsSessionIdTimelineResponse,
  GetApiV1UsersMeResponse,
  PostApiV1EventWebhooksDeliveriesEventIdReplayResponse,
  PostApiV1EventWebhooksDeliveriesRecoverResponse,
  GetApiV1EventWebhooksDeliveriesRecoverRecoveryIdResponse,
  PostApiV1EventWebhooksEndpointsResponse,
  PostApiV1RuntimeSessionsSearchData,
  PostApiV1RuntimeSessionsSearchResponse,
} from './__generated__/types.gen.ts';

export type User = GetApiV1UsersMeResponse;
export type Permission = User['permissions'][number];
export type UserPage = GetApiV1UsersResponse;
export type ListedUser = UserPage['items'][number];
/** With the link of their invitation, this once, where they have no password. */
export type CreatedUser = PostApiV1UsersResponse;
export type Invited = PostApiV1UsersUserIdInvitationResponse;
export type RolePage = GetApiV1RolesResponse;
export type Role = RolePage['items'][number];

export type LoginPage = GetApiV1AuthSessionsResponse;
/** A browser or a program in which somebody is signed in. */
export type Login = LoginPage['items'][number];

export type Overview = GetApiV1OverviewResponse;

export type KillSwitch = GetApiV1AccountKillSwitchResponse;
/** With what it ended. */
export type ThrownKillSwitch = PutApiV1AccountKillSwitchResponse;

export type Policy = GetApiV1PoliciesResponse;
export type PolicyVersionPage = GetApiV1PoliciesVersionsResponse;
export type PolicyVersion = PolicyVersionPage['items'][number];
export type PolicyDiff = PostApiV1PoliciesDiffResponse;
export type PolicyValidation = PostApiV1PoliciesValidateResponse;
export type PolicyProblem = PolicyValidation['errors'][number];
export type PolicyTrial = PostApiV1PoliciesTestResponse;
export type Backtest = GetApiV1PoliciesBacktestsBacktestIdResponse;

export type AgentPage = GetApiV1AgentsResponse;
export type Agent = AgentPage['items'][number];
export type EnrollmentPage = GetApiV1AgentsAgentIdEnrollmentsResponse;
export type Enrollment = EnrollmentPage['items'][number];
export type CandidatePage = GetApiV1AgentsDiscoveryCandidatesResponse;
/** An agent that was seen on a workstation. */
export type Candidate = CandidatePage['items'][number];
export type DiscoverySetting = GetApiV1AgentsDiscoverySettingResponse;

export type SearchRequest = PostApiV1RuntimeSessionsSearchData['body'];
export type SearchAnswer = PostApiV1RuntimeSessionsSearchResponse;
export type FoundSession = SearchAnswer['results'][number];
export type Snippet = FoundSession['snippets'][number];

export type EmbeddingSetting = GetApiV1RuntimeSessionsSettingsEmbeddingResponse;
export type EmbeddingChange = PutApiV1RuntimeSessionsSettingsEmbeddingData['body'];

export type RuntimeSession = GetApiV1RuntimeSessionsSessionIdResponse;
export type SessionsPage = GetApiV1RuntimeSessionsResponse;
export type TimelinePage = GetApiV1RuntimeSessionsSessionIdTimelineResponse;
export type TimelineEntry = TimelinePage['items'][number];

export type NotePage = GetApiV1OperatorNotesResponse;
export type OperatorNote = NotePage['items'][number];

export type EventCatalogue = GetApiV1EventWebhooksCatalogueResponse;
export type EndpointPage = GetApiV1EventWebhooksEndpointsResponse;
export type Endpoint = EndpointPage['items'][number];
/** With its signing secret, this once. */
export type CreatedEndpoint = PostApiV1EventWebhooksEndpointsResponse;
export type DeliveryPage = GetApiV1EventWebhooksDeliveriesResponse;
export type Delivery = DeliveryPage['items'][number];
export type DeliveryDetails = GetApiV1EventWebhooksDeliveriesDeliveryIdResponse;
export type RecoverStarted = PostApiV1EventWebhooksDeliveriesRecoverResponse;
export type Recovery = GetApiV1EventWebhooksDeliveriesRecoverRecoveryIdResponse;
export type Replayed = PostApiV1EventWebhooksDeliveriesEventIdReplayResponse;

export type ApprovalPage = GetApiV1ApprovalRequestsResponse;
export type ApprovalRequest = ApprovalPage['items'][number];
export type ApprovalDecision = 'approve' | 'decline';

export type ExecutionPage = GetApiV1FlowsExecutionsResponse;
export type Execution = ExecutionPage['items'][number];
export type Retried = PostApiV1FlowsExecutionsExecutionIdRetryResponse;
/** One or more lines that came together. */
export type LogPage = GetApiV1FlowsExecutionsExecutionIdLogsResponse;
export type LogPiece = LogPage['items'][number];

export type FlowPage = GetApiV1FlowsResponse;
export type Flow = FlowPage['items'][number];
export type ModelChoicePage = GetApiV1FlowsModelsResponse;
export type ToolChoicePage = GetApiV1FlowsToolsResponse;
/** A tool that a flow may be allowed. */
export type ToolChoice = ToolChoicePage['items'][number];
export type WorkflowPage = GetApiV1ApprovalWorkflowsResponse;
export type Triggered = PostApiV1FlowsFlowIdTriggerResponse;

export type ModelPage = GetApiV1AiModelsResponse;
export type AiModel = ModelPage['items'][number];
export type ModelTest = PostApiV1AiModelsAiModelIdTestResponse;

export type ToolServerPage = GetApiV1McpServersResponse;
export type ToolServer = ToolServerPage['items'][number];
export type ToolPage = GetApiV1McpServersMcpServerIdToolsResponse;
export type Tool = ToolPage['items'][number];

export type BudgetPage = GetApiV1BudgetsResponse;
export type Budget = BudgetPage['items'][number];
export type UsageSummary = GetApiV1UsageSummaryResponse;
export type UsageGroup = UsageSummary['group_by'];
export type UsageSums = UsageSummary['items'][number];

export type AuditPage = GetApiV1AuditLogResponse;
export type AuditEntry = AuditPage['items'][number];

export type ApiKeyPage = GetApiV1AuthApiKeysResponse;
export type ApiKey = ApiKeyPage['items'][number];
/** With the key itself, this once. */
export type CreatedApiKey = PostApiV1AuthApiKeysResponse;

/** Of the routes for browsers: the refresh token comes as a cookie that no script sees. */
export interface BrowserSession {
  readonly access_token: string;
  readonly expires_in: number;
  readonly user?: User;
}
