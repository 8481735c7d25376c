import { AppError, type HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { writeChunks } from '@steward/slice-search';
import { buildContentSource } from '../rules/chunk-source.ts';
import { buildContentRow } from '../rules/content-row.ts';
import type { RenderedEntry } from '../rules/render-entry.ts';
import { findTitleHint, hasPersonWords } from '../../titles/rules/session-title.ts';
import { toStorableEntry } from '../rules/storable-entry.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import type { SessionContent } from '../session-content.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { findSession, toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { lockSession, setTitleHint, touchSession } from '../../sessions/store/runtime-session.store.ts';
import { noteUnindexedContent } from '../store/unindexed-content.store.ts';
import { insertContent, toSessionContent } from '../store/session-content.store.ts';
import type { NewSessionContent } from '../../schema.ts';

export interface AppendSessionContentInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** The API key of the call, for the search filter; the session's own when left out. */
  readonly apiKeyId?: string | null | undefined;
  /** In the order they belong: entries of the same time keep it. */
  readonly entries: readonly SessionContentEntry[];
  /**
   * One for each entry, made of the same body elsewhere; without it they are made here, on the caller's thread. The texts of
   * such entries are taken for storable: large ones are not walked once more.
   */
  readonly rendered?: readonly RenderedEntry[] | undefined;
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
 * @throws AppError `not_found` when the session is deleted meanwhile: then nothing of it may be committed
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

  const drafts = dropRepeatedIds(input).map(({ entry, rendered }) => ({
    entry,
    rendered,
    row: buildContentRow(entry, { id: readOwnId(entry) ?? newId(), accountId, sessionId, apiKeyId, now }, options),
  }));
  const ids = await insertContent(
    trx,
    drafts.map((draft) => draft.row),
  );
  const stored = drafts
    .filter((draft) => ids.has(draft.row.id))
    .map(({ row, ...draft }) => ({ ...draft, content: describeStored(row) }));
  if (stored.length > 0) {
    const latest = new Date(Math.max(...stored.map(({ content }) => content.occurredAt.getTime())));
    if (options.indexEnabled) {
      const sources = stored.map(({ entry, content, rendered }) =>
        buildContentSource(session, content, entry, rendered?.search),
      );
      await writeChunks(trx, hints, sources, { areNew: true });
    } else {
      await noteUnindexedContent(trx, accountId, latest);
    }
    const isThere = await touchSession(trx, {
      accountId,
      sessionId,
      now,
      occurredAt: latest,
      formerHint: session.titleHint,
      titleHint: wantsHint(session, stored) ? findFirstHint(stored, options) : null,
    });
    if (!isThere) throw new AppError('not_found');
  } else if (!hasPersonWords(session.titleHint)) {
    // What an earlier release stored without knowing the words in it is told again by the same file.
    const titleHint = findFirstHint(drafts, options);
    if (titleHint !== null) await setTitleHint(trx, { accountId, sessionId, titleHint, formerHint: session.titleHint });
  }
  return {
    kind: 'stored',
    session,
    stored: stored.map(({ content }) => content),
    skipped: input.entries.length - stored.length,
  };
}

interface Draft {
  readonly entry: SessionContentEntry;
  readonly rendered: RenderedEntry | undefined;
}

/** The first of several entries with one external id stays. */
function dropRepeatedIds({ entries, rendered }: AppendSessionContentInput): Draft[] {
  const seen = new Set<string>();
  const drafts = entries.map((entry, index) => {
    const made = rendered?.[index];
    return { entry: made === undefined ? toStorableEntry(entry) : entry, rendered: made };
  });
  return drafts.filter(({ entry }) => {
    const id = readExternalId(entry);
    if (id === null) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Whether these entries may say better what was asked: nothing did yet, or they stand where the session begins. */
function wantsHint({ titleHint, startedAt }: RuntimeSession, stored: readonly { content: StoredContent }[]): boolean {
  return !hasPersonWords(titleHint) || stored.some(({ content }) => content.occurredAt <= startedAt);
}

function findFirstHint(drafts: readonly Draft[], options: SessionWriteOptions): string | null {
  for (const { entry, rendered } of drafts) {
    const hint = rendered === undefined ? findTitleHint([entry], options) : rendered.titleHint;
    if (hint !== null) return hint;
  }
  return null;
}

function readOwnId(entry: SessionContentEntry): string | undefined {
  return 'id' in entry ? entry.id : undefined;
}

function readExternalId(entry: SessionContentEntry): string | null {
  return 'externalId' in entry ? (entry.externalId ?? null) : null;
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
