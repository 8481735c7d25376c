/**
 * Webhooks context: the outbox of events, endpoints with their secrets and breakers, deliveries and attempts,
 * listeners, notices to channels and browsers, portal links and emails. Producers emit events in their own transaction;
 * the dispatcher claims deliveries, sends them and stores the outcomes.
 *
 * Not here: HTTP of any kind (the gateway contains the routes, the dispatcher sends the requests), the event types
 * (@steward/contracts). Used by, among others: contexts and use cases that emit or redact events; the gateway, for its
 * routes and metrics; webhook-dispatcher, which sends the deliveries.
 */
export { webhooksMigrations } from '../migrations/index.ts';
export { outboxSettings } from './outbox/outbox-settings.ts';
export { webhooksSealedColumns } from './sealed-columns.ts';
export { webhookSettings } from './webhook-settings.ts';
export { redactEvents } from './outbox/operations/redact-events.ts';
export { emitEvent, type EmitOptions, type EmitOutcome, type EmittedEvent } from './outbox/operations/emit-event.ts';
export { claimDeliveries, type Claim } from './deliveries/operations/claim-deliveries.ts';
export { claimProbes } from './breaker/store/probe.store.ts';
export { markForgotten } from './deliveries/store/parking.store.ts';
export { releaseClaims } from './deliveries/store/release.store.ts';
export { purgeHistory, type PurgeResult } from './history/operations/purge-history.ts';
export { readClockSkewSeconds } from './operations/read-clock-skew.ts';
export { readQueueGauges, type QueueGauges } from './deliveries/store/queue-gauges.store.ts';
export { settleDelivered, type DeliveredResult } from './deliveries/operations/settle-delivered.ts';
export { settleAttempts, type SettleResult } from './deliveries/operations/settle-attempts.ts';
export type { BreakerMove } from './breaker/rules/advance-breakers.ts';
export type { EndpointHold, PastBreakerMove } from './breaker/store/breaker-history.store.ts';
export type { ClaimedDelivery } from './deliveries/store/claimed-rows.store.ts';
export { readEventTrace } from './deliveries/store/event-trace.store.ts';
export type { AttemptRecord, AttemptVerdict, DeliveryOutcome } from './deliveries/rules/outcome.ts';
export type { BreakerRules } from './breaker/rules/breaker.ts';
export {
  buildEventHeaders,
  buildRequestHeaders,
  describeSentHeaders,
  toTimestamp,
  type OutboundRequest,
} from './deliveries/rules/request-headers.ts';
export { delayRetry } from './deliveries/rules/delay-retry.ts';
export { computeRetryDelayMs } from './deliveries/rules/retry-schedule.ts';
export { checkEndpointUrl, MAX_URL_LENGTH, type EndpointUrl } from './endpoints/rules/endpoint-url.ts';
export type { Endpoint } from './endpoints/rules/endpoint-view.ts';
export { describeUrlContext } from './endpoints/rules/url-context.ts';
export { createEndpoint, type CreateEndpointOutcome } from './endpoints/operations/create-endpoint.ts';
export { deleteEndpoint } from './endpoints/operations/delete-endpoint.ts';
export type { ChangeRefusal } from './endpoints/operations/find-own-endpoint.ts';
export { rotateEndpointSecret } from './endpoints/operations/rotate-endpoint-secret.ts';
export { rotateWorkflowSecret } from './endpoints/operations/rotate-workflow-secret.ts';
export { saveWorkflowEndpoints } from './endpoints/operations/save-workflow-endpoints.ts';
export { sealStoredEndpoints } from './endpoints/operations/seal-stored-endpoints.ts';
export {
  updateEndpoint,
  type EndpointPatch,
  type UpdateEndpointOutcome,
} from './endpoints/operations/update-endpoint.ts';
export { findEndpoint, listEndpoints } from './endpoints/store/endpoint.store.ts';
export { MAX_LISTENERS_PER_ACCOUNT, type Listener } from './listeners/listener.ts';
export {
  createListener,
  deleteListener,
  updateListener,
  type CreateListenerOutcome,
} from './listeners/operations/change-listeners.ts';
export {
  readListenerEvents,
  type ListenerEvent,
  type ListenerRead,
} from './listeners/operations/read-listener-events.ts';
export { FIRST_POSITION, formatPosition, parsePosition, type Position } from './listeners/rules/position.ts';
export { readCurrentPosition } from './listeners/store/listener-event.store.ts';
export { listListeners, touchListener } from './listeners/store/listener.store.ts';
export {
  CHANNEL_KINDS,
  MAX_CHANNELS_PER_ACCOUNT,
  NOTICE_TYPES,
  NOTICES,
  type Channel,
  type ChannelKind,
  type EndpointFailure,
  type NoticeData,
  type NoticeKind,
  type NoticeType,
} from './channels/channel.ts';
export {
  createChannel,
  deleteChannel,
  updateChannel,
  type ChannelPatch,
  type CreateChannelOutcome,
} from './channels/operations/change-channels.ts';
export { reportFailingEndpoints } from './channels/operations/report-failing-endpoints.ts';
export { reportGivenUp } from './channels/operations/report-given-up.ts';
export { sendTestNotice } from './channels/operations/send-test-notice.ts';
export { findChannel, listChannels } from './channels/store/channel.store.ts';
export { ENDPOINT_FAILING } from './outbox/rules/message-types.ts';
export {
  chooseNotices,
  removeEndedSubscriptions,
  subscribe,
  unsubscribe,
  type SubscribeOutcome,
} from './push/operations/change-subscriptions.ts';
export { ensurePushKey, openPushKey, type PushKeyPair } from './push/operations/push-key.ts';
export { MAX_SUBSCRIPTIONS_PER_USER, type PushKeys, type PushSubscription } from './push/push-subscription.ts';
export { isBrowserKey } from './push/rules/browser-key.ts';
export { findPushReader, listSubscriptions } from './push/store/push-subscription.store.ts';
export { MAIL_URL, type Mail } from './mail/mail.ts';
export { openMail } from './mail/open-mail.ts';
export { queueMail } from './mail/queue-mail.ts';
export {
  MAX_ENDPOINTS_PER_GROUP,
  MAX_FRAME_ORIGINS,
  MAX_GROUP_LENGTH,
  MAX_PORTAL_LINKS_PER_ACCOUNT,
  type PortalLink,
} from './portal/portal-link.ts';
export { isFrameOrigin } from './portal/rules/frame-origin.ts';
export { createPortalLink } from './portal/operations/create-portal-link.ts';
export {
  deletePortalLink,
  findFrameOrigins,
  findPortalCredentials,
  listPortalLinks,
} from './portal/store/portal-link.store.ts';
export { reportWorkflowDeliveries } from './deliveries/operations/report-workflow-deliveries.ts';
export { WORKFLOW_DELIVERIES } from './deliveries/store/workflow-delivery.store.ts';
export type { WorkflowDelivery } from './deliveries/store/workflow-delivery.store.ts';
export { readDelivery, type InspectedDelivery } from './history/operations/read-delivery.ts';
export { requestRecovery, type RecoveryOutcome } from './history/operations/request-recovery.ts';
export { runRecoveryBatch, type RecoveryStep } from './history/operations/run-recovery-batch.ts';
export {
  listDeliveries,
  type Delivery,
  type DeliveryFilter,
  type LoggedAttempt,
} from './history/store/delivery.store.ts';
export { findEvent, type StoredEvent } from './history/store/event.store.ts';
export {
  countUnrepaired,
  DUE_RECOVERIES,
  findRecoveryJob,
  type RecoveryJob,
  type RecoveryScope,
} from './history/store/recovery.store.ts';
export { replayEvent, type ReplayOutcome } from './history/operations/replay-event.ts';
export { sendChatMessage } from './outbox/operations/send-chat-message.ts';
export { sendTestEvent, type SentType, type TestSend } from './outbox/operations/send-test-event.ts';
export type { CircuitState, DeliveryStatus, EndpointSource } from './schema.ts';
