/**
 * Types of responses and of a few request bodies, by the names used in this code. The generated types are named after
 * operations; they are looked up only here.
 */
import type {
  Deployment,
  DeploymentHealth,
  ListOperatorNotesResponse,
  ReadOverviewResponse,
  ReadPolicyResponse,
  ListPolicyVersionsResponse,
  ReadBacktestResponse,
  ComparePolicyResponse,
  TestPolicyResponse,
  ValidatePolicyResponse,
  ReadKillSwitchResponse,
  SetKillSwitchResponse,
  ListAgentsResponse,
  ListEnrollmentsResponse,
  ListDiscoveryCandidatesResponse,
  ReadDiscoverySettingResponse,
  ListAiModelsResponse,
  ListBudgetsResponse,
  ListToolsResponse,
  ListToolServersResponse,
  ListTrackersResponse,
  TestTrackerResponse,
  ListFlowTemplatesResponse,
  ListUsageResponse,
  ReadSpendStatsResponse,
  SummarizeUsageResponse,
  TestAiModelResponse,
  ListRolesResponse,
  ListLoginsResponse,
  ListUsersResponse,
  CreateUserResponse,
  InviteUserResponse,
  ListApiKeysResponse,
  CreateApiKeyResponse,
  ListAuditEntriesResponse,
  ListFlowsResponse,
  ListFlowModelsResponse,
  ListFlowToolsResponse,
  ListApprovalWorkflowsResponse,
  TriggerFlowResponse,
  ListApprovalRequestsResponse,
  ListExecutionLogsResponse,
  ListExecutionsResponse,
  ListFlowArrivalsResponse,
  ListFlowDueTimesResponse,
  ListSchedulesResponse,
  PreviewScheduleResponse,
  RetryExecutionResponse,
  ReadEventCatalogueResponse,
  ReadDeliveryResponse,
  ListDeliveriesResponse,
  ReadSentEventResponse,
  ListEndpointsResponse,
  ListNoticeChannelsResponse,
  ListPortalLinksResponse,
  CreatePortalLinkResponse,
  ListPushSubscriptionsResponse,
  ReadPushKeyResponse,
  TestNoticeChannelResponse,
  ListSessionsResponse,
  ReadEmbeddingSettingResponse,
  ReadTitleSettingResponse,
  SearchGrants,
  SaveEmbeddingSettingData,
  ReadSessionResponse,
  ReadTimelineResponse,
  ReadMeResponse,
  ReplayEventResponse,
  StartRecoveryResponse,
  ReadRecoveryResponse,
  CreateEndpointResponse,
  SearchSessionsData,
  SearchSessionsResponse,
} from './__generated__/types.gen.ts';

export type { Deployment, DeploymentHealth, SearchGrants };
export type User = ReadMeResponse;
export type Permission = User['permissions'][number];
export type UserPage = ListUsersResponse;
export type ListedUser = UserPage['items'][number];
/** Includes the invitation link (shown once) if the user was created without a password. */
export type CreatedUser = CreateUserResponse;
export type Invited = InviteUserResponse;
export type RolePage = ListRolesResponse;
export type Role = RolePage['items'][number];

export type LoginPage = ListLoginsResponse;
/** A browser or a program in which a user is signed in. */
export type Login = LoginPage['items'][number];

export type Overview = ReadOverviewResponse;

export type KillSwitch = ReadKillSwitchResponse;
/** Includes the numbers of stopped executions and cancelled approval requests. */
export type KillSwitchResult = SetKillSwitchResponse;

export type Policy = ReadPolicyResponse;
export type PolicyVersionPage = ListPolicyVersionsResponse;
export type PolicyVersion = PolicyVersionPage['items'][number];
export type PolicyDiff = ComparePolicyResponse;
export type PolicyValidation = ValidatePolicyResponse;
export type PolicyProblem = PolicyValidation['errors'][number];
export type PolicyTrial = TestPolicyResponse;
export type Backtest = ReadBacktestResponse;

export type AgentPage = ListAgentsResponse;
export type Agent = AgentPage['items'][number];
export type EnrollmentPage = ListEnrollmentsResponse;
export type Enrollment = EnrollmentPage['items'][number];
export type CandidatePage = ListDiscoveryCandidatesResponse;
/** An agent that was seen on a workstation. */
export type Candidate = CandidatePage['items'][number];
export type DiscoverySetting = ReadDiscoverySettingResponse;

export type SearchRequest = SearchSessionsData['body'];
export type SearchAnswer = SearchSessionsResponse;
export type FoundSession = SearchAnswer['results'][number];
export type Snippet = FoundSession['snippets'][number];

export type EmbeddingSetting = ReadEmbeddingSettingResponse;
export type TitleSetting = ReadTitleSettingResponse;
export type EmbeddingChange = SaveEmbeddingSettingData['body'];

