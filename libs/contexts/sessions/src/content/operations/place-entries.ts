import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { NewSessionContent } from '../../schema.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { buildContentRow } from '../rules/content-row.ts';
import type { RenderedEntry } from '../rules/render-entry.ts';
import { toStorableEntry } from '../rules/storable-entry.ts';
import { findFormerEntries, nameFormer } from '../store/replaced-content.store.ts';

export interface AppendSessionContentInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** The API key of the call, for the search filter; default: the key of the session. */
  readonly apiKeyId?: string | null | undefined;
  /** Entries in order; those with the same time keep this order. */
  readonly entries: readonly SessionContentEntry[];
  /**
   * Rendered forms, one per entry, created elsewhere from the same body; by default the entries are rendered here, on
   * the caller's thread. Strings of an entry with a rendered form are assumed to be storable, and are not checked
   * again.
   */
  readonly rendered?: readonly (RenderedEntry | undefined)[] | undefined;
  /** Trace of the request that sent the content; default: the trace of the transaction. */
  readonly traceparent?: string | undefined;
  readonly now: Date;
}

export interface ContentKey {
  readonly accountId: string;
  readonly sessionId: string;
}

export interface Draft {
  readonly entry: SessionContentEntry;
  readonly rendered: RenderedEntry | undefined;
}

export interface PlacedDraft extends Draft {
  readonly row: NewSessionContent;
}

/** Content for a session. */
export interface Append {
  readonly input: AppendSessionContentInput;
  readonly session: RuntimeSession;
  /** Whether the transaction has locked the session, so that it cannot be deleted meanwhile. */
  readonly isLocked: boolean;
}

export interface PlacedEntries extends Append {
  readonly key: ContentKey;
  readonly sent: readonly Draft[];
  readonly drafts: readonly PlacedDraft[];
}

/**
 * Returns the entries with their rows, without repeated entries and without those that an earlier release has already
 * stored in the session.
 */
export async function placeEntries(
  trx: AnyTransaction,
  { input, session, isLocked }: Append,
  options: SessionWriteOptions,
): Promise<PlacedEntries> {
  const { accountId, now } = input;
  const key = { accountId, sessionId: session.id };
  const apiKeyId = input.apiKeyId ?? session.apiKeyId;
  const sent = dropRepeatedIds(input);
  const kept = await dropFormer(trx, key, sent);
  const drafts = kept.map(({ entry, rendered }) => ({
    entry,
    rendered,
    row: buildContentRow(entry, { ...key, id: readOwnId(entry) ?? newId(), apiKeyId, now }, options),
  }));
  return { input, session, isLocked, key, sent, drafts };
}

/** Returns the entries without those that an earlier release has already stored under another id. */
async function dropFormer(trx: AnyTransaction, key: ContentKey, drafts: readonly Draft[]): Promise<readonly Draft[]> {
  const asked = drafts.flatMap(({ entry }) => {
    const formerId = 'formerId' in entry ? entry.formerId : undefined;
    return formerId === undefined || entry.occurredAt === undefined ? [] : [{ formerId, occurredAt: entry.occurredAt }];
  });
  if (asked.length === 0) return drafts;
  const former = await findFormerEntries(trx, key, asked);
  if (former.size === 0) return drafts;
  return drafts.filter(({ entry }) => {
    const formerId = 'formerId' in entry ? entry.formerId : undefined;
    return formerId === undefined || !former.has(nameFormer(formerId, entry.occurredAt));
  });
}

/**
 * Returns the entries without repeated external ids: of the entries with the same id, only the one with the highest
 * revision (the first one among equal revisions), at the position of the first of them.
 */
function dropRepeatedIds({ entries, rendered }: AppendSessionContentInput): Draft[] {
  const drafts = entries.map((entry, index) => {
    const made = rendered?.[index];
    return { entry: made === undefined ? toStorableEntry(entry) : entry, rendered: made };
  });
  if (drafts.length < 2) return drafts;
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

export function readExternalId(entry: SessionContentEntry): string | null {
  return 'externalId' in entry ? (entry.externalId ?? null) : null;
}
