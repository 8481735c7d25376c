import type { TokenCounts } from '@steward/models';
import { countToolUsage } from './provider-usage.ts';

/** Provider tools that are billed per call, by the types of their items. */
const COUNTED: Readonly<Record<string, 'searches' | 'fileSearches'>> = {
  '"web_search_call"': 'searches',
  '"file_search_call"': 'fileSearches',
};
const ITEM_IS_DONE = '"response.output_item.done"';
const TYPES: ReadonlySet<string> = new Set(['item.type', 'output[].type']);
const ACTIONS: ReadonlySet<string> = new Set(['item.action', 'output[].action']);
const SUMS: ReadonlySet<string> = new Set(['tool_usage', 'response.tool_usage']);

/** Members of a response that report tools. */
export const TOOL_PATHS: readonly string[] = [...TYPES, ...ACTIONS, ...SUMS];

/** Matches actions that continue a search, which incur no additional cost. */
const FREE_ACTION = /"type"\s*:\s*"(?:open_page|find|find_in_page)"/;

/**
 * Counts provider tool calls in a result of the Responses API: its items or, in a stream, the events for finished
 * items.
 */
export function createToolCounter(isStream: boolean) {
  const counts: Partial<Record<'searches' | 'fileSearches', number>> = {};
  let event = '';
  let item: string | undefined;
  /** Counts reported by the provider, which take precedence: not every action of a tool is charged. */
  let said: ReturnType<typeof countToolUsage> = {};
  let isFree = false;
  let free = 0;
  function add(type: string): void {
    const name = COUNTED[type];
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  function noteAction(action: string): void {
    if (!FREE_ACTION.test(action)) return;
    if (isStream) isFree = true;
    else free += 1;
  }
  return {
    /**
     * Reads a member; returns false if it reports no tool.
     * @param json - Value in its original form
     */
    note(member: string, json: string): boolean {
      if (member === 'type') event = json;
      if (SUMS.has(member)) said = countToolUsage(json);
      else if (ACTIONS.has(member)) noteAction(json);
      else if (!TYPES.has(member)) return false;
      else if (isStream) item = json;
      else add(json);
      return true;
    },
    endEvent(): void {
      if (item !== undefined && event === ITEM_IS_DONE && !isFree) add(item);
      item = undefined;
      isFree = false;
    },
    count(): Pick<TokenCounts, 'searches' | 'fileSearches' | 'drawing'> {
      const { searches } = counts;
      return { ...counts, ...(searches === undefined ? {} : { searches: Math.max(0, searches - free) }), ...said };
    },
  };
}
