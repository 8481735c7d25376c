import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { formatJson } from '../output.ts';
import { formatSearchAnswer, type SearchAnswer } from './format-search.ts';
import { runSavedSearch } from './saved-searches.ts';
import { omitUndefined, readFilters, type FilterOptions } from './search-filters.ts';

export interface SearchOptions extends FilterOptions {
  readonly saved?: string;
  readonly limit?: number;
  readonly snippets?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Runs `steward search`: prints one page of sessions, with the matching words marked. */
export async function runSearch(context: CliContext, words: readonly string[], options: SearchOptions): Promise<void> {
  const { saved } = options;
  if (saved !== undefined) {
    await runSavedSearch(context, saved, words, options);
    return;
  }
  if (words.length === 0) throw refuse('Give a query, or name a saved search with --saved.');
  const { body } = await createApiClient(context).call('POST', '/api/v1/runtime-sessions/search', {
    body: omitUndefined({
      query: words.join(' '),
      mode: options.mode,
      limit: options.limit,
      max_snippets_per_session: options.snippets,
      cursor: options.cursor,
      filters: readFilters(options),
    }),
    // A search changes nothing, so it is safe to repeat.
    retries: 4,
  });
  const { output } = context;
  if (options.json === true) output.line(formatJson(body, 2));
  else for (const line of formatSearchAnswer(body as unknown as SearchAnswer, output.styles)) output.line(line);
}
