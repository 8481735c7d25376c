import { EndpointPace, FIRST_LIMIT, SLOW_MS, type Lane, type SlotOutcome } from './endpoint-pace.ts';

export interface EndpointSlotsOptions {
  readonly concurrency: number;
  readonly batchSize: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Numbers of rows to claim now, by endpoint; `defaultAllowance` for each endpoint that is not listed. */
export interface Allowances {
  readonly defaultAllowance: number;
  readonly allowances: ReadonlyMap<string, number>;
}

const FORGET_AFTER_MS = 600_000;

/**
 * Decides which endpoint may use how many of this process's slots. The limit of an endpoint adapts: every quick success
 * increases it by one, and every failure or slow response halves it. After an outage, the limit begins at one and
 * increases by one per round of responses, not per response: the endpoint's backlog is sent at a gradually increasing
 * rate, not in a burst. Slow endpoints share one lane, and unknown endpoints share another lane. The number of slots of
 * these lanes is limited, so that slots stay free for quick endpoints, however many slow and unknown endpoints there
 * are.
 */
export class EndpointSlots {
  readonly #options: EndpointSlotsOptions;
  readonly #largestLimit: number;
  readonly #laneSizes: Readonly<Record<Lane, number>>;
  readonly #paces = new Map<string, EndpointPace>();
  /**
   * Endpoints with pending attempts, and the number of attempts in each lane: updated on each change, not counted at
   * every start.
   */
  readonly #busy = new Set<EndpointPace>();
  readonly #laneRunning: Record<Lane, number> = { quick: 0, unknown: 0, slow: 0 };
  #running = 0;
  #sweptAt: number;
  /** Time before which no endpoint can have hung long enough to be slow. */
  #nextHangAt = Number.POSITIVE_INFINITY;

  constructor(options: EndpointSlotsOptions) {
    const { concurrency } = options;
    this.#options = options;
    this.#largestLimit = Math.max(1, concurrency - Math.ceil(concurrency / 4));
    this.#laneSizes = {
      quick: concurrency,
      unknown: Math.max(1, Math.floor(concurrency / 2)),
      slow: Math.max(1, Math.floor(concurrency / 4)),
    };
    this.#sweptAt = options.now();
  }

  get running(): number {
    return this.#running;
  }

  readAllowances(): Allowances {
    const now = this.#options.now();
    this.#sweep(now);
    this.#noticeHanging(now);
    const roomy = { quick: true, unknown: this.#isBelowMost('unknown'), slow: this.#isBelowMost('slow') };
    const allowances = new Map<string, number>();
    for (const [id, pace] of this.#paces)
      allowances.set(id, roomy[pace.lane] ? pace.countWanted(this.#options.batchSize) : 0);
    return { defaultAllowance: roomy.unknown ? FIRST_LIMIT : 0, allowances };
  }

  canStart(endpointId: string): boolean {
    if (this.#running >= this.#options.concurrency) return false;
    const pace = this.#read(endpointId);
    if (pace.running >= pace.limit) return false;
    this.#noticeHanging(this.#options.now());
    return this.#isBelowMost(pace.lane);
  }

  /** Registers a claimed row that waits in this process. */
  hold(endpointId: string): void {
    this.#read(endpointId).held += 1;
  }

  unhold(endpointId: string): void {
    this.#read(endpointId).held -= 1;
  }

  start(endpointId: string): void {
    const pace = this.#read(endpointId);
    if (pace.running === 0) {
      pace.busySince = this.#options.now();
      this.#busy.add(pace);
      this.#watch(pace.busySince);
    }
    this.#count(pace, 1);
  }

  /** Ends an attempt; `outcome` is undefined if the attempt gave no information about the endpoint. */
  finish(endpointId: string, outcome: SlotOutcome | undefined): void {
    const pace = this.#read(endpointId);
    const now = this.#options.now();
    this.#count(pace, -1);
    if (pace.running === 0) this.#busy.delete(pace);
    pace.usedAt = now;
    pace.busySince = now;
    if (outcome !== undefined) pace.learn(outcome);
    this.#place(pace, now);
    // The endpoint may have left the slow lane with pending attempts, which may hang again.
    if (pace.running > 0) this.#watch(now);
  }

  #read(endpointId: string): EndpointPace {
    let pace = this.#paces.get(endpointId);
    if (pace === undefined) {
      pace = new EndpointPace(this.#largestLimit, this.#options.now());
      this.#paces.set(endpointId, pace);
    }
    return pace;
  }

  #count(pace: EndpointPace, attempts: 1 | -1): void {
    pace.running += attempts;
    this.#laneRunning[pace.lane] += attempts;
    this.#running += attempts;
  }

  #isBelowMost(lane: Lane): boolean {
    if (this.#running >= this.#options.concurrency) return false;
    return lane === 'quick' || this.#laneRunning[lane] < this.#laneSizes[lane];
  }

  /** Moves an endpoint and its attempts into the lane that the endpoint belongs to now. */
  #place(pace: EndpointPace, now: number): void {
    const lane = pace.findLane(now);
    if (lane === pace.lane) return;
    this.#laneRunning[pace.lane] -= pace.running;
    this.#laneRunning[lane] += pace.running;
    pace.lane = lane;
  }

  /** Schedules a check for the time at which attempts that began at `time` count as hanging. */
  #watch(time: number): void {
    this.#nextHangAt = Math.min(this.#nextHangAt, time + SLOW_MS);
  }

  /**
   * Moves endpoints that hang to the slow lane. Does nothing if no endpoint can have become slow since the last check.
   */
  #noticeHanging(now: number): void {
    if (now <= this.#nextHangAt) return;
    this.#nextHangAt = Number.POSITIVE_INFINITY;
    for (const pace of this.#busy) {
      this.#place(pace, now);
      if (pace.lane !== 'slow') this.#watch(pace.busySince);
    }
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < FORGET_AFTER_MS) return;
    this.#sweptAt = now;
    for (const [id, pace] of this.#paces)
      if (pace.running + pace.held === 0 && now - pace.usedAt > FORGET_AFTER_MS) this.#paces.delete(id);
  }
}
