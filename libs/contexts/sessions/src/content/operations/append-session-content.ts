import { AppError, type HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { writeChunks } from '@steward/search';
import { buildContentSource } from '../rules/chunk-source.ts';
import { buildContentRow } from '../rules/content-row.ts';
import type { RenderedEntry } from '../rules/render-entry.ts';
import { hasPersonWords } from '../../titles/rules/session-title.ts';
import { toStorableEntry } from '../rules/storable-entry.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import type { SessionContent } from '../session-content.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { findSession, toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { lockSession, setTitleHint, touchSession } from '../../sessions/store/runtime-session.store.ts';
import { noteUnindexedContent } from '../store/unindexed-content.store.ts';
import { toSessionContent } from '../store/session-content.store.ts';
import { chooseHint, findFirstHint } from '../rules/choose-hint.ts';
import { adoptTokens } from '../store/copied-content.store.ts';
import { insertNew, isOwn } from './insert-new-content.ts';
import { chooseSearched, indexCopiesAnew, showOrHide } from './searched-copies.ts';
import {
  addTokens,
  findFormerEntries,
  nameFormer,
  findOlderRevisions,
  replaceContent,
} from '../store/replaced-content.store.ts';
import type { NewSessionContent } from '../../schema.ts';

export interface AppendSessionContentInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** The API key of the call, for the search filter; default: the session's own. */
  readonly apiKeyId?: string | null | undefined;
  /** In order: entries with the same time keep it. */
  readonly entries: readonly SessionContentEntry[];
  /**
   * One per entry, rendered elsewhere from the same body; by default they are rendered here, on the caller's thread.
   * Texts of such entries are assumed storable: large ones are not checked again.
   */
  readonly rendered?: readonly RenderedEntry[] | undefined;
  readonly now: Date;
}

/** A stored row without its body, which the caller has just sent. */
export type StoredContent = Omit<SessionContent, 'content'>;

export type AppendSessionContentOutcome =
  | {
      readonly kind: 'stored';
      readonly session: RuntimeSession;
      readonly stored: readonly StoredContent[];
      /** Number of existing entries that their source has rewritten since. */
      readonly replaced: number;
      /** Number of entries left out because the session already has their external id. */
      readonly skipped: number;
    }
  | { readonly kind: 'not_found' };

/**
 * Stores content of any kind, writes its chunks and records the activity, all in the caller's transaction: the next
 * search after the commit finds it. An ended session accepts content too and stays ended (late telemetry is normal).
 * @throws AppError `not_found` if the session is deleted meanwhile: then nothing of it may be committed
 */
export async function appendSessionContent(
  trx: AnyTransaction,
  hints: HintSink,
  input: AppendSessionContentInput,
  options: SessionWriteOptions,
): Promise<AppendSessionContentOutcome> {
  const { accountId, now } = input;
  // Two imports of the same messages in different order would deadlock on each other's unique keys: they are serialized
  // instead.
  const takesTurns = input.entries.some((entry) => readExternalId(entry) !== null);
  const sessionRow = await (takesTurns ? lockSession : findSession)(trx, accountId, input.sessionId);
  if (sessionRow === undefined) return { kind: 'not_found' };
  const session = toRuntimeSession(sessionRow);
  const sessionId = session.id;
  const apiKeyId = input.apiKeyId ?? session.apiKeyId;

  const sent = dropRepeatedIds(input);
  const kept = await dropFormer(trx, { accountId, sessionId }, sent);
  const drafts = kept.map(({ entry, rendered }) => ({
    entry,
    rendered,
    row: buildContentRow(entry, { id: readOwnId(entry) ?? newId(), accountId, sessionId, apiKeyId, now }, options),
  }));
  const { inserted, left } = await insertNew(trx, { accountId, sessionId }, drafts);
  const stored = inserted.map(({ row, ...draft }) => ({ ...draft, content: describeStored(row) }));
  const own = stored.filter(isOwn);
  const replaced = await replaceRewritten(trx, { accountId, sessionId }, left);
  const measured = await addTokens(
    trx,
    { accountId, sessionId },
    left.map(({ row }) => row),
  );
  await adoptTokens(trx, accountId, [...measured, ...listMeasured(inserted, replaced)]);
  const contents = [...stored, ...replaced].map(({ content }) => content);
  const searched = await chooseSearched(trx, accountId, contents);
  if (replaced.length > 0 && options.indexEnabled) {
    const sources = replaced.map(({ entry, content, rendered }) =>
      showOrHide(buildContentSource(session, content, entry, rendered?.search), searched),
    );
    await writeChunks(trx, hints, sources);
    const originals = replaced.filter(isOwn).map(({ content }) => content.id);
    await indexCopiesAnew(trx, hints, accountId, originals);
  }
  // The same file provides the first words again if an earlier release stored the content without recognizing them.
  const isUntitled = !hasPersonWords(session.titleHint);
  if (stored.length > 0) {
    const latest = new Date(Math.max(...stored.map(({ content }) => content.occurredAt.getTime())));
    if (options.indexEnabled) {
      const sources = stored
        .filter(({ content }) => searched.has(content.id))
        .map(({ entry, content, rendered }) => buildContentSource(session, content, entry, rendered?.search));
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
      ...chooseHint(session, { sent, stored, own }, options),
    });
    if (!isThere) throw new AppError('not_found');
  } else if (isUntitled) {
    const titleHint = findFirstHint(sent, options);
    const change = { titleHint, isHintCopied: false, formerHint: session.titleHint };
    if (titleHint !== null) await setTitleHint(trx, { accountId, sessionId, ...change });
  }
  return {
    kind: 'stored',
    session,
    stored: stored.map(({ content }) => content),
    replaced: replaced.length,
    skipped: input.entries.length - stored.length - replaced.length,
  };
}

