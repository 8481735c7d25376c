import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import { cleanName } from '../rules/read-saved-fields.ts';
import { readStoredFilter, writeStoredFilter, type StoredFilter } from '../rules/stored-filter.ts';
import type { SavedSearch, SavedSearchFields, SavedSearchViewer } from '../saved-search.ts';

interface SavedSearchRow {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly query: string;
  readonly mode: SavedSearch['mode'];
  readonly filters: StoredFilter;
  readonly max_snippets_per_session: number;
  readonly include_snippet_text: boolean;
  readonly visibility: SavedSearch['visibility'];
  readonly shared_at: Date | null;
  readonly ranking_identity: string;
  readonly last_run_at: Date | null;
  readonly run_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export type SavedSearchKey = SavedSearchViewer & { readonly id: string };

export interface SavedSearchList extends SavedSearchViewer, IdPage {
  readonly name?: string | undefined;
  readonly visibility?: SavedSearch['visibility'] | undefined;
}

const COLUMNS = sql`id, owner_id, name, query, mode, filters, max_snippets_per_session, include_snippet_text, visibility,
  shared_at, ranking_identity, last_run_at, run_count, created_at, updated_at`;

/** Condition for the searches that a caller may see: their own, and those shared with the account. */
const seenBy = ({ accountId, viewerId }: SavedSearchViewer) =>
  sql`account_id = ${accountId} and (owner_id = ${viewerId} or visibility = 'account')`;

/** Lists saved searches, newest first; one row more than requested shows whether there is another page. */
export async function listSavedSearches(db: AnyDatabase, list: SavedSearchList): Promise<SavedSearch[]> {
  const { visibility = null, beforeId = null } = list;
  const name = list.name === undefined ? null : cleanName(list.name);
  const { rows } = await sql<SavedSearchRow>`
    select ${COLUMNS} from search.saved_search
    where ${seenBy(list)} and (${name}::text is null or name = ${name})
      and (${visibility}::text is null or visibility = ${visibility}) and (${beforeId}::uuid is null or id < ${beforeId})
    order by id desc limit ${list.limit + 1}
  `.execute(db);
  return rows.map(readRow);
}

export async function findSavedSearch(db: AnyDatabase, key: SavedSearchKey): Promise<SavedSearch | undefined> {
  const { rows } = await sql<SavedSearchRow>`
    select ${COLUMNS} from search.saved_search where ${seenBy(key)} and id = ${key.id}
  `.execute(db);
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/** Returns a saved search that is visible to the caller, locked until the end of the transaction. */
export async function lockSavedSearch(trx: AnyTransaction, key: SavedSearchKey): Promise<SavedSearch | undefined> {
  const { rows } = await sql<SavedSearchRow>`
    select ${COLUMNS} from search.saved_search where ${seenBy(key)} and id = ${key.id} for update
  `.execute(trx);
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

type NewSavedSearch = { readonly accountId: string } & Omit<
  SavedSearch,
  'sharedAt' | 'lastRunAt' | 'runCount' | 'updatedAt'
>;

export async function insertSavedSearch(trx: AnyTransaction, search: NewSavedSearch): Promise<SavedSearch> {
  const { accountId, createdAt: now } = search;
  const { rows } = await sql<SavedSearchRow>`
    insert into search.saved_search (account_id, id, owner_id, name, query, mode, filters, max_snippets_per_session,
      include_snippet_text, visibility, shared_at, ranking_identity, created_at, updated_at)
    values (${accountId}, ${search.id}, ${search.ownerId}, ${search.name}, ${search.query}, ${search.mode},
      ${JSON.stringify(writeStoredFilter(search.filter))}, ${search.maxSnippetsPerSession}, ${search.includeSnippetText},
      ${search.visibility}, ${search.visibility === 'account' ? now : null}, ${search.rankingIdentity}, ${now}, ${now})
    returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as SavedSearchRow);
}

export interface SavedSearchUpdate extends SavedSearchFields {
  readonly accountId: string;
  readonly id: string;
  readonly rankingIdentity: string;
  readonly now: Date;
}

/**
 * Stores the changes; until the search becomes private again, `shared_at` remains the time when it was first shared.
 */
export async function updateSavedSearch(trx: AnyTransaction, search: SavedSearchUpdate): Promise<SavedSearch> {
  const { accountId, id, now } = search;
  const { rows } = await sql<SavedSearchRow>`
    update search.saved_search set name = ${search.name}, query = ${search.query}, mode = ${search.mode},
      filters = ${JSON.stringify(writeStoredFilter(search.filter))}, visibility = ${search.visibility},
      max_snippets_per_session = ${search.maxSnippetsPerSession}, include_snippet_text = ${search.includeSnippetText},
      shared_at = case when ${search.visibility === 'account'} then coalesce(shared_at, ${now}::timestamptz) end,
      ranking_identity = ${search.rankingIdentity}, updated_at = ${now}
    where account_id = ${accountId} and id = ${id} returning ${COLUMNS}
  `.execute(trx);
  return readRow(rows[0] as SavedSearchRow);
}

export async function deleteSavedSearch(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly id: string },
): Promise<void> {
  await sql`delete from search.saved_search where account_id = ${key.accountId} and id = ${key.id}`.execute(trx);
}

/** Records that a search was run, unless it was deleted in the meantime. */
export async function noteSavedSearchRun(
  db: AnyDatabase,
  run: { readonly accountId: string; readonly id: string; readonly now: Date },
): Promise<void> {
  await sql`
    update search.saved_search set last_run_at = ${run.now}, run_count = run_count + 1
    where account_id = ${run.accountId} and id = ${run.id}
  `.execute(db);
}

function readRow(row: SavedSearchRow): SavedSearch {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    query: row.query,
    mode: row.mode,
    filter: readStoredFilter(row.filters),
    maxSnippetsPerSession: row.max_snippets_per_session,
    includeSnippetText: row.include_snippet_text,
    visibility: row.visibility,
    sharedAt: row.shared_at,
    rankingIdentity: row.ranking_identity,
    lastRunAt: row.last_run_at,
    runCount: row.run_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
