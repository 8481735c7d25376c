import { AppError, type HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { writeChunks } from '@steward/search';
import type { NewSessionContent } from '../../schema.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { setTitleHint, touchLockedSessions, touchSessions } from '../../sessions/store/session-activity.store.ts';
import { hasPersonWords } from '../../titles/rules/session-title.ts';
import { buildContentSource } from '../rules/chunk-source.ts';
import { chooseHint, findFirstHint } from '../rules/choose-hint.ts';
import type { ContentFacts } from '../session-content.ts';
import { adoptTokens } from '../store/copied-content.store.ts';
import { addTokens, findOlderRevisions, replaceContent } from '../store/replaced-content.store.ts';
import { toContentFacts } from '../store/session-content.store.ts';
import { noteUnindexedContent } from '../store/unindexed-content.store.ts';
import { insertNew, isOwn, listRows, type InsertedEntries } from './insert-new-content.ts';
import {
  placeEntries,
  type Append,
  type ContentKey,
  type Draft,
  type PlacedDraft,
  type PlacedEntries,
} from './place-entries.ts';
import { chooseSearched, indexCopiesAnew, showOrHide } from './searched-copies.ts';

/** A stored row without its body, which the caller already has. */
export type StoredContent = ContentFacts;

/** The outcome for one session. */
export interface StoredEntries {
  readonly session: RuntimeSession;
  readonly stored: readonly StoredContent[];
  /** Number of existing entries that their source has rewritten in the meantime. */
  readonly replaced: number;
  /**
   * Number of entries that were omitted because the session already has them, or because their external id was
   * repeated.
   */
  readonly skipped: number;
}

/**
 * Stores content of several sessions; each session may occur only once. New entries are inserted and indexed with as
 * many statements as for one session.
 */
export async function storeContent(
  trx: AnyTransaction,
  hints: HintSink,
  appends: readonly Append[],
  options: SessionWriteOptions,
): Promise<readonly StoredEntries[]> {
  const placed = [];
  for (const append of appends) placed.push(await placeEntries(trx, append, options));
  const inserted = await insertNew(trx, placed);
  const written = [];
  for (const [index, entries] of placed.entries())
    written.push(
      await writeEntries(trx, hints, { ...entries, ...(inserted[index] as InsertedEntries<PlacedDraft>) }, options),
    );
  if (options.indexEnabled) {
    const sources = written.flatMap((one) => listNewSources(one));
    await writeChunks(trx, hints, sources, { areNew: true });
  } else await noteUnindexed(trx, written);
  await noteActivity(trx, written, options);
  return written.map(({ input, session, stored, replaced }) => ({
    session,
    stored: stored.map(({ content }) => content),
    replaced: replaced.length,
    skipped: input.entries.length - stored.length - replaced.length,
  }));
}

type StoredDraft = Draft & { readonly content: StoredContent };

interface WrittenEntries extends PlacedEntries {
  readonly stored: readonly StoredDraft[];
  readonly replaced: readonly StoredDraft[];
  /** Ids of entries that a search can find. */
  readonly searched: ReadonlySet<string>;
}

/**
 * Updates entries that were rewritten at their source, adds tokens that arrived later, and determines which entries are
 * searchable.
 */
async function writeEntries(
  trx: AnyTransaction,
  hints: HintSink,
  { inserted, left, ...entries }: PlacedEntries & InsertedEntries<PlacedDraft>,
  options: SessionWriteOptions,
): Promise<WrittenEntries> {
  const { key, session } = entries;
  const stored = inserted.map(describeDraft);
  const replaced = left.length === 0 ? [] : await replaceRewritten(trx, key, left);
  const measured = left.length === 0 ? [] : await addTokens(trx, key, listRows(left));
  await adoptTokens(trx, key.accountId, [...measured, ...listMeasured(inserted, replaced)]);
  const contents = [...stored, ...replaced].map(({ content }) => content);
  const searched = await chooseSearched(trx, key.accountId, contents);
  if (replaced.length > 0 && options.indexEnabled) {
    const sources = replaced.map(({ entry, content, rendered }) =>
      showOrHide(buildContentSource(session, content, entry, rendered?.search), searched),
    );
    await writeChunks(trx, hints, sources);
    const originals = replaced.filter(isOwn).map(({ content }) => content.id);
    await indexCopiesAnew(trx, hints, { accountId: key.accountId, originalIds: originals }, options.contentObjects);
  }
  return { ...entries, stored, replaced, searched };
}

function listNewSources({ input: { traceparent }, session, stored, searched }: WrittenEntries) {
  return stored
    .filter(({ content }) => searched.has(content.id))
    .map(({ entry, content, rendered }) => ({
      ...buildContentSource(session, content, entry, rendered?.search),
      traceparent,
    }));
}

/** Records content that is not indexed yet, in the order of the accounts, so that two processes do not deadlock. */
async function noteUnindexed(trx: AnyTransaction, written: readonly WrittenEntries[]): Promise<void> {
  const latest = written.filter(({ stored }) => stored.length > 0);
  for (const { key, stored } of latest.toSorted((a, b) => (a.key.accountId < b.key.accountId ? -1 : 1)))
    await noteUnindexedContent(trx, key.accountId, findLatest(stored));
}

async function noteActivity(
  trx: AnyTransaction,
  written: readonly WrittenEntries[],
  options: SessionWriteOptions,
): Promise<void> {
  const touches = written.flatMap(({ key, input, session, sent, stored }) => {
    if (stored.length === 0) return [];
    const hint = chooseHint(session, { sent, stored, own: stored.filter(isOwn) }, options);
    const times = { now: input.now, occurredAt: findLatest(stored) };
    return [{ ...key, ...times, formerHint: session.titleHint, ...hint }];
  });
  const areLocked = written.every(({ isLocked }) => isLocked);
  if (touches.length > 0 && areLocked) await touchLockedSessions(trx, touches);
  else if (touches.length > 0 && !(await touchSessions(trx, touches))) throw new AppError('not_found');
  for (const { key, session, sent, stored } of written) {
    // If an earlier release stored the content without recognizing the session's first words, these words are taken
    // from the content that was sent again.
    const isUntitled = !hasPersonWords(session.titleHint);
    const titleHint = stored.length === 0 && isUntitled ? findFirstHint(sent, options) : null;
    const change = { titleHint, isHintCopied: false, formerHint: session.titleHint };
    if (titleHint !== null) await setTitleHint(trx, { ...key, ...change });
  }
}

function findLatest(stored: readonly StoredDraft[]): Date {
  return new Date(Math.max(...stored.map(({ content }) => content.occurredAt.getTime())));
}

/**
 * Returns the ids of entries that may lack the tokens of their copies: the originals of new copies with tokens, and
 * rewritten entries (for a rewritten copy, the id of its original).
 */
function listMeasured(
  inserted: readonly { readonly row: NewSessionContent }[],
  replaced: readonly { readonly content: StoredContent }[],
): string[] {
  const copied = inserted.flatMap(({ row: { copy_of: id, input_tokens: input, output_tokens: output } }) =>
    typeof id === 'string' && (input ?? output) !== null ? [id] : [],
  );
  return [...copied, ...replaced.map(({ content: { id, copyOf } }) => copyOf?.id ?? id)];
}

/** Replaces stored entries with their latest versions if their source has rewritten them. */
async function replaceRewritten(trx: AnyTransaction, key: ContentKey, drafts: readonly PlacedDraft[]) {
  const replaced: StoredDraft[] = [];
  const older = await findOlderRevisions(trx, key, listRows(drafts));
  for (const draft of drafts) {
    const { row } = draft;
    if (!older.has(row.id)) continue;
    const before = await replaceContent(trx, row);
    if (before === undefined) continue;
    const { id, occurredAt, copyOf, copyOfSessionId } = before;
    const there = { ...row, id, occurred_at: occurredAt, copy_of: copyOf, copy_of_session_id: copyOfSessionId };
    replaced.push(describeDraft({ ...draft, row: there }));
  }
  return replaced;
}

function describeDraft({ entry, rendered, row }: PlacedDraft): StoredDraft {
  return { entry, rendered, content: toContentFacts(row, row.contentJson !== null) };
}
