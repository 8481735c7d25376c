import type { Clock } from '@steward/async';

/** Creates a clock that advances only on request. */
export function createFakeClock(start: Date): Clock & { advance(milliseconds: number): void } {
  let millis = start.getTime();
  return {
    now: () => new Date(millis),
    advance(milliseconds) {
      millis += milliseconds;
    },
  };
}
