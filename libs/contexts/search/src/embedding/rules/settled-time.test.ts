import { createSettledTime } from './settled-time.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 22, 0, minute));
const see = (minute: number, oldestOpen: number, own: number) => ({
  now: at(minute),
  oldestOpenXid: BigInt(oldestOpen),
  ownXid: BigInt(own),
});

describe('the time up to which all writes are visible', () => {
  it('is the time of the last check before which all transactions are finished', () => {
    const settle = createSettledTime();
    expect([see(0, 10, 10), see(1, 11, 11), see(2, 12, 12)].map(settle)).toEqual([undefined, at(0), at(1)]);
  });

  it('waits for any long transaction', () => {
    const settle = createSettledTime();
    settle(see(0, 10, 10));
    expect(settle(see(1, 15, 15))).toEqual(at(0));
    // The twelfth transaction was still open when the fifteenth read the list.
    expect([see(2, 12, 20), see(90, 12, 90), see(91, 14, 95)].map(settle)).toEqual([at(0), at(0), at(0)]);
    expect([see(92, 96, 96), see(93, 97, 97)].map(settle)).toEqual([at(1), at(92)]);
  });

  it('is unknown right after the first check', () => {
    expect(createSettledTime()(see(0, 10, 10))).toBeUndefined();
  });
});
