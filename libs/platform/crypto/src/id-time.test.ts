import { newId } from './ids.ts';
import { firstIdAt, readIdTime } from './id-time.ts';

describe('ids as positions in time', () => {
  it('sort after the first id of their millisecond and before the first id of the next one', () => {
    const before = Date.now();
    const id = newId();
    const madeAt = readIdTime(id).getTime();
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(id > firstIdAt(new Date(madeAt))).toBe(true);
    expect(id < firstIdAt(new Date(madeAt + 1))).toBe(true);
  });

  it('are converted to positions and back', () => {
    const time = new Date('2026-11-20T10:00:00.123Z');
    expect(readIdTime(firstIdAt(time))).toEqual(time);
    expect(firstIdAt(new Date(0))).toBe('00000000-0000-7000-8000-000000000000');
  });
});
