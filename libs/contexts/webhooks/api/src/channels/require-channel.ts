import { requireTarget, type WebhookSettings } from '@steward/api';
import { AppError } from '@steward/contracts';
import type { ChannelKind } from '@steward/webhooks';

/** Names of topics that servers of ntfy accept. */
const TOPIC = /^\/(?:[^/]+\/)*[-_A-Za-z0-9]{1,64}$/;

/** The 422 errors for the URL of a channel: those of an endpoint's URL, and for ntfy one without a topic. */
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

/** The URLs of Slack and Teams are their own credential. */
export function requireTokenOf(kind: ChannelKind, token: string | null | undefined): void {
  if (kind === 'ntfy' || token === null || token === undefined) return;
  throw new AppError('invalid_request', {
    message: 'Only channels of the kind ntfy have a token.',
    detail: { field: 'token' },
  });
}
