import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { MAX_PORTAL_LINKS_PER_ACCOUNT, PORTAL_LINK_SECONDS, type PortalLink } from '../portal-link.ts';
import { countPortalLinks, insertPortalLink, type NewPortalLink } from '../store/portal-link.store.ts';

export type CreatePortalLinkOutcome =
  { readonly kind: 'created'; readonly link: PortalLink } | { readonly kind: 'limit_reached' };

/**
 * Creates a link that expires after an hour. The caller must have created its token and checked its types and origins.
 */
export async function createPortalLink(
  trx: AnyTransaction,
  input: Omit<NewPortalLink, 'id' | 'expiresAt'>,
  now: Date,
): Promise<CreatePortalLinkOutcome> {
  await lockAccount(trx, input.accountId);
  if ((await countPortalLinks(trx, input.accountId, now)) >= MAX_PORTAL_LINKS_PER_ACCOUNT)
    return { kind: 'limit_reached' };
  const expiresAt = new Date(now.getTime() + PORTAL_LINK_SECONDS * 1000);
  return { kind: 'created', link: await insertPortalLink(trx, { ...input, id: newId(), expiresAt }) };
}
