/** Source of the current time, injected wherever a rule depends on it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
