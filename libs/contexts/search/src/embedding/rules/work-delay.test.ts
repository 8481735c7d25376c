import { backOff, delayLimited, delayRefused, parkForCap, parkUntil } from './work-delay.ts';

describe('the delay of an account (EMB-18)', () => {
  it('grows for an unavailable provider, up to a quarter of an hour, with jitter', () => {
    expect([1, 2, 3, 8, 9, 1000].map((failures) => backOff(failures, 0.5))).toEqual([
      5000, 10_000, 20_000, 640_000, 900_000, 900_000,
    ]);
    expect([backOff(1, 0), backOff(1, 1)]).toEqual([4000, 6000]);
  });

  it('is the delay requested by the provider, up to a day', () => {
    expect([delayLimited(1234, 9, 0.5), delayLimited(undefined, 1, 0.5)]).toEqual([1234, 5000]);
  });

  it('lasts until the next UTC day if the cap is reached, but at most a quarter of an hour, because the cap may change', () => {
    const late = new Date('2026-11-20T23:55:00Z');
    expect(parkForCap(late)).toEqual(new Date('2026-11-21T00:00:00Z'));
    const noon = new Date('2026-11-20T12:00:00Z');
    expect(parkForCap(noon)).toEqual(parkUntil(noon));
    expect(parkUntil(noon)).toEqual(new Date('2026-11-20T12:15:00Z'));
  });

  it('also applies to a text that was refused individually', () => {
    expect([delayRefused(1), delayRefused(2)]).toEqual([30_000, 60_000]);
  });
});
