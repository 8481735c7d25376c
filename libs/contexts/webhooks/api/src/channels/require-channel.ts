import { requireTarget, type WebhookSettings } from '@steward/api';
import { AppError } from '@steward/contracts';
import type { ChannelKind } from '@steward/webhooks';

/** Matches paths with a topic name that ntfy servers accept. */
const TOPIC = /^\/(?:[^/]+\/)*[-_A-Za-z0-9]{1,64}$/;

/**
 * Checks the URL of a channel in the same way as that of an endpoint; a URL for ntfy must also end with a topic.
 * @throws AppError with 422
 */
export async function requireChannelTarget(
  kind: ChannelKind,
  url: string,
  deps: { readonly settings: WebhookSettings },
): Promise<void> {
  await requireTarget(url, deps);
  if (kind !== 'ntfy') return;
  const { pathname, search } = new URL(url);
  if (TOPIC.test(pathname) && search === '') return;
  throw new AppError('invalid_url', {
    message: 'The URL must end with the name of a topic, such as https://ntfy.sh/my-topic.',
    detail: { field: 'url' },
  });
}

/** Refuses a token for Slack and Teams: the URLs of these kinds are themselves credentials. */
export function requireTokenOf(kind: ChannelKind, token: string | null | undefined): void {
  if (kind === 'ntfy' || token === null || token === undefined) return;
  throw new AppError('invalid_request', {
    message: 'Only channels of the kind ntfy have a token.',
    detail: { field: 'token' },
  });
}
