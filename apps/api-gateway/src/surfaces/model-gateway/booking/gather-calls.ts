import { setTimeout as delay } from 'node:timers/promises';
import { mapInSlices } from '@steward/async';
import type { UsageRow } from '@steward/models';
import type { CallSession, Caller } from '@steward/sessions';
import type { CapturedCall } from '../capture/captured-call.ts';

/** A call that ended. */
export interface EndedCall {
  readonly accountId: string;
  /**
   * Returns the facts to record. Called once, some time after the response, so that the computation delays no other
   * response.
   */
  readonly describe: () => CallFacts;
}

export interface CallFacts {
  readonly row: UsageRow;
  readonly principal: Caller;
  /** Session of the call; undefined if the call does not belong to one. */
  readonly session: CallSession | undefined;
  /** Content of the call that is stored in the session; undefined if none is stored. */
  readonly captured: CapturedCall | undefined;
  /** Whether the call is recorded later, by the process that detects the end of its background response. */
  readonly goesOn?: boolean;
  readonly onBooked?: () => Promise<void>;
}

/**
 * Time within which calls that end are recorded together. A call is recorded only after this time, so that the next
 * model call is served first.
 */
const GATHER_MS = 50;

interface Gathered {
  readonly call: EndedCall;
  readonly facts: PromiseWithResolvers<CallFacts>;
}

/**
 * Returns a function that collects the calls that end within `GATHER_MS`; the function returns the facts of each call
 * when the facts of all of them are known.
 */
export function createGatherCalls(): (call: EndedCall) => Promise<CallFacts> {
  let gathered: Gathered[] = [];

  async function describeAll(): Promise<void> {
    const all = gathered;
    gathered = [];
    const tell = await mapInSlices(all, describe);
    for (const one of tell) one();
  }

  return (call) => {
    const facts = Promise.withResolvers<CallFacts>();
    gathered.push({ call, facts });
    if (gathered.length === 1) void delay(GATHER_MS).then(describeAll);
    return facts.promise;
  };
}

/** Describes a call. Returns a function that reports the facts, or the error. */
function describe({ call, facts }: Gathered): () => void {
  try {
    const described = call.describe();
    return () => facts.resolve(described);
  } catch (error) {
    return () => facts.reject(error);
  }
}
