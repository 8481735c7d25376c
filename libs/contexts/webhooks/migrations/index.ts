import type { SliceMigrations } from '@steward/database';
import { createEndpoint } from './0001_create_endpoint.ts';
import { createEvent } from './0002_create_event.ts';
import { createDelivery } from './0003_create_delivery.ts';
import { createHistory } from './0004_create_history.ts';
import { grantRoles } from './0005_grant_roles.ts';
import { createRecovery } from './0006_create_recovery.ts';
import { createBreakerHistory } from './0007_create_breaker_history.ts';
import { createWorkflowDelivery } from './0008_create_workflow_delivery.ts';
import { dropDeliveryDoneId } from './0009_drop_delivery_done_id.ts';
import { shardOutbox } from './0010_shard_outbox.ts';
import { confineWorker } from './0011_confine_worker.ts';
import { parkDeliveries } from './0012_park_deliveries.ts';
import { carryTrace } from './0013_carry_trace.ts';
import { redactEvents } from './0014_redact_events.ts';
import { reportDeadDeliveries } from './0015_report_dead_deliveries.ts';
import { deliverMail } from './0016_deliver_mail.ts';
import { deliverChat } from './0017_deliver_chat.ts';
import { emitVulnerabilities } from './0018_emit_vulnerabilities.ts';
import { sealAddresses } from './0019_seal_addresses.ts';
import { createListener } from './0021_create_listener.ts';
import { validateEndpointSource } from './0022_validate_endpoint_source.ts';
import { keepAnswers } from './0023_keep_answers.ts';
import { createPortalLink } from './0024_create_portal_link.ts';
import { addNoticeChannels } from './0026_add_notice_channels.ts';
import { validateChannelKind } from './0027_validate_channel_kind.ts';
import { addPush } from './0028_add_push.ts';
import { validatePush } from './0029_validate_push.ts';
import { countGivenUp } from './0030_count_given_up.ts';
import { nameHistory } from './0031_name_history.ts';

/**
 * Migrations of this context, listed by hand, because apps are bundled. A migration must not be changed after its
 * release.
 */
export const webhooksMigrations: SliceMigrations = {
  schema: 'webhooks',
  migrations: {
    '0001_create_endpoint': createEndpoint,
    '0002_create_event': createEvent,
    '0003_create_delivery': createDelivery,
    '0004_create_history': createHistory,
    '0005_grant_roles': grantRoles,
    '0006_create_recovery': createRecovery,
    '0007_create_breaker_history': createBreakerHistory,
    '0008_create_workflow_delivery': createWorkflowDelivery,
    '0009_drop_delivery_done_id': dropDeliveryDoneId,
    '0010_shard_outbox': shardOutbox,
    '0011_confine_worker': confineWorker,
    '0012_park_deliveries': parkDeliveries,
    '0013_carry_trace': carryTrace,
    '0014_redact_events': redactEvents,
    '0015_report_dead_deliveries': reportDeadDeliveries,
    '0016_deliver_mail': deliverMail,
    '0017_deliver_chat': deliverChat,
    '0018_emit_vulnerabilities': emitVulnerabilities,
    '0019_seal_addresses': sealAddresses,
    '0021_create_listener': createListener,
    '0022_validate_endpoint_source': validateEndpointSource,
    '0023_keep_answers': keepAnswers,
    '0024_create_portal_link': createPortalLink,
    '0026_add_notice_channels': addNoticeChannels,
    '0027_validate_channel_kind': validateChannelKind,
    '0028_add_push': addPush,
    '0029_validate_push': validatePush,
    '0030_count_given_up': countGivenUp,
    '0031_name_history': nameHistory,
  },
};
