import { CelScalar, celMethod, mapType, type CelFunc, type CelInput, type CelMap } from '@bufbuild/cel';
import { compileToolPattern } from '../../decision/rules/glob.ts';
import { NO_HISTORY, type CallHistory } from '../../history/call-history.ts';
import { toCelValue } from './to-cel-value.ts';

/**
 * Member of `session` that the function `session.calls` reads: a list of the earlier calls, each as `AGE SERVER/TOOL`.
 * Conditions cannot select this member as a field, because its name begins with a space.
 */
const CALLS = ' calls';
const CALL = /^(\S+) ([^/]*)\/(.*)$/s;

const SESSION = mapType(CelScalar.STRING, CelScalar.DYN);

export const HISTORY_FUNCTIONS: readonly CelFunc[] = [
  celMethod('calls', SESSION, [CelScalar.STRING], CelScalar.INT, function (pattern) {
    return countCalls(this, pattern, Number.POSITIVE_INFINITY);
  }),
  celMethod('calls', SESSION, [CelScalar.STRING, CelScalar.INT], CelScalar.INT, function (pattern, seconds) {
    return countCalls(this, pattern, Number(seconds));
  }),
];

function countCalls(session: CelMap, pattern: string, seconds: number): bigint {
  const matches = compileToolPattern(pattern);
  let count = 0n;
  for (const call of (session.get(CALLS) ?? []) as Iterable<unknown>) {
    const [, age, server = '', name = ''] = CALL.exec(String(call)) ?? [];
    if (Number(age) <= seconds && matches(server, name)) count += 1n;
  }
  return count;
}

/** Returns the `session` of a condition, with the data for counting calls. */
export function toSessionValue(session: object, history: CallHistory): CelInput {
  const calls = history.map(({ ageSeconds, server, name }) => `${ageSeconds} ${server}/${name}`);
  return toCelValue({ ...session, ...countHistory(history), [CALLS]: calls });
}

/** Returns the members of `session` that count earlier calls. */
export function countHistory(history: CallHistory = NO_HISTORY): { readonly count: bigint; readonly repeats: bigint } {
  const repeats = history.filter(({ isEqual }) => isEqual).length;
  return { count: BigInt(history.length), repeats: BigInt(repeats) };
}

/**
 * Returns whether a condition may count earlier calls: calls are recorded and read only if there is such a condition.
 */
export function readsHistory(condition: string): boolean {
  return /\bsession\b/.test(condition) && /\b(?:count|repeats|calls)\b/.test(condition);
}
