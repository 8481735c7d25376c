import { AppError, type Principal, type RestrictedKind } from '@steward/contracts';
import { requireEventTypes } from './require-event-types.ts';
import { requireHttps } from './require-https.ts';

/**
 * Restricted credential kinds that may call the routes of the portal. The handlers use `readScope` to limit a portal
 * link to the endpoints of its group (HOOK-50).
 */
export const PORTAL: readonly RestrictedKind[] = ['portal_link'];

/**
 * Returns the scope of the endpoints that the caller may use: those of the account, or of the group of a portal link.
 */
export function readScope({ accountId, portal }: Principal) {
  return { accountId, group: portal?.group };
}

/** Fields that a portal link restricts when an endpoint is created or changed. */
interface EndpointFields {
  readonly url?: string;
  readonly group?: string | null;
  readonly keep_answers?: boolean;
}

/**
 * Checks the fields that the holder of a portal link sends. Because the holder does not belong to the account, the URL
 * must use https, and the holder cannot set the group or whether responses are stored.
 */
export function requirePortalFields({ portal }: Principal, body: EndpointFields): void {
  if (portal === undefined) return;
  if (body.url !== undefined) requireHttps(body.url);
  const [refused] = (['group', 'keep_answers'] as const).filter((field) => body[field] !== undefined);
  if (refused === undefined) return;
  throw new AppError('invalid_request', {
    message: `A portal link cannot set "${refused}".`,
    detail: { field: refused },
  });
}

/**
 * Returns the event types for an endpoint of the caller. For a portal link, an empty list is replaced by the types of
 * the portal, because it would otherwise mean every type of the account.
 */
export function requireUsableTypes(principal: Principal, types: readonly string[], field = 'event_types'): string[] {
  const known = requireEventTypes(types, field);
  const { portal } = principal;
  if (portal === undefined) return known;
  const refused = known.find((type) => !portal.eventTypes.includes(type));
  if (refused === undefined) return known.length === 0 ? [...portal.eventTypes] : known;
  throw new AppError('unknown_event_type', {
    message: `"${refused}" is not an event type of this portal. See the catalog.`,
    detail: { field, event_type: refused },
  });
}
