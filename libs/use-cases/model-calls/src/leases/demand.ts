/**
 * Measures the amounts that calls of one kind reserve. Amounts are in units of 10^-12 US dollars; times are in
 * milliseconds of a monotonic clock.
 */
export class Demand {
  #lastAt = -Infinity;
  #isRepeated = false;
  /** Approximately the largest amount of the most recent calls. */
  #largest = 0n;
  #sum = 0;
  #perMs = 0;
  #since: number;

  constructor(now: number) {
    this.#since = now;
  }

  note(pico: bigint, now: number): void {
    this.#isRepeated = now - this.#lastAt < REPEATED_MS;
    this.#lastAt = now;
    this.#sum += Number(pico);
    this.#largest = pico > this.#largest ? pico : (7n * this.#largest + pico) / 8n;
  }

  get largest(): bigint {
    return this.#largest;
  }

  /** Returns the number of milliseconds since the last call. */
  idleMs(now: number): number {
    return now - this.#lastAt;
  }

  /**
   * Returns the amount that should be free for the next calls; 0 if calls are so rare that each one makes its own
   * reservation.
   */
  want(now: number): bigint {
    const passed = now - this.#since;
    if (passed > 0) {
      const weight = Math.min(1, passed / AVERAGE_MS);
      this.#perMs += weight * (this.#sum / passed - this.#perMs);
      this.#sum = 0;
      this.#since = now;
    }
    if (!this.#isRepeated || this.idleMs(now) > IDLE_MS) return 0n;
    const ahead = BigInt(Math.ceil(this.#perMs * AHEAD_MS));
    const least = LEAST_CALLS * this.#largest;
    return ahead > least ? ahead : least;
  }
}

/** Maximum time between two calls that indicates that more will follow. */
const REPEATED_MS = 1000;
const IDLE_MS = 1000;
const AVERAGE_MS = 500;
/**
 * Time for which the free amount should suffice: with a shorter time, leases change more often; with a longer one, they
 * reserve more.
 */
const AHEAD_MS = 2000;
const LEAST_CALLS = 4n;
