import fc from 'fast-check';
import { advancePlace, FIRST_PLACE, formatPlace, isAhead, parsePlace, type Place } from './place.ts';

const place = (text: string): Place => {
  const parsed = parsePlace(text);
  if (parsed === undefined) throw new Error(`no place: ${text}`);
  return parsed;
};

const sees = ({ xmax, running }: Place, xid: bigint): boolean => xid < xmax && !running.includes(xid);

describe('a position in the events of a listener (HOOK-48)', () => {
  it.each(['1:1:', '10:20:', '10:20:10,14,19', '9223372036854775000:9223372036854775001:'])(
    '%s is parsed and formatted without a change',
    (text) => {
      expect(formatPlace(place(text))).toBe(text);
    },
  );

  it.each([
    '',
    '1',
    '1:2',
    '0:1:',
    '2:1:',
    '10:20:9',
    '10:20:20',
    '10:20:12,11',
    '10:20:11,11',
    '10:20:11,',
    '-1:2:',
    '1:2: ',
    `1:99999999999:${Array.from({ length: 5000 }, (_, index) => index + 1).join(',')}`,
  ])('%s is not a position', (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });

  it('advances by one transaction, in commit order or out of order', () => {
    const read = place('12:20:12,17');
    expect(formatPlace(advancePlace(place('10:15:10,12'), 10n, read))).toBe('12:15:12');
    expect(formatPlace(advancePlace(place('12:15:12'), 18n, read))).toBe('12:19:12,17');
    expect(formatPlace(advancePlace(FIRST_PLACE, 11n, read))).toBe('12:12:');
  });

  it('is ahead of a database that does not have its transactions', () => {
    expect([isAhead(place('1:30:'), place('1:20:')), isAhead(place('1:20:'), place('1:20:'))]).toEqual([true, false]);
  });

  /** Generates steps that begin and end transactions, read pages and interrupt the connection in arbitrary order. */
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'begin' as const }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat() }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), upTo: fc.nat({ max: 6 }) }) },
    ),
    { maxLength: 80 },
  );

  it('misses no event of a transaction, regardless of when it commits and where a reader stops', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        let next = 1n;
        const running = new Set<bigint>();
        const committed = new Set<bigint>();
        const got = new Set<bigint>();
        let at = FIRST_PLACE;
        const snapshot = (): Place => {
          const open = [...running].sort((one, other) => (one < other ? -1 : 1));
          return { xmin: open[0] ?? next, xmax: next, running: open };
        };
        const read = (upTo: number): void => {
          const seen = snapshot();
          const unseen = [...committed].filter((xid) => !sees(at, xid)).sort((one, other) => (one < other ? -1 : 1));
          for (const xid of unseen.slice(0, upTo)) {
            got.add(xid);
            at = advancePlace(at, xid, seen);
          }
          if (unseen.length <= upTo) at = seen;
          expect(parsePlace(formatPlace(at))).toEqual(at);
        };
        for (const step of drawn) {
          if (step.kind === 'begin') running.add(next++);
          else if (step.kind === 'read') read(step.upTo);
          else {
            const xid = [...running][step.which % Math.max(1, running.size)];
            if (xid !== undefined && running.delete(xid)) committed.add(xid);
          }
        }
        for (const xid of running) committed.add(xid);
        running.clear();
        read(Infinity);
        expect([...committed].filter((xid) => !got.has(xid))).toEqual([]);
      }),
    );
  });
});
