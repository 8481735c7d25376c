import { renderStoredContent } from './session-content-schemas.ts';
import { AppError, type Principal } from '@steward/contracts';
import { transact } from '@steward/database';
import {
  appendSessionContent,
  findContentByExternalId,
  type SessionContentEntry,
  type ContentBodyKind,
} from '@steward/sessions';
import { toStorableText } from '@steward/text';
import { requireReach } from '@steward/api';
import type { SessionsDeps, SessionWriteDeps } from './sessions-deps.ts';

export type AppendDeps = SessionWriteDeps & Pick<SessionsDeps, 'contentRenderer'>;

interface AppendRequest {
  readonly principal: Principal;
  readonly sessionId: string;
  readonly entries: readonly SessionContentEntry[];
  /** Kind of the body from which the entries were read. */
  readonly kind: ContentBodyKind;
  readonly rawBody: Buffer;
  readonly traceparent: string;
}

/** Stores content in one transaction. @throws not_found if the caller's account has no such session. */
export async function appendContent(deps: AppendDeps, request: AppendRequest) {
  const { principal, sessionId, entries, kind, rawBody, traceparent } = request;
  requireReach(principal, sessionId);
  const { captureContent } = deps.options;
  // The body is rendered before the transaction, so that no connection or lock is held during the rendering.
  const rendered = await deps.contentRenderer.render(principal.accountId, { kind, rawBody, captureContent });
  const input = {
    accountId: principal.accountId,
    sessionId,
    apiKeyId: principal.apiKeyId,
    entries,
    rendered,
    now: deps.clock.now(),
  };
  const outcome = await transact({ ...deps, traceparent }, (trx, hints) =>
    appendSessionContent(trx, hints, input, deps.options),
  );
  if (outcome.kind === 'not_found') throw new AppError('not_found');
  return outcome;
}

/** Stores one entry and returns the response. If the entry already exists, the response contains its stored values. */
export async function appendEntry(deps: AppendDeps, request: AppendRequest) {
  const { session, stored } = await appendContent(deps, request);
  const [row] = stored;
  if (row !== undefined) return { status: 201, body: renderStoredContent(row) } as const;
  const [entry] = request.entries;
  const externalId = entry !== undefined && 'externalId' in entry ? toStorableText(entry.externalId ?? '') : '';
  const key = { accountId: session.accountId, sessionId: session.id, externalId };
  const found = await findContentByExternalId(deps.db, key);
  // The entry has been deleted in the meantime, together with its session.
  if (found === undefined) throw new AppError('not_found');
  return { status: 200, body: renderStoredContent(found) } as const;
}
