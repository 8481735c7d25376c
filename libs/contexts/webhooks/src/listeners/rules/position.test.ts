import { formatPlace, parsePlace, type Place } from './place.ts';
import { compareHistories, formatPosition, parsePosition, rewindPlace, type History } from './position.ts';

const HISTORY: History = { system: '0a1b2c3d', timeline: '3', atMs: 1_790_000_000_000 };
const place = (text: string): Place => parsePlace(text)!;

describe('a position in the stream of a listener (HOOK-48)', () => {
  it.each(['1:1:', '10:20:10,14', '0a1b2c3d.3.1790000000000/10:20:10,14'])(
    '%s is parsed and formatted without a change',
    (text) => {
      expect(formatPosition(parsePosition(text)!)).toBe(text);
    },
  );

  it.each(['', 'x', '0a1b2c3d.3.1790000000000/', '0a1b2c3d.3/1:1:', '0a1b2c3d.x.1/1:1:', '/1:1:', '0a.3.1/1:1:'])(
    '%j is none',
    (text) => {
      expect(parsePosition(text)).toBeUndefined();
    },
  );

  it('belongs to the history of one database, which a restore forks', () => {
    const compare = (other: Partial<History>) => compareHistories(HISTORY, { ...HISTORY, ...other });
    expect([compare({ atMs: 1 }), compare({ timeline: '4' }), compare({ system: 'ffffffff' })]).toEqual([
      'same',
      'forked',
      'foreign',
    ]);
    expect(compareHistories(HISTORY, undefined)).toBe('same');
  });

  it.each([
    ['10:20:12,15', '10:40:', undefined, '12:20:12,15'],
    ['10:20:12,15', '10:40:', 30n, '12:20:12,15'],
    ['10:90:12,15', '10:40:', undefined, '12:40:12,15'],
    ['10:20:12,15', '10:40:', 14n, '12:14:12'],
    ['12:20:12,15', '10:40:', 12n, '12:12:'],
    ['10:90:12', '11:40:11,12,35', 30n, '11:30:11,12'],
  ])('%s of a former history, continued at %s with %s in doubt, is %s', (former, read, first, rewound) => {
    expect(formatPlace(rewindPlace(place(former), place(read), first))).toBe(rewound);
    expect(parsePlace(rewound)).toBeDefined();
  });
});
