import { CAMPAIGN_FILES } from './campaigns.ts';
import { RUN_LIMITS } from './run-limits.ts';

export interface TestArguments {
  /** Arguments for Node, before jest's file. */
  readonly node: readonly string[];
  readonly jest: readonly string[];
  /** True for interactive use: jest controls the terminal, and the run lasts until the user ends it. */
  readonly isInteractive: boolean;
  /** True if campaigns have their full size. */
  readonly isFull: boolean;
  /** True if the list of slow files is written again after the run. */
  readonly isRecorded: boolean;
}

/** Flags of this command that jest does not support. */
const OWN = ['--full', '--record'];

/** Time limit of a test in a debugger, where it may be paused for longer than any test may take. */
const NO_TEST_TIMEOUT = 2 ** 31 - 1;

/** Splits the arguments after `npm test --` into those for Node and those for jest, and adds the limits of a run. */
export function splitArguments(args: readonly string[]): TestArguments {
  const node = args.filter((argument) => /^--inspect(-brk|-wait)?(=|$)/.test(argument));
  const isDebugging = node.length > 0;
  const isFull = args.includes('--full');
  const named = args.filter((argument) => !OWN.includes(argument) && !node.includes(argument));
  const given = isFull && named.length === 0 ? CAMPAIGN_FILES : named;
  // Jest reads these options only from the root configuration.
  const limits = given.some((argument) => argument === '--config' || argument === '--projects')
    ? Object.entries(RUN_LIMITS).map(([name, value]) => `--${name}=${value}`)
    : [];
  const debugging = isDebugging ? ['--runInBand', `--testTimeout=${NO_TEST_TIMEOUT}`] : [];
  return {
    node,
    // A second value of one of jest's options does not replace the first: jest would use both, and fail.
    jest: [
      ...limits.filter((limit) => !isDebugging || !/^--(testTimeout|maxWorkers)=/.test(limit)),
      ...debugging,
      ...given,
    ],
    isInteractive: isDebugging || given.some((argument) => argument === '--watch' || argument === '--watchAll'),
    isFull,
    isRecorded: args.includes('--record'),
  };
}
