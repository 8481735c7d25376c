/** How one finished attempt went, as far as slots are concerned. */
export interface SlotOutcome {
  readonly succeeded: boolean;
  readonly durationMs: number;
  /** The one attempt let through by a half-open breaker. */
  readonly isProbe?: boolean;
}

/**
 * Which endpoint may use how many of this process's slots. Limits adapt to the endpoint: one more for every quick success,
 * half for every failure or slow answer. An endpoint that comes back from an outage begins at one and gets one more per
 * round of answers, not per answer: what has piled up meets it as a ramp, not as a burst. Slow and unknown endpoints share lanes of their own, so that however many of them
 * there are, slots stay free for the quick ones.
 */
export interface EndpointSlots {
  /** Rows to claim now: for endpoints not named, `defaultAllowance` each. */
  readAllowances(): { readonly defaultAllowance: number; readonly allowances: ReadonlyMap<string, number> };
  canStart(endpointId: string): boolean;
  /** A claimed row waits in this process. */
  hold(endpointId: string): void;
  unhold(endpointId: string): void;
  start(endpointId: string): void;
  finish(endpointId: string, outcome: SlotOutcome | undefined): void;
  countRunning(): number;
}

export interface EndpointSlotsOptions {
  readonly concurrency: number;
  readonly batchSize: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

interface EndpointState {
  running: number;
  held: number;
  /** Grows in fractions while recovering; whole slots are what counts. */
  limit: number;
  failuresInRow: number;
  recovering: boolean;
  proven: boolean;
  slow: boolean;
  latencyMs: number;
  /** Start of the oldest attempt that began while none ran: an attempt that hangs makes the endpoint slow before it ends. */
  busySince: number;
  usedAt: number;
  /** The lane its running attempts are counted in. */
  lane: Lane;
}

type Lane = 'quick' | 'unknown' | 'slow';

const FIRST_LIMIT = 2;
/** So many failures in a row are an outage; fewer are errors of single events. */
const OUTAGE_FAILURES = 3;
const QUICK_MS = 1000;
const SLOW_MS = 2000;
/** Rows are claimed ahead for about this much work, so that a quick endpoint never waits for a claim. */
const AHEAD_MS = 1000;
const FORGET_AFTER_MS = 600_000;

export function createEndpointSlots(options: EndpointSlotsOptions): EndpointSlots {
  const { concurrency, batchSize, now } = options;
  const states = new Map<string, EndpointState>();
  const largestLimit = Math.max(1, concurrency - Math.ceil(concurrency / 4));
  const laneSizes: Readonly<Record<Lane, number>> = {
    quick: concurrency,
    unknown: Math.max(1, Math.floor(concurrency / 2)),
    slow: Math.max(1, Math.floor(concurrency / 4)),
  };
  /** Endpoints with attempts under way, and how many attempts are in each lane: kept, not counted at every start. */
  const busy = new Set<EndpointState>();
  const laneRunning: Record<Lane, number> = { quick: 0, unknown: 0, slow: 0 };
  let running = 0;
  let sweptAt = now();
  /** No endpoint can have hung long enough to be slow before this. */
  let nextHangAt = Number.POSITIVE_INFINITY;

  function read(endpointId: string): EndpointState {
    let state = states.get(endpointId);
    if (state === undefined) {
      const limit = Math.min(FIRST_LIMIT, largestLimit);
      state = {
        running: 0,
        held: 0,
        limit,
        failuresInRow: 0,
        recovering: false,
        proven: false,
        slow: false,
        latencyMs: 0,
        busySince: 0,
        usedAt: now(),
        lane: 'unknown',
      };
      states.set(endpointId, state);
    }
    return state;
  }

  function computeLane(state: EndpointState, time: number): Lane {
    if (state.slow || (state.running > 0 && time - state.busySince > SLOW_MS)) return 'slow';
    return state.proven ? 'quick' : 'unknown';
  }

  /** Puts a busy endpoint and its attempts into the lane it belongs to now. */
  function place(state: EndpointState, time: number): void {
    const lane = computeLane(state, time);
    if (lane === state.lane) return;
    laneRunning[state.lane] -= state.running;
    laneRunning[lane] += state.running;
    state.lane = lane;
  }

  /** Moves endpoints that hang to the slow lane. Looks at them only when one can have become slow since the last look. */
  function noticeHanging(time: number): void {
    if (time <= nextHangAt) return;
    nextHangAt = Number.POSITIVE_INFINITY;
    for (const state of busy) {
      place(state, time);
      if (state.lane !== 'slow') nextHangAt = Math.min(nextHangAt, state.busySince + SLOW_MS);
    }
  }

  function hasRoom(lane: Lane): boolean {
    return running < concurrency && (lane === 'quick' || laneRunning[lane] < laneSizes[lane]);
  }

  function sweep(): void {
    if (now() - sweptAt < FORGET_AFTER_MS) return;
    sweptAt = now();
    for (const [id, state] of states) {
      if (state.running + state.held === 0 && now() - state.usedAt > FORGET_AFTER_MS) states.delete(id);
    }
  }

  return {
    readAllowances() {
      const time = now();
      sweep();
      noticeHanging(time);
      const roomy = { quick: true, unknown: hasRoom('unknown'), slow: hasRoom('slow') };
      const allowances = new Map<string, number>();
      for (const [id, state] of states) {
        const { lane } = state;
        const ahead = lane === 'quick' ? Math.floor((state.limit * AHEAD_MS) / Math.max(1, state.latencyMs)) : 0;
        const wanted = roomy[lane] ? Math.min(batchSize, Math.floor(state.limit) + ahead) : 0;
        allowances.set(id, Math.max(0, wanted - state.running - state.held));
      }
      return { defaultAllowance: roomy.unknown ? FIRST_LIMIT : 0, allowances };
    },
    canStart(endpointId) {
      if (running >= concurrency) return false;
      const state = read(endpointId);
      if (state.running >= Math.floor(state.limit)) return false;
      noticeHanging(now());
      return hasRoom(state.lane);
    },
    hold(endpointId) {
      read(endpointId).held += 1;
    },
    unhold(endpointId) {
      read(endpointId).held -= 1;
    },
    start(endpointId) {
      const state = read(endpointId);
      if (state.running === 0) {
        state.busySince = now();
        busy.add(state);
        nextHangAt = Math.min(nextHangAt, state.busySince + SLOW_MS);
      }
      state.running += 1;
      laneRunning[state.lane] += 1;
      running += 1;
    },
    finish(endpointId, outcome) {
      const state = read(endpointId);
      const time = now();
      state.running -= 1;
      laneRunning[state.lane] -= 1;
      running -= 1;
      if (state.running === 0) busy.delete(state);
      state.usedAt = time;
      state.busySince = time;
      if (outcome !== undefined) adapt(state, outcome, largestLimit);
      place(state, time);
      // Out of the slow lane again with attempts under way: they may hang anew.
      if (state.running > 0) nextHangAt = Math.min(nextHangAt, time + SLOW_MS);
    },
    countRunning: () => running,
  };
}

function adapt(state: EndpointState, outcome: SlotOutcome, largestLimit: number): void {
  const { succeeded, durationMs } = outcome;
  state.latencyMs = state.proven ? state.latencyMs * 0.8 + durationMs * 0.2 : durationMs;
  state.slow = durationMs >= SLOW_MS;
  state.failuresInRow = succeeded ? 0 : state.failuresInRow + 1;
  // The probe counts too: the outage may be older than what this process remembers.
  if (outcome.isProbe === true || state.failuresInRow >= OUTAGE_FAILURES) {
    state.recovering = true;
    state.limit = 1;
  } else if (!succeeded || state.slow) {
    state.limit = Math.max(1, state.limit / 2);
  }
  if (!succeeded || durationMs >= QUICK_MS) return;
  state.proven = true;
  state.limit = Math.min(largestLimit, state.limit + (state.recovering ? 1 / state.limit : 1));
  if (state.limit === largestLimit) state.recovering = false;
}
