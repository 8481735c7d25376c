import { AppError } from '@steward/contracts';
import {
  createTargetGuard,
  findBlockReason,
  isAllowedPort,
  readPort,
  type BlockReason,
  type ResolveName,
} from '@steward/egress';
import { checkEndpointUrl } from '@steward/webhooks';
import { refuseHidden } from './hide-address.ts';

/** Settings of deliveries: the allowed targets, the timeout, and how many events may wait. */
export interface WebhookSettings {
  readonly webhookMaxPendingPerAccount: number;
  readonly webhookDeliveryTimeoutSeconds: number;
  readonly webhookBlockPrivateTargets: boolean;
  readonly webhookAllowedPrivateCidrs: readonly string[];
  readonly pushAllowedPrivateCidrs: readonly string[];
  readonly webhookAllowedPorts: readonly number[];
}

interface Target {
  readonly settings: WebhookSettings;
}

/**
 * Refuses, with status 422, the URL of an endpoint if it is malformed or has a port to which this deployment does not
 * deliver. If the deployment blocks private targets, blocked addresses and names that cannot be resolved are refused,
 * too.
 */
export async function requireTarget(url: string, { settings }: Target, resolve?: ResolveName): Promise<void> {
  const hostname = requireUrl(url, settings);
  if (!settings.webhookBlockPrivateTargets) return;
  const reason = await findBlockReason(createTargetGuard(settings.webhookAllowedPrivateCidrs), hostname, resolve);
  if (reason !== undefined) throw refuseAddress(reason);
}

/**
 * Refuses the URL of a push service like `requireTarget`, with two differences. The URL comes from a browser, so an
 * address that is not public is refused in every deployment, unless `pushAllowedPrivateCidrs` contains it. A name that
 * the gateway cannot resolve is accepted: the dispatcher may be able to resolve it, and checks the address of each
 * connection.
 */
export async function requirePushTarget(url: string, { settings }: Target, resolve?: ResolveName): Promise<void> {
  const hostname = requireUrl(url, settings);
  const reason = await findBlockReason(createTargetGuard(settings.pushAllowedPrivateCidrs), hostname, resolve);
  if (reason !== undefined && reason !== 'unresolvable') throw refuseAddress(reason);
}

/** Returns the host name of a URL. @throws invalid_url, target_blocked for a port that is not allowed */
function requireUrl(url: string, settings: WebhookSettings): string {
  refuseHidden(url, 'url');
  const checked = checkEndpointUrl(url);
  if (checked.kind === 'invalid') {
    throw new AppError('invalid_url', { message: checked.message, detail: { field: 'url' } });
  }
  const port = readPort(new URL(url));
  if (isAllowedPort(port, settings.webhookAllowedPorts)) return checked.hostname;
  throw new AppError('target_blocked', {
    message: `This deployment does not deliver to port ${port}.`,
    detail: { field: 'url', reason: 'port', allowed_ports: settings.webhookAllowedPorts },
  });
}

function refuseAddress(reason: BlockReason): AppError {
  return new AppError('target_blocked', {
    message: `The URL points to an address that this deployment does not deliver to (${reason}).`,
    detail: { field: 'url', reason },
  });
}
