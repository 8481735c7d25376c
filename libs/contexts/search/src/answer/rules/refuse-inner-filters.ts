import { AppError } from '@steward/contracts';

/** Common spellings of filters, with the actual name of each. */
const FILTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'start_date',
      'end_date',
      'source_kind',
      'model_alias',
      'provider_name',
      'runtime_principal_id',
      'api_key_id',
      'flow_id',
      'session_id',
      'session_source_type',
      'tool_name',
      'status',
      'role',
      'label',
    ].map((name) => [name, name]),
  ),
  agent: 'runtime_principal_id',
  tool: 'tool_name',
};
const PATH = 'path';

/**
 * Matches `name:value`, also as an exclusion. It is not a filter if a blank, another colon, `//` or nothing follows the
 * colon.
 */
const INNER = new RegExp(String.raw`(?<=^|[\s(])-*(${[...Object.keys(FILTERS), PATH].join('|')}):(?![\s:]|//|$)`, 'u');

/**
 * Refuses a query with a part that looks like a filter: filters can be given only as parameters. In a query, this part
 * would be searched as words, and would find nothing or irrelevant results. Within quotes, such a part is ordinary
 * text.
 *
 * @throws invalid_request naming the filter
 */
export function refuseInnerFilters(query: string): void {
  // This character replaces a phrase, so that a name before the phrase is detected but the quoted text is not.
  const [, name] = INNER.exec(query.replaceAll(/"[^"]*"?/g, '\u0001')) ?? [];
  if (name === undefined) return;
  const filter = FILTERS[name];
  const instead = filter === undefined ? 'search for the path itself' : `send it as "filters": {"${filter}": ...}`;
  throw new AppError('invalid_request', {
    message: `"query" does not support filters: instead of "${name}:" ${instead}, or put it in quotes to search for these words.`,
    detail: { field: 'query', ...(filter === undefined ? {} : { filter }) },
  });
}
