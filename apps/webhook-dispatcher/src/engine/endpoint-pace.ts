/** The properties of one finished attempt that affect slots. */
export interface SlotOutcome {
  readonly succeeded: boolean;
  readonly durationMs: number;
  /** Marks the one attempt that a half-open breaker let through. */
  readonly isProbe?: boolean;
}

export type Lane = 'quick' | 'unknown' | 'slow';

/** Number of simultaneous attempts for an endpoint about which nothing is known yet. */
export const FIRST_LIMIT = 2;
/** Duration of an attempt above which its endpoint counts as slow, even before the attempt ends. */
export const SLOW_MS = 2000;
/** Number of failures in a row that count as an outage; fewer count as errors of individual events. */
const OUTAGE_FAILURES = 3;
const QUICK_MS = 1000;
/**
 * Time in milliseconds for which the rows claimed in advance for a quick endpoint should suffice, so that the endpoint
 * never waits for a claim.
 */
const AHEAD_MS = 1000;

/** State of one endpoint in this process, and its pending attempts. Times are monotonic milliseconds. */
export class EndpointPace {
  running = 0;
  /** Number of rows claimed in advance. */
  held = 0;
  /** Lane in which the running attempts of the endpoint are counted. */
  lane: Lane = 'unknown';
  /** Time since which attempts have been running without any of them ending. */
  busySince = 0;
  usedAt: number;
  /**
   * Maximum number of attempts at once. While the endpoint recovers, the number grows in fractions; only its integer
   * part is used.
   */
  #limit: number;
  readonly #largestLimit: number;
  #failuresInRow = 0;
  #recovering = false;
  #proven = false;
  #slow = false;
  #latencyMs = 0;

  constructor(largestLimit: number, now: number) {
    this.#largestLimit = largestLimit;
    this.#limit = Math.min(FIRST_LIMIT, largestLimit);
    this.usedAt = now;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Returns the lane that the endpoint belongs to now. */
  findLane(now: number): Lane {
    if (this.#slow || (this.running > 0 && now - this.busySince > SLOW_MS)) return 'slow';
    return this.#proven ? 'quick' : 'unknown';
  }

  /** Returns how many more rows may be claimed for the endpoint. */
  countWanted(batchSize: number): number {
    const ahead = this.lane === 'quick' ? Math.floor((this.#limit * AHEAD_MS) / Math.max(1, this.#latencyMs)) : 0;
    return Math.max(0, Math.min(batchSize, this.limit + ahead) - this.running - this.held);
  }

  /**
   * Adapts the limit: increases it after a quick success, halves it after a failure or a slow response, and sets it to
   * one in an outage.
   */
  learn({ succeeded, durationMs, isProbe }: SlotOutcome): void {
    this.#latencyMs = this.#proven ? this.#latencyMs * 0.8 + durationMs * 0.2 : durationMs;
    this.#slow = durationMs >= SLOW_MS;
    this.#failuresInRow = succeeded ? 0 : this.#failuresInRow + 1;
    // A probe, even a successful one, also indicates an outage, which may have begun before this process started.
    if (isProbe === true || this.#failuresInRow >= OUTAGE_FAILURES) {
      this.#recovering = true;
      this.#limit = 1;
    } else if (!succeeded || this.#slow) {
      this.#limit = Math.max(1, this.#limit / 2);
    }
    if (succeeded && durationMs < QUICK_MS) this.#grow();
  }

  #grow(): void {
    this.#proven = true;
    this.#limit = Math.min(this.#largestLimit, this.#limit + (this.#recovering ? 1 / this.#limit : 1));
    if (this.#limit === this.#largestLimit) this.#recovering = false;
  }
}
