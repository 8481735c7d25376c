import type { Static } from '@sinclair/typebox';
import { readStored, showAddress } from '@steward/api';
import { describeUrlContext, type Channel } from '@steward/webhooks';
import type { EndpointReader } from '../present-webhooks.ts';
import type { ChannelAnswer } from './channel-schemas.ts';

export function presentChannel(channel: Channel, { reader, box }: EndpointReader): Static<typeof ChannelAnswer> {
  const url = readStored(channel.address, describeUrlContext(channel.id), box);
  return {
    id: channel.id,
    kind: channel.kind,
    url: showAddress(url, reader, 'manage_policies'),
    description: channel.description,
    notices: [...channel.notices],
    active: channel.active,
    token_hint: channel.secretHint,
    circuit_state: channel.circuitState,
    circuit_open_until: channel.circuitOpenUntil?.toISOString() ?? null,
    consecutive_failures: channel.consecutiveFailures,
    refusal_reason: channel.refusalReason,
    last_delivery_status: channel.lastDeliveryStatus,
    last_delivery_at: channel.lastDeliveryAt?.toISOString() ?? null,
    last_response_status: channel.lastResponseStatus,
    last_error: channel.lastError,
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}
