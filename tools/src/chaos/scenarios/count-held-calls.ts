/** A tool call that waited for people, and the outcome that its agent was told. */
export interface HeldCall {
  readonly job: string;
  readonly isDeclined: boolean;
  /** `unknown`: the service reported that the tool may have run; undefined: the agent was told nothing. */
  readonly outcome: 'done' | 'refused' | 'unknown' | undefined;
}

/**
 * Counts violations of the guarantees for held calls: an approved call is made at most once, its agent learns the
 * outcome, and a declined call is never made.
 * @param countDone - returns the count of the tool server
 */
export function countHeldCalls(calls: readonly HeldCall[], countDone: (job: string) => number): Record<string, number> {
  const count = (isBroken: (call: HeldCall, done: number) => boolean): number =>
    calls.filter((call) => isBroken(call, countDone(call.job))).length;
  return {
    'tools run twice': count((_call, done) => done > 1),
    'tools run in spite of a decline': count(({ isDeclined }, done) => isDeclined && done > 0),
    'results without a run': count(({ outcome }, done) => outcome === 'done' && done === 0),
    'approved calls that were refused': count(({ isDeclined, outcome }) => !isDeclined && outcome === 'refused'),
    'calls without an outcome': count(({ outcome }) => outcome === undefined),
  };
}