/** Originals whose copies came with tokens, and what was written again, maybe without the tokens that its copies have. */
function listMeasured(
  inserted: readonly { readonly row: NewSessionContent }[],
  replaced: readonly { readonly content: StoredContent }[],
): string[] {
  const copied = inserted.flatMap(({ row: { copy_of: id, input_tokens: input, output_tokens: output } }) =>
    typeof id === 'string' && (input ?? output) !== null ? [id] : [],
  );
  return [...copied, ...replaced.map(({ content: { id, copyOf } }) => copyOf?.id ?? id)];
}

interface ContentKey {
  readonly accountId: string;
  readonly sessionId: string;
}

interface PlacedDraft extends Draft {
  readonly row: NewSessionContent;
}

/** Entries that were rewritten since they were stored: the last version counts. */
async function replaceRewritten(trx: AnyTransaction, key: ContentKey, drafts: readonly PlacedDraft[]) {
  const replaced: (Draft & { content: StoredContent })[] = [];
  const older = await findOlderRevisions(
    trx,
    key,
    drafts.map(({ row }) => row),
  );
  for (const { row, ...draft } of drafts) {
    if (!older.has(row.id)) continue;
    const before = await replaceContent(trx, row);
    if (before === undefined) continue;
    const { id, occurredAt, copyOf, copyOfSessionId } = before;
    const there = { ...row, id, occurred_at: occurredAt, copy_of: copyOf, copy_of_session_id: copyOfSessionId };
    replaced.push({ ...draft, content: describeStored(there) });
  }
  return replaced;
}

/** Removes entries that an earlier release stored under another id. */
async function dropFormer(trx: AnyTransaction, key: ContentKey, drafts: readonly Draft[]): Promise<readonly Draft[]> {
  const asked = drafts.flatMap(({ entry }) => {
    const formerId = 'formerId' in entry ? entry.formerId : undefined;
    return formerId === undefined || entry.occurredAt === undefined ? [] : [{ formerId, occurredAt: entry.occurredAt }];
  });
  const former = await findFormerEntries(trx, key, asked);
  if (former.size === 0) return drafts;
  return drafts.filter(({ entry }) => {
    const formerId = 'formerId' in entry ? entry.formerId : undefined;
    return formerId === undefined || !former.has(nameFormer(formerId, entry.occurredAt));
  });
}

interface Draft {
  readonly entry: SessionContentEntry;
  readonly rendered: RenderedEntry | undefined;
}

/**
 * Keeps the highest revision of several entries with one external id, of equal ones the first, at the position of the
 * first.
 */
function dropRepeatedIds({ entries, rendered }: AppendSessionContentInput): Draft[] {
  const drafts = entries.map((entry, index) => {
    const made = rendered?.[index];
    return { entry: made === undefined ? toStorableEntry(entry) : entry, rendered: made };
  });
  const latest = new Map<string, Draft>();
  for (const draft of drafts) {
    const id = readExternalId(draft.entry);
    const known = id === null ? undefined : latest.get(id);
    if (id !== null && (known === undefined || readRevision(known.entry) < readRevision(draft.entry)))
      latest.set(id, draft);
  }
  return drafts.flatMap((draft) => {
    const id = readExternalId(draft.entry);
    if (id === null) return [draft];
    const found = latest.get(id);
    latest.delete(id);
    return found === undefined ? [] : [found];
  });
}

function readOwnId(entry: SessionContentEntry): string | undefined {
  return 'id' in entry ? entry.id : undefined;
}

function readRevision(entry: SessionContentEntry): number {
  return 'revision' in entry ? (entry.revision ?? 0) : 0;
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
