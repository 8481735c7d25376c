import { pickNamed } from '../src/options/pick-named.ts';

/** `npm run bench -- NAME [options]`: measurements that can be repeated anywhere. Each prints its figures and its targets. */
const BENCHES: Readonly<Record<string, () => Promise<{ runBench(args: readonly string[]): Promise<void> }>>> = {
  relevance: () => import('./relevance/run-bench.ts'),
  webhooks: () => import('./webhooks/run-bench.ts'),
  triggers: () => import('./triggers/run-bench.ts'),
  gateway: () => import('./gateway/run-bench.ts'),
  budgets: () => import('./budgets/run-bench.ts'),
  hybrid: () => import('./hybrid/run-bench.ts'),
  search: () => import('./search/run-bench.ts'),
  backfill: () => import('./backfill/run-bench.ts'),
  console: () => import('./console/run-bench.ts'),
  decisions: () => import('./decisions/run-bench.ts'),
  deletion: () => import('./deletion/run-bench.ts'),
  embedding: () => import('./embedding/run-bench.ts'),
  import: () => import('./import/run-bench.ts'),
  lookups: () => import('./lookups/run-bench.ts'),
  masking: () => import('./masking/run-bench.ts'),
  vectors: () => import('./vectors/run-bench.ts'),
};

const { picked: load, args } = pickNamed('npm run bench', BENCHES);
await (await load()).runBench(args);