export type RuntimeSession = ReadSessionResponse;
export type SessionsPage = ListSessionsResponse;
export type TimelinePage = ReadTimelineResponse;
export type TimelineEntry = TimelinePage['items'][number];

export type NotePage = ListOperatorNotesResponse;
export type OperatorNote = NotePage['items'][number];

export type EventCatalogue = ReadEventCatalogueResponse;
export type EndpointPage = ListEndpointsResponse;
export type Endpoint = EndpointPage['items'][number];
export type PortalLinkPage = ListPortalLinksResponse;
export type PortalLink = PortalLinkPage['items'][number];
/** Includes the address with the token, which is shown once. */
export type CreatedPortalLink = CreatePortalLinkResponse;
export type NoticeChannelPage = ListNoticeChannelsResponse;
export type NoticeChannel = NoticeChannelPage['items'][number];
export type TestNotice = TestNoticeChannelResponse;
export type PushSubscriptionPage = ListPushSubscriptionsResponse;
export type PushSubscription = PushSubscriptionPage['items'][number];
export type PushKey = ReadPushKeyResponse;
/** Includes its signing secret, which is shown once. */
export type CreatedEndpoint = CreateEndpointResponse;
/** The body that every attempt of a delivery posts, and the headers common to all attempts. */
export type SentEvent = ReadSentEventResponse;
export type DeliveryPage = ListDeliveriesResponse;
export type Delivery = DeliveryPage['items'][number];
export type DeliveryDetails = ReadDeliveryResponse;
export type RecoverStarted = StartRecoveryResponse;
export type Recovery = ReadRecoveryResponse;
export type Replayed = ReplayEventResponse;

export type ApprovalPage = ListApprovalRequestsResponse;
export type ApprovalRequest = ApprovalPage['items'][number];
export type ApprovalDecision = 'approve' | 'decline';

export type ExecutionPage = ListExecutionsResponse;
export type Execution = ExecutionPage['items'][number];
export type Retried = RetryExecutionResponse;
export type LogPage = ListExecutionLogsResponse;
/** One or more lines that were received together. */
export type LogPiece = LogPage['items'][number];

export type FlowPage = ListFlowsResponse;
export type Flow = FlowPage['items'][number];
export type ArrivalPage = ListFlowArrivalsResponse;
/** A request received from a flow's source. */
export type Arrival = ArrivalPage['items'][number];
export type SchedulePage = ListSchedulesResponse;
export type FlowSchedule = SchedulePage['items'][number];
export type ScheduleConfig = FlowSchedule['schedule_config'];
export type DueTimes = ListFlowDueTimesResponse;
export type NextDueTimes = PreviewScheduleResponse;
export type ModelChoicePage = ListFlowModelsResponse;
export type ToolChoicePage = ListFlowToolsResponse;
/** A tool that a flow may be allowed to call. */
export type ToolChoice = ToolChoicePage['items'][number];
export type WorkflowPage = ListApprovalWorkflowsResponse;
export type Triggered = TriggerFlowResponse;

export type ModelPage = ListAiModelsResponse;
export type AiModel = ModelPage['items'][number];
export type ModelTest = TestAiModelResponse;

export type ToolServerPage = ListToolServersResponse;
export type ToolServer = ToolServerPage['items'][number];
export type ToolPage = ListToolsResponse;
export type Tool = ToolPage['items'][number];

export type TrackerPage = ListTrackersResponse;
export type Tracker = TrackerPage['items'][number];
export type TrackerTrial = TestTrackerResponse;
export type FlowTemplatePage = ListFlowTemplatesResponse;
/** A ready-made flow. */
export type FlowTemplate = FlowTemplatePage['items'][number];

export type BudgetPage = ListBudgetsResponse;
export type Budget = BudgetPage['items'][number];
export type UsageCallPage = ListUsageResponse;
/** A model call. */
export type UsageCall = UsageCallPage['items'][number];
/** Every series has this form. */
export type Series = ReadSpendStatsResponse;
export type SeriesGroup = Series['groups'][number];
export type SeriesMeasure = keyof Series['total']['sums'];
export type UsageSummary = SummarizeUsageResponse;
export type UsageGroup = UsageSummary['group_by'];
export type UsageSums = UsageSummary['items'][number];

export type AuditPage = ListAuditEntriesResponse;
export type AuditEntry = AuditPage['items'][number];

export type ApiKeyPage = ListApiKeysResponse;
export type ApiKey = ApiKeyPage['items'][number];
/** Includes the key itself, which is shown once. */
export type CreatedApiKey = CreateApiKeyResponse;

/** Response of the sign-in routes for browsers; the refresh token is in a cookie that no script can read. */
export interface BrowserSession {
  readonly access_token: string;
  readonly expires_in: number;
  readonly user?: User;
}
