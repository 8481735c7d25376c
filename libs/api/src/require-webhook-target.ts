import { AppError } from '@steward/contracts';
import { createTargetGuard, findBlockReason, isAllowedPort, readPort, type ResolveName } from '@steward/egress';
import { checkEndpointUrl } from '@steward/webhooks';
import { refuseHidden } from './hide-address.ts';

/** Targets to which this deployment delivers events, and how many events may wait. */
export interface WebhookSettings {
  readonly webhookMaxPendingPerAccount: number;
  readonly webhookDeliveryTimeoutSeconds: number;
  readonly webhookBlockPrivateTargets: boolean;
  readonly webhookAllowedPrivateCidrs: readonly string[];
  readonly webhookAllowedPorts: readonly number[];
}

/**
 * Refuses, with status 422, the URL of an endpoint if it is malformed, or has a port or an address to which this
 * deployment does not deliver.
 */
export async function requireTarget(
  url: string,
  { settings }: { readonly settings: WebhookSettings },
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
