import { parseOptions, valued } from '../../options/parse-options.ts';
import { readCount, readNumber } from '../../options/read-numbers.ts';
import { FAULTS, SCENARIOS } from './parts.ts';
import { planSeconds } from './plan.ts';

export interface AllChaosOptions {
  /** Names of the scenarios to run, in this order. */
  readonly scenarios: readonly string[];
  readonly faults: readonly string[];
  /** How long each fault lasts. */
  readonly seconds: number;
  /** The same seed injects the same faults; their effect depends on the machine. */
  readonly seed: number;
}

const HELP = `npm run chaos -- all [options]

Starts the suite with its own Postgres, a standby and three NATS servers, and runs each scenario with each fault in turn.
The guarantees are verified from outside: by the receiver, the model provider, the tool server and the programs of the
runs. Prints a line for each scenario and fault, and exits with 1 if a guarantee was violated.

  --scenarios A,B   of ${Object.keys(SCENARIOS).join(', ')} (all)
  --faults A,B      of ${Object.keys(FAULTS).join(', ')} (all)
  --minutes N       approximate duration of the whole run (20)
  --seconds N       duration of each fault (default: derived from --minutes)
  --seed N          seed of the faults and their times (default: random; it is printed)`;

/** Reads the options of the chaos run; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): AllChaosOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      scenarios: valued(Object.keys(SCENARIOS).join(',')),
      faults: valued(Object.keys(FAULTS).join(',')),
      minutes: valued('20'),
      seconds: valued(''),
      seed: valued(String(Math.floor(Math.random() * 1_000_000))),
    },
    read: (values) => {
      const scenarios = readNames('scenarios', values.scenarios, SCENARIOS);
      const faults = readNames('faults', values.faults, FAULTS);
      const minutes = readNumber('minutes', values.minutes);
      const seconds =
        values.seconds === ''
          ? planSeconds(minutes, scenarios.length * faults.length)
          : readNumber('seconds', values.seconds);
      return { scenarios, faults, seconds, seed: readCount('seed', values.seed, 0) };
    },
  });
}

/** @throws Error with the option and its allowed names */
function readNames(option: string, text: string, known: Readonly<Record<string, unknown>>): string[] {
  const names = text.split(',').map((name) => name.trim());
  const strange = names.find((name) => known[name] === undefined);
  if (strange !== undefined) throw new Error(`--${option}: "${strange}" is none of ${Object.keys(known).join(', ')}`);
  return [...new Set(names)];
}
