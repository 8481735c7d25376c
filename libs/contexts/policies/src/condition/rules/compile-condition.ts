import { celEnv, isCelError, plan, type CelInput } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LRUCache } from 'lru-cache';
import { NO_HISTORY, type CallHistory } from '../../history/call-history.ts';
import type { ParsedCondition } from './condition-tree.ts';
import { estimateWork, type ArgumentSize } from './condition-work.ts';
import { FUNCTIONS } from './condition-names.ts';
import { HISTORY_FUNCTIONS, toSessionValue } from './history-functions.ts';
import { lintCondition } from './lint-condition.ts';
import { LINEAR_TIME } from './pattern.ts';
import { compilePlainCondition, type PlainCondition } from './plain-condition.ts';
import { SHELL_FUNCTIONS } from './shell-functions.ts';
import { toCelValue } from './to-cel-value.ts';

/** Facts that the service has about a call, and the arguments (`args`) that the caller sent. */
export interface ConditionVariables {
  readonly args: unknown;
  readonly tool: { readonly name: string; readonly server: string };
  readonly agent: {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly tags: readonly string[];
  };
  readonly session: { readonly id: string; readonly source_type: string };
  readonly user: { readonly id: string; readonly username: string };
  readonly execution: { readonly id: string; readonly flow_id: string };
  readonly now: Date;
}

export type ConditionOutcome =
  { readonly kind: 'value'; readonly value: boolean } | { readonly kind: 'error'; readonly message: string };

export interface CompiledCondition {
  readonly estimateWork: (size: ArgumentSize) => number;
  /** Evaluates the condition without the library; undefined if only the library can evaluate it. */
  readonly evaluatePlain: PlainCondition;
  readonly evaluate: (bindings: ConditionBindings) => ConditionOutcome;
}

/** Variables of one decision as the library expects them, created once for all its conditions. */
export type ConditionBindings = Record<string, CelInput>;

/**
 * Returns the variables as the library expects them. Everything except the time is converted by `toCelValue`, since
 * names and tags are also user input.
 */
export function bindVariables(
  { now, session, ...variables }: ConditionVariables,
  history: CallHistory = NO_HISTORY,
): ConditionBindings {
  const plain = Object.entries(variables).map(([name, value]) => [name, toCelValue(value)]);
  return {
    ...(Object.fromEntries(plain) as ConditionBindings),
    session: toSessionValue(session, history),
    now: timestampFromDate(now),
  };
}

/** Returns a binding of the variable `tool`, to replace the one from `bindVariables`. */
export function bindTool(tool: ConditionVariables['tool']): ConditionBindings {
  return { tool: toCelValue(tool) };
}

const environment = celEnv({
  funcs: [...strings.filter(({ name }) => FUNCTIONS.has(name)), ...SHELL_FUNCTIONS, ...HISTORY_FUNCTIONS],
  re2: LINEAR_TIME,
});

/**
 * Cache of compiled conditions by their strings: parsing and planning cost eighty times as much as an evaluation, and
 * versions of a document share most conditions.
 */
const cache = new LRUCache<string, CompiledCondition>({ max: 10_000 });

/** Compiles a condition; returns undefined if lint refuses it, which never happens for stored conditions. */
export function compileCondition(text: string): CompiledCondition | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const { parsed } = lintCondition(text);
  if (parsed === undefined) return undefined;
  const compiled = planCondition(text, parsed);
  cache.set(text, compiled);
  return compiled;
}

/**
 * Compiles a parsed condition.
 * @param parsed - the result of lint for `text`
 */
export function planCondition(text: string, parsed: ParsedCondition): CompiledCondition {
  const run = plan(environment, parsed);
  return {
    estimateWork: buildEstimate((size) => estimateWork(parsed.expr, size), /\bshell\b/.test(text)),
    evaluatePlain: compilePlainCondition(parsed.expr),
    evaluate: (bindings) => {
      const result = withoutStacks(() => run(bindings));
      if (typeof result === 'boolean') return { kind: 'value', value: result };
      if (isCelError(result)) return { kind: 'error', message: result.message };
      return { kind: 'error', message: 'the condition does not return true or false' };
    },
  };
}

/**
 * Runs `work` without collecting stack traces. For each failing step of a loop, the library creates an error and
 * continues. This takes 15 to 30 microseconds with a stack trace, which is never read, and two microseconds without a
 * stack trace.
 */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Returns a function that estimates the cost of a condition. If a condition does not contain `shell` and the number of
 * loop steps is fixed, the estimate is linear in `bytes`, so the tree need not be walked for every decision.
 */
function buildEstimate(
  estimate: (size: ArgumentSize) => number,
  readsCommands: boolean,
): CompiledCondition['estimateWork'] {
  if (readsCommands) return estimate;
  const lineAt = (longest: number): Line => {
    const base = estimate({ bytes: 0, longest });
    return { longest, base, slope: estimate({ bytes: 1, longest }) - base };
  };
  let line = lineAt(0);
  const hasLoop = estimate({ bytes: 0, longest: 1_000 }) > line.base;
  return ({ bytes, longest }) => {
    if (hasLoop && longest !== line.longest) line = lineAt(longest);
    return line.base + line.slope * bytes;
  };
}

interface Line {
  readonly longest: number;
  readonly base: number;
  readonly slope: number;
}
