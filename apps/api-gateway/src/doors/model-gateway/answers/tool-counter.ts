import type { TokenCounts } from '@steward/slice-models';

/** Tools of the provider that cost by the call, by the types of their items. */
const COUNTED: Readonly<Record<string, 'searches' | 'fileSearches'>> = {
  '"web_search_call"': 'searches',
  '"file_search_call"': 'fileSearches',
};
const ITEM_IS_DONE = '"response.output_item.done"';

/** Counts what tools of the provider did in an answer of responses: its items, or the events that say that one is done. */
export function createToolCounter(isStream: boolean) {
  const counts: Partial<Record<'searches' | 'fileSearches', number>> = {};
  let event = '';
  let item: string | undefined;
  function add(type: string): void {
    const name = COUNTED[type];
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return {
    /** @param type - of an item, as it is written */
    note(type: string): void {
      if (isStream) item = type;
      else add(type);
    },
    noteEvent: (type: string): void => void (event = type),
    endEvent(): void {
      if (item !== undefined && event === ITEM_IS_DONE) add(item);
      item = undefined;
    },
    count: (): Pick<TokenCounts, 'searches' | 'fileSearches'> => counts,
  };
}
