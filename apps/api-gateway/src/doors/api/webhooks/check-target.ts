import { AppError, isSubscribableEventType } from '@steward/contracts';
import { createTargetGuard, findBlockReason, isAllowedPort, readPort, type ResolveName } from '@steward/egress';
import { checkEndpointUrl } from '@steward/webhooks';
import { toStorableText } from '@steward/text';
import { refuseHidden } from '../hide-address.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';

/** The 422s of an endpoint's URL: malformed, or a port or an address that this deployment does not deliver to. */
export async function requireTarget(
  url: string,
  { settings }: Pick<EventWebhooksDeps, 'settings'>,
  resolve?: ResolveName,
): Promise<void> {
  refuseHidden(url, 'url');
  const checked = checkEndpointUrl(url);
  if (checked.kind === 'invalid') {
    throw new AppError('invalid_url', { message: checked.message, detail: { field: 'url' } });
  }
  const port = readPort(new URL(url));
  if (!isAllowedPort(port, settings.webhookAllowedPorts)) {
    throw new AppError('target_blocked', {
      message: `This deployment does not deliver to port ${port}.`,
      detail: { field: 'url', reason: 'port', allowed_ports: settings.webhookAllowedPorts },
    });
  }
  if (!settings.webhookBlockPrivateTargets) return;
  const reason = await findBlockReason(
    createTargetGuard(settings.webhookAllowedPrivateCidrs),
    checked.hostname,
    resolve,
  );
  if (reason === undefined) return;
  throw new AppError('target_blocked', {
    message: `The URL points to an address that this deployment does not deliver to (${reason}).`,
    detail: { field: 'url', reason },
  });
}

/** Refuses a type that does not exist or cannot be subscribed to; removes duplicates. */
export function requireEventTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => !isSubscribableEventType(type));
  if (unknown !== undefined) {
    const name = toStorableText(unknown).slice(0, 100);
    throw new AppError('unknown_event_type', {
      message: `"${name}" is not an event type that endpoints can subscribe to. See the catalogue.`,
      detail: { field: 'event_types', event_type: name },
    });
  }
  return [...new Set(types)];
}
