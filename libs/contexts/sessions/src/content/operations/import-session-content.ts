import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { cleanLabels } from '@steward/search';
import { toStorableText } from '@steward/text';
import {
  upsertRuntimeSession,
  type UpsertRuntimeSessionInput,
} from '../../sessions/operations/upsert-runtime-session.ts';
import { isNameOfCurrent } from '../../sessions/rules/current-name.ts';
import { nonBlank } from '../../sessions/rules/non-blank.ts';
import { mergeLabels } from '../../sessions/rules/merge-labels.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { findSessionBySource, toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { lockSession } from '../../sessions/store/runtime-session.store.ts';
import type { RenderedEntry } from '../rules/render-entry.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { appendSessionContent } from './append-session-content.ts';

export interface ImportSessionContentInput extends Omit<
  UpsertRuntimeSessionInput,
  'startedAt' | 'startedBy' | 'summary'
> {
  readonly labels?: readonly string[];
  /** A part of the session's entries, in order, each with its time. */
  readonly entries: readonly SessionContentEntry[];
  readonly rendered?: readonly RenderedEntry[] | undefined;
}

export interface ImportedContent {
  readonly session: RuntimeSession;
  readonly created: boolean;
  readonly stored: number;
  readonly replaced: number;
  readonly skipped: number;
  /** Number of stored entries that are copies of entries of another session. */
  readonly copied: number;
}

/**
 * Stores a part of a session that was recorded elsewhere. Existing entries are not stored again, but are replaced if
 * their source has rewritten them. The session starts no later than its oldest entry. A session that is deleted in the
 * meantime is created again.
 */
export async function importSessionContent(
  trx: AnyTransaction,
  hints: HintSink,
  input: ImportSessionContentInput,
  options: SessionWriteOptions,
): Promise<ImportedContent> {
  const { entries, rendered, ...given } = input;
  const { accountId, apiKeyId, now } = input;
  for (;;) {
    const { session, created } = await openSession(
      trx,
      hints,
      { ...given, isImported: true, startedBy: findOldest(entries) },
      options,
    );
    const content = { accountId, sessionId: session.id, apiKeyId, entries, rendered, now };
    const outcome = await appendSessionContent(trx, hints, content, options);
    if (outcome.kind === 'stored')
      return {
        session: outcome.session,
        created,
        stored: outcome.stored.length,
        replaced: outcome.replaced,
        skipped: outcome.skipped,
        copied: outcome.stored.filter(({ copyOf }) => copyOf !== null).length,
      };
    if (created) throw new Error('a session disappeared within the transaction that opened it');
  }
}

/**
 * Prefix added to an imported source id in the format that is reserved for the gateway: the original system assigned
 * this content only to a key or user, not to a session.
 */
const IMPORTED = 'imported:';

/**
 * Opens the session of an import. The row of an existing session is written only if the import changes it, because a
 * repeated import must not keep the session open. If the source id of a new session is reserved for the gateway, it is
 * stored with the prefix `imported:`.
 */
async function openSession(
  trx: AnyTransaction,
  hints: HintSink,
  input: UpsertRuntimeSessionInput,
  options: SessionWriteOptions,
): Promise<{ session: RuntimeSession; created: boolean }> {
  const [sourceType, sourceId] = [toStorableText(input.sessionSourceType), toStorableText(input.sessionSourceId)];
  const row = await findSessionBySource(trx, { accountId: input.accountId, sourceType, sourceId });
  if (row === undefined && isNameOfCurrent(sourceType, sourceId))
    return openSession(trx, hints, { ...input, sessionSourceId: IMPORTED + sourceId }, options);
  if (row === undefined) return upsertRuntimeSession(trx, hints, input, options);
  const found = toRuntimeSession(row);
  if (findChange(found, input) === undefined) return { session: found, created: false };
  // The change is determined again with the row locked, since another process may have changed the row in the meantime.
  const held = await lockSession(trx, input.accountId, found.id);
  if (held === undefined) return openSession(trx, hints, input, options);
  const session = toRuntimeSession(held);
  const change = findChange(session, input);
  if (change === undefined) return { session, created: false };
  return upsertRuntimeSession(trx, hints, { ...input, ...change }, options);
}

/**
 * Returns the new title and labels of an existing session, each undefined if the import does not change it. Returns
 * undefined if the import changes nothing.
 */
function findChange(
  session: RuntimeSession,
  input: UpsertRuntimeSessionInput,
): Pick<UpsertRuntimeSessionInput, 'title' | 'labels'> | undefined {
  // A title set by a client is kept; a generated title, or one previously set by the agent, is replaced.
  const isOther = session.titleOrigin !== 'client' && nonBlank(input.title) !== session.title;
  const title = isOther ? input.title : undefined;
  const labels = mergeLabels(session.labels, cleanLabels(input.labels ?? []));
  const isEarlier = input.startedBy !== undefined && input.startedBy < session.startedAt;
  return isEarlier || (title ?? '') !== '' || labels !== undefined ? { title, labels } : undefined;
}

function findOldest(entries: readonly SessionContentEntry[]): Date | undefined {
  const times = entries.map(({ occurredAt }) => occurredAt?.getTime()).filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
