import { readBaseUrl } from '../config/base-url.ts';
import { refuse } from '../exit-codes.ts';

/** Meaning of FLOW: a flow that is looked up using a bearer token, or a webhook URL that is itself the credential. */
export type TriggerTarget =
  | { readonly kind: 'flow'; readonly nameOrId: string }
  | { readonly kind: 'webhook'; readonly baseUrl: string; readonly path: string; readonly secret: string };

const WEBHOOK_PATH = /^(?<base>.*?)(?<path>(?:\/api\/v1)?\/webhooks\/flows\/[^/]+\/(?<secret>[^/]+))\/?$/;

/**
 * Parses the FLOW argument.
 * @throws refused for a URL that is not that of a webhook, without repeating it, since it may still contain a secret
 */
export function parseTarget(text: string): TriggerTarget {
  if (!/^https?:\/\//i.test(text)) return { kind: 'flow', nameOrId: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const groups = WEBHOOK_PATH.exec(url?.pathname ?? '')?.groups;
  if (
    url === undefined ||
    groups?.secret === undefined ||
    groups.path === undefined ||
    url.search !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    throw refuse('The webhook URL must have the form https://HOST/webhooks/flows/FLOW_ID/SECRET');
  const baseUrl = readBaseUrl(`${url.origin}${groups.base ?? ''}`, 'The webhook URL');
  return { kind: 'webhook', baseUrl, path: groups.path, secret: groups.secret };
}
