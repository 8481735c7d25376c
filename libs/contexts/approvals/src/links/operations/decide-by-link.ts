import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { findDecider } from '@steward/identity';
import type { ApprovalRequest, VoteDecision } from '../../requests/approval-request.ts';
import { castVote } from '../../requests/operations/decide-request.ts';
import type { ApprovalOptions } from '../../requests/operations/resolve-request.ts';
import { findRequest } from '../../requests/store/approval-request.store.ts';
import { hashLinkToken, isLinkToken } from '../rules/link-token.ts';
import { consumeLink, findLink } from '../store/approval-link.store.ts';

/** `over`: a used link, or a link of a closed request. Callers get the same response for `over` and `unknown`. */
export type LinkState =
  | { readonly kind: 'open'; readonly request: ApprovalRequest }
  | { readonly kind: 'over' }
  | { readonly kind: 'unknown' };

/** Reads the data that a link shows; makes no query if the string is not a valid token. */
export async function readLink(db: AnyDatabase, token: string): Promise<LinkState> {
  const link = isLinkToken(token) ? await findLink(db, hashLinkToken(token)) : undefined;
  if (link === undefined) return { kind: 'unknown' };
  const request = link.isOpen ? await findRequest(db, { accountId: link.accountId, id: link.requestId }) : undefined;
  return request === undefined ? { kind: 'over' } : { kind: 'open', request };
}

export type LinkOutcome =
  | { readonly kind: 'unusable' | 'comment_required' }
  | { readonly kind: 'voted'; readonly request: ApprovalRequest; readonly userId: string };

/** Casts the vote of the person to whom the link belongs; a counted vote uses up the link, in the same transaction. */
export async function decideByLink(
  trx: AnyTransaction,
  hints: HintSink,
  {
    token,
    decision,
    comment,
  }: { readonly token: string; readonly decision: VoteDecision; readonly comment: string | null },
  options: ApprovalOptions,
): Promise<LinkOutcome> {
  const hash = hashLinkToken(token);
  const link = isLinkToken(token) ? await findLink(trx, hash) : undefined;
  if (link?.isOpen !== true) return { kind: 'unusable' };
  const { accountId, requestId: id, userId } = link;
  const person = await findDecider(trx, { accountId, userId });
  if (person === undefined) return { kind: 'unusable' };
  const voter = { userId, display: person.username, role: person.role };
  const outcome = await castVote(trx, hints, { accountId, id, voter, decision, comment, via: 'email' }, options);
  if (outcome.kind === 'comment_required') return { kind: 'comment_required' };
  // The request is closed, or the person has already voted or may not vote; the response does not show which.
  if (outcome.kind !== 'voted') return { kind: 'unusable' };
  await consumeLink(trx, hash);
  return { kind: 'voted', request: outcome.request, userId };
}
