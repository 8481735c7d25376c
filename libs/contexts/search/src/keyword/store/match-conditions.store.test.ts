import fc from 'fast-check';
import type { ChunkFilter } from '../chunk-filter.ts';
import { buildConditions, buildWalk, isPreparable, narrowsWalk, type MatchScope } from './match-conditions.store.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-3894501df164';
const scope = (filter: ChunkFilter = {}, asOf?: Date): MatchScope => ({
  accountId: ACCOUNT,
  tsquery: `'word'`,
  filter,
  asOf,
});
const text = fc.string({ maxLength: 20 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyScope = fc
  .record({
    startDate: maybe(fc.date()),
    endDate: maybe(fc.date()),
    sourceKind: maybe(fc.constant('tool_call' as const)),
    modelAlias: maybe(text),
    providerName: maybe(text),
    runtimePrincipalId: maybe(text),
    apiKeyId: maybe(fc.uuid()),
    flowId: maybe(fc.uuid()),
    sessionId: maybe(fc.uuid()),
    role: maybe(text),
    toolName: maybe(text),
    status: maybe(text),
    sessionSourceType: maybe(text),
  })
  .chain((filter) => maybe(fc.date()).map((asOf) => scope(filter, asOf)));
/** Returns the distinct parameter numbers in an SQL string. */
const listParameters = (statement: string): number[] =>
  [...new Set([...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))].sort((a, b) => a - b);

describe('conditions on chunks', () => {
  it('begin with the account, for any query (SRCH-8)', () => {
    fc.assert(
      fc.property(anyScope, (of) => {
        for (const { walk, values } of [buildConditions(of), buildWalk(of)]) {
          expect(walk.startsWith('account_id = $1')).toBe(true);
          expect(walk).not.toContain(' or ');
          expect(values[0]).toBe(ACCOUNT);
        }
      }),
    );
  });

  it('pass every value as a parameter; each parameter is used once and has a value (SRCH-7)', () => {
    fc.assert(
      fc.property(anyScope, (of) => {
        const { walk, match, values } = buildConditions(of);
        expect(listParameters(`${walk} ${match}`)).toEqual(values.map((_, index) => index + 1));
        const given = Object.values(of.filter).filter((value) => value !== undefined);
        expect(given.filter((value) => !values.includes(value))).toEqual([]);
        expect(listParameters(buildWalk(of).walk)).toEqual(buildWalk(of).values.map((_, index) => index + 1));
      }),
    );
  });

  it('include the start of a range and exclude its end (SRCH-7)', () => {
    const range = { startDate: new Date(1), endDate: new Date(2) };
    expect(buildConditions(scope(range)).walk).toContain('occurred_at >= $3 and occurred_at < $4');
    expect(buildConditions(scope({ startDate: range.startDate })).values.slice(2)).toEqual([new Date(1), 'infinity']);
    expect(buildConditions(scope({ endDate: range.endDate })).values.slice(2)).toEqual(['-infinity', new Date(2)]);
  });

  it('omit content that was indexed after the first page (SRCH-20)', () => {
    expect(buildConditions(scope({}, new Date(5))).walk).toContain('indexed_at <= $3');
  });

  it.each<[string, ChunkFilter, boolean]>([
    ['nothing', {}, false],
    ['a beginning', { startDate: new Date(0) }, true],
    ['an end', { endDate: new Date(0) }, true],
    ['a session', { sessionId: ACCOUNT }, true],
    ['a flow', { flowId: ACCOUNT }, true],
    ['an agent', { runtimePrincipalId: 'a' }, true],
    ['a role', { role: 'user' }, false],
    ['a key', { apiKeyId: ACCOUNT }, false],
    ['a model', { modelAlias: 'm' }, false],
  ])('walk through a part of the account with %s: %s', (_what, filter, narrows) => {
    expect(narrowsWalk(filter)).toBe(narrows);
    expect(buildWalk(scope(filter)).values.length > 2).toBe(narrows);
  });

  it('are prepared only if they contain at most a time range, so that there are few different statements', () => {
    fc.assert(
      fc.property(anyScope, (of) => {
        const { startDate: _start, endDate: _end, ...others } = of.filter;
        const isSimple = of.asOf === undefined && Object.values(others).every((value) => value === undefined);
        expect(isPreparable(of)).toBe(isSimple);
      }),
    );
    const texts = [
      {},
      { startDate: new Date(0) },
      { endDate: new Date(0) },
      { startDate: new Date(9), endDate: new Date(8) },
    ];
    expect(new Set(texts.map((filter) => buildConditions(scope(filter)).walk)).size).toBe(2);
  });
});
