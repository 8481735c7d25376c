import { readTokens } from '../rules/read-tokens.ts';
import { toFields, toText, type Fields } from '../rules/json-access.ts';
import type { TokenCounts } from '../session-item.ts';

const COUNTS = ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_output_tokens'] as const;

/**
 * Reader of the token counts of each response. A file contains `token_count` after the response, `token_usage_record`
 * with the id of the response, or both.
 */
export interface CodexTokens {
  /**
   * Reads counts; returns undefined for missing or repeated counts, and after the first `token_usage_record`. `isOpen`
   * means that a message arrived after the last count.
   */
  readCount(event: Fields, isOpen: boolean): TokenCounts | undefined;
  readRecord(record: Fields, isOpen: boolean): TokenCounts | undefined;
}

export function createCodexTokens(): CodexTokens {
  let total: Fields | undefined;
  let last = '';
  let hasRecords = false;
  const responses = new Set<string>();

  /**
   * Returns the counts of a response; undefined if they equal the previous counts and no message arrived in between,
   * because they then belong to the same response.
   */
  function tell(usage: Fields, isOpen: boolean): TokenCounts | undefined {
    const tokens = readTokens(usage);
    const told = JSON.stringify(tokens);
    if (!isOpen && told === last) return undefined;
    last = told;
    return tokens;
  }
  return {
    readCount(event, isOpen) {
      const info = toFields(event['info']);
      const before = total;
      const sum = toFields(info['total_token_usage']);
      const isTotal = Object.keys(sum).length > 0;
      if (isTotal) total = sum;
      if (hasRecords || (isTotal && before !== undefined && areEqual(before, sum))) return undefined;
      const usage = toFields(info['last_token_usage']);
      const counted = Object.keys(usage).length > 0 ? usage : subtract(sum, before ?? {});
      return Object.keys(counted).length === 0 ? undefined : tell(counted, isOpen);
    },
    readRecord(record, isOpen) {
      const id = toText(record['response_id']);
      const isKnown = id !== undefined && responses.has(id);
      if (id !== undefined) responses.add(id);
      const isFirst = !hasRecords;
      hasRecords = true;
      if (isKnown) return undefined;
      return isFirst ? tell(toFields(record['usage']), isOpen) : tell(toFields(record['usage']), true);
    },
  };
}

function areEqual(left: Fields, right: Fields): boolean {
  return COUNTS.every((name) => left[name] === right[name]);
}

function subtract(total: Fields, before: Fields): Fields {
  const counted = COUNTS.filter((name) => typeof total[name] === 'number');
  return Object.fromEntries(counted.map((name) => [name, Number(total[name]) - Number(before[name] ?? 0)]));
}
