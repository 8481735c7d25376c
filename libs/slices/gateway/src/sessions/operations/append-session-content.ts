import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
import { writeChunks } from '@steward/slice-search';
import { buildContentSource } from '../rules/chunk-source.ts';
import { buildContentRow } from '../rules/content-row.ts';
import { findTitleHint } from '../rules/session-title.ts';
import { toStorableEntry } from '../rules/storable-entry.ts';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import type { SessionContent, SessionContentEntry } from '../session-content.ts';
import { findSession, toRuntimeSession } from '../store/find-session.store.ts';
import { lockSession, touchSession } from '../store/runtime-session.store.ts';
import { noteUnindexedContent } from '../store/unindexed-content.store.ts';
import { insertContent, toSessionContent, type NewSessionContent } from '../store/session-content.store.ts';

export interface AppendSessionContentInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** The API key of the call, for the search filter; the session's own when left out. */
  readonly apiKeyId?: string | null | undefined;
  /** In the order they belong: entries of the same time keep it. */
  readonly entries: readonly SessionContentEntry[];
  readonly now: Date;
}

/** A stored row without its body: the caller has just sent it. */
export type StoredContent = Omit<SessionContent, 'content'>;

export type AppendSessionContentOutcome =
  | {
      readonly kind: 'stored';
      readonly session: RuntimeSession;
      readonly stored: readonly StoredContent[];
      /** Entries left out because the session already has their external id. */
      readonly skipped: number;
    }
  | { readonly kind: 'not_found' };

/**
 * Stores content of any kind, writes its chunks and notes the activity, all in the caller's transaction: after the
 * commit the next search finds it. An ended session takes content too and stays ended (late telemetry is normal).
 */
export async function appendSessionContent(
  trx: AnyTransaction,
  hints: HintSink,
  input: AppendSessionContentInput,
  options: SessionWriteOptions,
): Promise<AppendSessionContentOutcome> {
  const { accountId, now } = input;
  // Two imports of the same messages in different order would wait for each other's unique keys: they take turns instead.
  const takesTurns = input.entries.some((entry) => readExternalId(entry) !== null);
  const sessionRow = await (takesTurns ? lockSession : findSession)(trx, accountId, input.sessionId);
  if (sessionRow === undefined) return { kind: 'not_found' };
  const session = toRuntimeSession(sessionRow);
  const sessionId = session.id;
  const apiKeyId = input.apiKeyId ?? session.apiKeyId;

  const drafts = dropRepeatedIds(input.entries.map(toStorableEntry)).map((entry) => ({
    entry,
    row: buildContentRow(entry, { id: newId(), accountId, sessionId, apiKeyId, now }, options),
  }));
  const ids = await insertContent(
    trx,
    drafts.map((draft) => draft.row),
  );
  const stored = drafts
    .filter((draft) => ids.has(draft.row.id))
    .map(({ entry, row }) => ({ entry, content: describeStored(row) }));
  if (stored.length > 0) {
    const latest = new Date(Math.max(...stored.map(({ content }) => content.occurredAt.getTime())));
    if (options.indexEnabled) {
      const sources = stored.map(({ entry, content }) => buildContentSource(session, content, entry));
      await writeChunks(trx, hints, sources, { areNew: true });
    } else {
      await noteUnindexedContent(trx, accountId, latest);
    }
    const entries = stored.map((each) => each.entry);
    await touchSession(trx, {
      accountId,
      sessionId,
      now,
      occurredAt: latest,
      titleHint: session.titleHint === null ? findTitleHint(entries, options) : null,
    });
  }
  return {
    kind: 'stored',
    session,
    stored: stored.map(({ content }) => content),
    skipped: input.entries.length - stored.length,
  };
}

/** The first of several entries with one external id stays. */
function dropRepeatedIds(entries: readonly SessionContentEntry[]): SessionContentEntry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const id = readExternalId(entry);
    if (id === null) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function readExternalId(entry: SessionContentEntry): string | null {
  return entry.kind === 'transcript_message' ? (entry.externalId ?? null) : null;
}

function describeStored(row: NewSessionContent): StoredContent {
  const { contentJson, ...columns } = row;
  const { content: _content, ...stored } = toSessionContent({
    ...columns,
    content: null,
    content_captured: contentJson !== null,
    content_size_bytes: 0,
  });
  return stored;
}
