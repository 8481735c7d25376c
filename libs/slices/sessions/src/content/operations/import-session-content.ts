import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { cleanLabels } from '@steward/slice-search';
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
  /** Part of what the session holds, in its order, each with its time. */
  readonly entries: readonly SessionContentEntry[];
  readonly rendered?: readonly RenderedEntry[] | undefined;
}

export interface ImportedContent {
  readonly session: RuntimeSession;
  readonly created: boolean;
  readonly stored: number;
  readonly replaced: number;
  readonly skipped: number;
  /** Of those stored, copies of what another session has. */
  readonly copied: number;
}

/**
 * Stores a part of a session that was recorded elsewhere; what it has already changes nothing. The session starts no later
 * than its oldest entry. A session that is deleted meanwhile is opened anew.
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
    if (created) throw new Error('a session is gone within the transaction that opened it');
  }
}

/** Of what was the session of a key or user that named none, where it was recorded. */
const IMPORTED = 'imported:';

/**
 * An import that is repeated for ever must not keep a session open: its row is written only when it changes. What is not here and
 * has a name that only the gateway gives is stored under one that means nobody.
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
  // Judged again with the row in hand: what somebody says of it at this moment counts.
  const held = await lockSession(trx, input.accountId, found.id);
  if (held === undefined) return openSession(trx, hints, input, options);
  const session = toRuntimeSession(held);
  const change = findChange(session, input);
  if (change === undefined) return { session, created: false };
  return upsertRuntimeSession(trx, hints, { ...input, ...change }, options);
}

/** What the import says of a session that is there; undefined: nothing that it does not say itself. */
function findChange(
  session: RuntimeSession,
  input: UpsertRuntimeSessionInput,
): Pick<UpsertRuntimeSessionInput, 'title' | 'labels'> | undefined {
  // A title that somebody gave stays; one that was made of the first words, or that the agent gave before, gives way.
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
