import { pickNamed } from '../options/pick-named.ts';

/**
 * Runs `npm run chaos -- NAME [options]`: injects random faults into a running suite, and verifies that its guarantees
 * hold.
 */
const RUNS: Readonly<Record<string, () => Promise<{ runChaos(args: readonly string[]): Promise<void> }>>> = {
  all: () => import('./all/run-chaos.ts'),
  listen: () => import('./listen/run-chaos.ts'),
  schedules: () => import('./schedules/run-chaos.ts'),
  webhooks: () => import('./webhooks/run-chaos.ts'),
};

const { picked: load, args } = pickNamed('npm run chaos', RUNS);
await (await load()).runChaos(args);
