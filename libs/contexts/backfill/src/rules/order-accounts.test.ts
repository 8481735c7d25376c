import { orderAccounts, type PassFacts } from './order-accounts.ts';

const at = (day: number) => new Date(Date.UTC(2026, 9, day));
type Mark = PassFacts['watermarks'] extends ReadonlyMap<string, infer T> ? T : never;
const mark = (facts: Partial<Mark>): Mark => ({
  state: 'in_progress',
  cursor: undefined,
  written: 0,
  stopReason: 'account_rows',
  walkStartedAt: at(1),
  coveredUntil: null,
  indexedFrom: null,
  walkedSince: null,
  completedAt: null,
  lastPassAt: at(10),
  walkGeneration: 10,
  failedWalks: 0,
  ...facts,
});
const walking = (day: number) => mark({ lastPassAt: at(day) });
const complete = mark({ state: 'complete', coveredUntil: at(10), walkedSince: at(5) });

function order(marks: Record<string, Mark | undefined>, gaps: Record<string, number> = {}, horizon = at(6)) {
  const entries = Object.entries(marks);
  return orderAccounts(
    {
      accountIds: entries.map(([id]) => id),
      watermarks: new Map(entries.flatMap(([id, mark]) => (mark === undefined ? [] : [[id, mark]]))),
      gaps: new Map(Object.entries(gaps).map(([id, day]) => [id, { generation: day }])),
    },
    { now: at(22), horizon, restedSince: at(20) },
  );
}

describe('the accounts of a pass (CORP-14)', () => {
  it('are first those that were never indexed, in order, and then those that advanced longest ago', () => {
    expect(order({ a: walking(12), b: undefined, c: walking(11), d: undefined })).toEqual(['b', 'd', 'c', 'a']);
  });

  it('omit completed accounts until there is something to index again (CORP-16, CORP-17)', () => {
    expect(order({ a: complete, b: walking(12) })).toEqual(['b']);
    expect(order({ a: complete, b: walking(12) }, { a: 9 })).toEqual(['b']);
    expect(order({ a: complete, b: walking(12) }, { a: 11 })).toEqual(['a', 'b']);
    expect(order({ a: complete, b: walking(12) }, {}, at(4))).toEqual(['a', 'b']);
  });

  it('omit accounts that another process has just served (CORP-18)', () => {
    expect(order({ a: walking(21), b: walking(20) })).toEqual(['b']);
  });

  it('begin with accounts that advanced before the clock was set back', () => {
    expect(order({ a: walking(12), b: walking(23), c: walking(20), d: walking(24) })).toEqual(['b', 'd', 'a', 'c']);
  });
});
