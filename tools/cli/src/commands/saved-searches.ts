import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { formatSearchAnswer, type SearchAnswer } from './format-search.ts';
import { omitUndefined, readFilters, type FilterOptions } from './search-filters.ts';

const PATH = '/api/v1/runtime-sessions/search/saved';
const PAGE = 200;
/** Defaults of a search that is to be replaced completely. */
const DEFAULTS = { mode: 'keyword', filters: {}, max_snippets_per_session: 3 };

interface SavedSearch {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly mode: string;
  readonly visibility: string;
  readonly is_own: boolean;
}

interface RunOptions extends FilterOptions {
  readonly limit?: number;
  readonly snippets?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

interface RunAnswer {
  readonly search: SearchAnswer;
  readonly unresolved_filters: readonly string[];
  readonly ranking_changed: boolean;
}

/**
 * Runs `steward search --saved NAME`: prints a page of the saved search. Reports changes since the search was saved on
 * standard error.
 */
export async function runSavedSearch(
  context: CliContext,
  name: string,
  words: readonly string[],
  { limit, cursor, json, saved: _saved, ...rest }: RunOptions & { readonly saved?: string },
): Promise<void> {
  if (words.length > 0 || Object.keys(rest).length > 0) {
    throw refuse(
      'A saved search has its own query, mode, filters and snippets: with --saved only --limit, --cursor and --json are allowed.',
    );
  }
  const client = createApiClient(context);
  const { id } = await findSaved(client, name);
  const body = omitUndefined({ limit, cursor });
  const answer = (await client.call('POST', `${PATH}/${id}/run`, { body, retries: 4 })).body as unknown as RunAnswer;
  const { output } = context;
  if (json === true) output.line(formatJson(answer, 2));
  else for (const line of formatSearchAnswer(answer.search, output.styles)) output.line(line);
  for (const filter of answer.unresolved_filters)
    output.note(`the filter ${filter} refers to something that was deleted or revoked`);
  if (answer.ranking_changed) output.note('the ranking has changed since this search was saved');
}

/** Runs `steward searches list`: lists the user's own and shared searches, newest first. */
export async function runSearchesList(context: CliContext, options: { readonly json?: boolean }): Promise<void> {
  const { output } = context;
  const found = await listSaved(createApiClient(context), '');
  if (options.json === true) {
    output.line(formatJson(found, 2));
    return;
  }
  for (const { name, query, mode, visibility, is_own } of found) {
    const whose = is_own ? visibility : 'of another';
    output.line(cleanText(`${output.styles.bold(name)}  ${query}  `) + output.styles.dim(`(${mode}, ${whose})`));
  }
  if (found.length === 0) output.note('no saved searches');
}

export interface SearchesSaveOptions extends FilterOptions {
  readonly snippets?: number;
  readonly share?: boolean;
  readonly replace?: boolean;
}

/** Runs `steward searches save`: saves a query with its flags under a name. */
export async function runSearchesSave(
  context: CliContext,
  name: string,
  words: readonly string[],
  options: SearchesSaveOptions,
): Promise<void> {
  const client = createApiClient(context);
  const body = omitUndefined({
    name,
    query: words.join(' '),
    mode: options.mode,
    filters: readFilters(options),
    max_snippets_per_session: options.snippets,
    visibility: options.share === true ? 'account' : undefined,
  });
  const former = options.replace === true ? await findOwn(client, name) : undefined;
  if (former === undefined) await client.call('POST', PATH, { body });
  else await client.call('PATCH', `${PATH}/${former.id}`, { body: { ...DEFAULTS, ...body } });
  context.output.note(`saved: steward search --saved ${JSON.stringify(name)}`);
}

/**
 * Runs `steward searches delete`: deletes a search of the user by its name, or another user's search by its id, which
 * requires the permission.
 */
export async function runSearchesDelete(context: CliContext, nameOrId: string): Promise<void> {
  const client = createApiClient(context);
  const { id, name } = await findSaved(client, nameOrId);
  await client.call('DELETE', `${PATH}/${id}`);
  context.output.note(cleanText(`deleted: ${name}`));
}

/**
 * Finds a saved search. Prefers the user's own search with this name to a shared one; also accepts an id.
 * @throws refused if there is none, or several
 */
async function findSaved(client: ApiClient, nameOrId: string): Promise<SavedSearch> {
  const own = await findOwn(client, nameOrId);
  if (own !== undefined) return own;
  const all = await listSaved(client, '');
  const found = all.filter(({ id, name }) => name === nameOrId || id === nameOrId);
  if (found.length > 1) {
    throw refuse(
      `Several shared searches are named "${nameOrId}". Use one of these ids: ${found.map(({ id }) => id).join(', ')}`,
    );
  }
  if (found[0] !== undefined) return found[0];
  throw refuse(`There is no saved search named "${nameOrId}". The name must match exactly.`);
}

async function findOwn(client: ApiClient, name: string): Promise<SavedSearch | undefined> {
  return (await listSaved(client, `&name=${encodeURIComponent(name)}`)).find(({ is_own: isOwn }) => isOwn);
}

async function listSaved(client: ApiClient, query: string): Promise<SavedSearch[]> {
  const items: SavedSearch[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.call('GET', `${PATH}?limit=${PAGE}${query}${next}`);
    const page = body as unknown as { items: SavedSearch[]; next_cursor: string | null };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
