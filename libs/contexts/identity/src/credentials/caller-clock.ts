/**
 * Both clocks of this machine. The monotonic clock measures the time; the wall clock shows whether the monotonic clock
 * stood still meanwhile, as it does while a machine is suspended.
 */
export interface CallerClock {
  readonly monotonic: () => number;
  readonly wall: () => number;
}

export const systemCallerClock: CallerClock = { monotonic: () => performance.now(), wall: () => Date.now() };
