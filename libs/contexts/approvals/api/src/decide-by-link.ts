import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { decideByLink, readLink, VOTE_DECISIONS } from '@steward/approvals';
import { recordAudit } from '@steward/audit';
import { buildAddressKey, createTokenBuckets, type TokenBuckets, readApprovalOptions } from '@steward/api';
import type { WaitingDeps } from './approvals-deps.ts';
import { renderOutcome, renderQuestion, renderUnusable } from './decision-page.ts';
import { readComment } from './read-comment.ts';

const LinkParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Token from the email.' }),
});
const DecisionForm = Type.Object(
  {
    decision: Type.Unsafe<(typeof VOTE_DECISIONS)[number]>({ type: 'string', enum: [...VOTE_DECISIONS] }),
    comment: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
/**
 * Maximum number of unknown links per IP address and minute: 256 bits cannot be guessed, but attempts are limited
 * anyway.
 */
const MISSES_PER_MINUTE = 30;
const MAX_ADDRESSES = 10_000;

/**
 * Creates the routes of the page that a personal email links to: GET shows the request, and POST casts the vote of the
 * recipient. No other credential is needed, because the link is the credential.
 */
export function createLinkRoutes(deps: WaitingDeps): Route[] {
  const misses = createTokenBuckets({
    perMinute: MISSES_PER_MINUTE,
    maxKeys: MAX_ADDRESSES,
    nowMs: () => performance.now(),
  });
  return [createQuestionRoute(deps, misses), createDecisionRoute(deps, misses)];
}

function createQuestionRoute({ db }: WaitingDeps, misses: TokenBuckets): Route {
  return defineRoute({
    operationId: 'showApprovalPage',
    method: 'get',
    path: '/approval/{token}',
    auth: 'none',
    summary: 'Show the decision page to the recipient of an email about an approval request.',
    params: LinkParams,
    // Some email programs add parameters to links.
    ignoresQuery: true,
    responses: {
      200: { description: 'A page that shows the request and a form for the decision.', mediaType: 'text/html' },
    },
    handler: async ({ params: { token }, remoteAddress }) => {
      const link = await readLink(db, token);
      if (link.kind === 'unknown') return answerMiss(misses, remoteAddress);
      return link.kind === 'open' ? renderQuestion(link.request, token) : renderUnusable();
    },
  });
}

function createDecisionRoute(deps: WaitingDeps, misses: TokenBuckets): Route {
  const options = readApprovalOptions(deps);
  return defineRoute({
    operationId: 'decideByLink',
    method: 'post',
    path: '/approval/{token}',
    auth: 'none',
    summary: 'Decide on an approval request with the link from an email. The link works once.',
    params: LinkParams,
    ignoresQuery: true,
    bodyKind: 'form',
    body: DecisionForm,
    bodyExample: { decision: 'approve' },
    responses: { 200: { description: 'A page with the outcome.', mediaType: 'text/html' } },
    audit: { action: ['approve', 'decline'], resourceType: 'approval_request' },
    handler: async ({ params: { token }, body, remoteAddress, audit, traceparent }) => {
      // The link is read before the transaction begins, so that no transaction is opened for an unknown link.
      const link = await readLink(deps.db, token);
      if (link.kind === 'unknown') return answerMiss(misses, remoteAddress);
      if (link.kind === 'over') return renderUnusable();
      const vote = { token, decision: body.decision, comment: readComment(body) };
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const decided = await decideByLink(trx, hints, vote, options);
        if (decided.kind === 'voted') {
          const { id, accountId, status } = decided.request;
          const actor = { kind: 'user', id: decided.userId } as const;
          const details = { status, via: 'email' };
          await recordAudit(trx, audit({ action: vote.decision, accountId, actor, resourceId: id, details }));
        }
        return decided;
      });
      if (outcome.kind === 'voted') {
        deps.waits.wake(outcome.request.id);
        return renderOutcome(outcome.request);
      }
      if (outcome.kind === 'comment_required')
        return renderQuestion(link.request, token, 'The workflow requires a comment with every decision.');
      return renderUnusable();
    },
  });
}

/**
 * Answers a request with an unknown link, and counts it. Only unknown links are counted: people who share an IP address
 * may reopen their valid links.
 * @throws rate_limited
 */
function answerMiss(misses: TokenBuckets, remoteAddress: string) {
  const address = buildAddressKey(remoteAddress);
  const seconds = misses.secondsUntilToken(address);
  if (seconds > 0) throw new AppError('rate_limited', { retryAfterSeconds: seconds });
  misses.take(address);
  return renderUnusable();
}
