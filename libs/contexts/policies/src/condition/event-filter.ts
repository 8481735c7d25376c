import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LRUCache } from 'lru-cache';
import { planCondition, type CompiledCondition, type ConditionOutcome } from './rules/compile-condition.ts';
import { MAX_ARGUMENT_BYTES, MAX_DECISION_WORK } from './rules/condition-limits.ts';
import { FILTER_VARIABLES } from './rules/condition-names.ts';
import { measureArguments } from './rules/condition-work.ts';
import { lintCondition } from './rules/lint-condition.ts';
import { toCelValue } from './rules/to-cel-value.ts';

/** Variables of a filter for the webhook of a flow. */
export interface FilterVariables {
  readonly payload: unknown;
  /**
   * The event that was sent; `names` contains all names of the event, beginning with the one that its sender uses.
   * Missing strings are empty.
   */
  readonly event: { readonly name: string; readonly action: string; readonly names: readonly string[] };
  readonly now: Date;
}

export type FilterOutcome = ConditionOutcome;

/** Cache of compiled filters by their strings: parsing costs far more than an evaluation. */
const cache = new LRUCache<string, CompiledCondition>({ max: 1_000 });

/** Returns errors in a filter, one sentence each; empty if it is valid. */
export function checkEventFilter(text: string): readonly string[] {
  return lintCondition(text, FILTER_VARIABLES).errors;
}

/**
 * Evaluates a filter. Filters use the language of policies and its limits: 256 KiB of payload and a fifth of a second.
 */
export function evaluateEventFilter(text: string, { payload, event, now }: FilterVariables): FilterOutcome {
  const compiled = compile(text);
  if (compiled === undefined) return { kind: 'error', message: 'the filter is not valid' };
  const size = measureArguments(payload);
  if (size.bytes > MAX_ARGUMENT_BYTES) return { kind: 'error', message: 'the payload is larger than 256 KiB' };
  if (compiled.estimateWork(size) > MAX_DECISION_WORK)
    return { kind: 'error', message: 'the filter would take too long for a payload of this size' };
  return compiled.evaluate({ payload: toCelValue(payload), event: toCelValue(event), now: timestampFromDate(now) });
}

function compile(text: string): CompiledCondition | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const { parsed } = lintCondition(text, FILTER_VARIABLES);
  if (parsed === undefined) return undefined;
  const compiled = planCondition(text, parsed);
  cache.set(text, compiled);
  return compiled;
}
