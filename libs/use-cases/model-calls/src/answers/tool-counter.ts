import type { TokenCounts } from '@steward/models';
import { countToolUsage } from './provider-usage.ts';

/** Types of items of provider tools that are billed per call. */
const [SEARCH, FILE_SEARCH] = ['"web_search_call"', '"file_search_call"'];
const ITEM_IS_DONE = '"response.output_item.done"';
const TYPES: ReadonlySet<string> = new Set(['item.type', 'output[].type']);
const ACTIONS: ReadonlySet<string> = new Set(['item.action', 'output[].action']);
const SUMS: ReadonlySet<string> = new Set(['tool_usage', 'response.tool_usage']);

/** Members of a response that report tools. */
export const TOOL_PATHS: readonly string[] = [...TYPES, ...ACTIONS, ...SUMS];

/** Matches actions that continue a search; these actions incur no additional cost. */
const FREE_ACTION = /"type"\s*:\s*"(?:open_page|find|find_in_page)"/;

/**
 * Counts provider tool calls in a result of the Responses API: its items or, in a stream, the events for finished
 * items.
 */
export class ToolCounter {
  readonly #isStream: boolean;
  #searches = 0;
  #fileSearches = 0;
  #event = '';
  #item: string | undefined;
  /**
   * Counts reported by the provider. They take precedence, because the provider does not charge for every action of a
   * tool.
   */
  #said: ReturnType<typeof countToolUsage> | undefined;
  #isFree = false;
  #free = 0;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /**
   * Reads a member; returns false if it reports no tool.
   * @param json - Value in its original form
   */
  note(member: string, json: string): boolean {
    if (member === 'type') this.#event = json;
    if (SUMS.has(member)) this.#said = countToolUsage(json);
    else if (ACTIONS.has(member)) this.#noteAction(json);
    else if (!TYPES.has(member)) return false;
    else if (this.#isStream) this.#item = json;
    else this.#add(json);
    return true;
  }

  endEvent(): void {
    if (this.#item !== undefined && this.#event === ITEM_IS_DONE && !this.#isFree) this.#add(this.#item);
    this.#item = undefined;
    this.#isFree = false;
  }

  count(): Pick<TokenCounts, 'searches' | 'fileSearches' | 'drawing'> {
    const [searches, fileSearches] = [this.#searches, this.#fileSearches];
    return {
      ...(searches === 0 ? {} : { searches: Math.max(0, searches - this.#free) }),
      ...(fileSearches === 0 ? {} : { fileSearches }),
      ...this.#said,
    };
  }

  #add(type: string): void {
    if (type === SEARCH) this.#searches += 1;
    else if (type === FILE_SEARCH) this.#fileSearches += 1;
  }

  #noteAction(action: string): void {
    if (!FREE_ACTION.test(action)) return;
    if (this.#isStream) this.#isFree = true;
    else this.#free += 1;
  }
}
