/** Distinguishes dead processes from those that could not send a heartbeat because the database was unreachable. */
export interface GracePeriod {
  /**
   * Called when the database responds.
   * @returns true if it has been responding long enough for every living process to have sent a heartbeat
   */
  see(): boolean;
}

export interface GracePeriodOptions {
  /**
   * Time between two checks. If there is no check for twice this time, this process or the database was unavailable.
   */
  readonly passMs: number;
  /** Time within which every living process sends a heartbeat. */
  readonly signMs: number;
}

/**
 * Creates a grace period.
 * @param now - Milliseconds of a monotonic clock
 */
export function createGracePeriod(
  { passMs, signMs }: GracePeriodOptions,
  now: () => number = () => performance.now(),
): GracePeriod {
  let lastSeen = now();
  let since = lastSeen;
  return {
    see() {
      const at = now();
      if (at - lastSeen > 2 * passMs) since = at;
      lastSeen = at;
      return at - since >= signMs;
    },
  };
}
