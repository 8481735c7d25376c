import type { AppName } from '../../workspace.ts';
import type { Place } from '../place/start-place.ts';
import type { Random } from '../random.ts';

export interface FaultContext {
  readonly place: Place;
  /** The apps of the scenario. */
  readonly apps: readonly AppName[];
  readonly random: Random;
  readonly seconds: number;
  /** Writes a line about the fault to the log of the run. */
  readonly say: (line: string) => void;
  /** Aborted when the faults have to end. */
  readonly ending: AbortSignal;
}

export interface Fault {
  readonly name: string;
  /**
   * Injects the fault once or repeatedly until `ending` is aborted, and then undoes its effects. Returns how often it
   * was injected.
   */
  inject(context: FaultContext): Promise<number>;
}
