import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isSubscribableEventType } from '@steward/contracts';
import { AppError, toStorableText } from '@steward/runtime';
import { checkEndpointUrl, createTargetGuard, type BlockReason } from '@steward/slice-webhooks';
import type { EventWebhooksDeps } from './event-webhooks-deps.ts';

/** Every address of a name. */
export type ResolveAll = (hostname: string) => Promise<readonly string[]>;

const resolveBySystem: ResolveAll = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** The 422s of an endpoint's URL: malformed, or pointing at an address this deployment does not deliver to. */
export async function requireTarget(
  url: string,
  { settings }: Pick<EventWebhooksDeps, 'settings'>,
  resolve: ResolveAll = resolveBySystem,
): Promise<void> {
  const checked = checkEndpointUrl(url);
  if (checked.kind === 'invalid') {
    throw new AppError('invalid_url', { message: checked.message, detail: { field: 'url' } });
  }
  if (!settings.webhookBlockPrivateTargets) return;
  const reason = await findBlockReason(checked.hostname, settings.webhookAllowedPrivateCidrs, resolve);
  if (reason === undefined) return;
  throw new AppError('target_blocked', {
    message: `The URL points at an address this deployment does not deliver to (${reason}).`,
    detail: { field: 'url', reason },
  });
}

/** Every address of the name has to be acceptable: one private answer among public ones is how rebinding begins. */
async function findBlockReason(
  hostname: string,
  allowedCidrs: readonly string[],
  resolve: ResolveAll,
): Promise<BlockReason | undefined> {
  const guard = createTargetGuard(allowedCidrs);
  if (isIP(hostname) !== 0) return guard.classify(hostname);
  const answers = await resolve(hostname).catch(() => []);
  if (answers.length === 0) return 'unresolvable';
  return answers.map((address) => guard.classify(address)).find((reason) => reason !== undefined);
}

/** Refuses a type that does not exist or cannot be subscribed to; drops repetitions. */
export function requireEventTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => !isSubscribableEventType(type));
  if (unknown !== undefined) {
    const name = toStorableText(unknown).slice(0, 100);
    throw new AppError('unknown_event_type', {
      message: `"${name}" is not an event type that can be subscribed to. See the catalogue.`,
      detail: { field: 'event_types', event_type: name },
    });
  }
  return [...new Set(types)];
}
