import type { AnyTransaction } from '@steward/database';
import type { NewSessionContent } from '../../schema.ts';
import { findOriginals } from '../store/copied-content.store.ts';
import { insertContent } from '../store/session-content.store.ts';
import type { SessionContent } from '../session-content.ts';

interface Placed {
  readonly row: NewSessionContent;
}

/** Returns whether an entry is an original, not a copy of an entry of another session. */
export function isOwn({ content }: { readonly content: Pick<SessionContent, 'copyOf'> }): boolean {
  return content.copyOf === null;
}

/** New entries of one session. */
interface NewEntries<Draft> {
  readonly key: { readonly accountId: string; readonly sessionId: string };
  readonly drafts: readonly Draft[];
}

export interface InsertedEntries<Draft> {
  /** Inserted entries, in the order of the content. */
  readonly inserted: readonly Draft[];
  /** Entries that already exist. */
  readonly left: readonly Draft[];
}

/** Inserts new entries of sessions, as copies if another session of the account already had them (IMP-13). */
export async function insertNew<Draft extends Placed>(
  trx: AnyTransaction,
  sessions: readonly NewEntries<Draft>[],
): Promise<readonly InsertedEntries<Draft>[]> {
  const ids = await insertContent(
    trx,
    sessions.flatMap(({ drafts }) => listRows(drafts)),
  );
  const outcomes: InsertedEntries<Draft>[] = [];
  for (const session of sessions) {
    const isComplete = session.drafts.every(({ row }) => ids.has(row.id));
    outcomes.push(isComplete ? { inserted: session.drafts, left: [] } : await insertCopies(trx, session, ids));
  }
  return outcomes;
}

/**
 * Inserts those entries that are new in this session but were not inserted as originals. An entry becomes a copy if
 * another session has its original.
 * @param ids - the ids of the inserted originals
 */
async function insertCopies<Draft extends Placed>(
  trx: AnyTransaction,
  { key, drafts }: NewEntries<Draft>,
  ids: ReadonlySet<string>,
): Promise<InsertedEntries<Draft>> {
  const missing = drafts.filter(({ row }) => !ids.has(row.id));
  const originals = await findOriginals(trx, key, listRows(missing));
  if (originals.size === 0) return { inserted: drafts.filter(({ row }) => ids.has(row.id)), left: missing };
  const marked = drafts.map((draft) => {
    const original = originals.get(draft.row.id);
    return original === undefined || original === 'gone'
      ? draft
      : { ...draft, row: { ...draft.row, ...tellOriginal(draft.row, original) } };
  });
  // Entries whose original has been deleted in the meantime are inserted as originals.
  const copied = await insertContent(trx, listRows(marked.filter(({ row }) => originals.has(row.id))));
  const isThere = ({ row }: Placed): boolean => ids.has(row.id) || copied.has(row.id);
  return { inserted: marked.filter(isThere), left: marked.filter((draft) => !isThere(draft)) };
}

export function listRows(drafts: readonly Placed[]): NewSessionContent[] {
  return drafts.map(({ row }) => row);
}

/**
 * Returns the fields that refer to the original. An entry that the session itself already has under another external id
 * is not a copy; it is stored without these fields and without its origin.
 */
function tellOriginal(
  { origin }: NewSessionContent,
  original: { readonly id: string; readonly sessionId: string } | null,
) {
  if (original === null) return { origin: null };
  return { origin, copy_of: original.id, copy_of_session_id: original.sessionId };
}
