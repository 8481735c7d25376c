import type { AppName } from '../../workspace.ts';
import type { Place } from '../place/start-place.ts';
import type { Random } from '../random.ts';

export interface FaultContext {
  readonly place: Place;
  /** The apps of the scenario. */
  readonly apps: readonly AppName[];
  readonly random: Random;
  readonly seconds: number;
  /** Says what is done, for the log of the run. */
  readonly say: (line: string) => void;
  /** Aborted when the faults have to end. */
  readonly ending: AbortSignal;
}

export interface Fault {
  readonly name: string;
  /** Injects the fault once or again and again until `ending`, and puts everything right. Returns how often. */
  inject(context: FaultContext): Promise<number>;
}
