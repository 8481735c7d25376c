interface Bench<Options> {
  /**
   * Options of the bench, loaded first and separately, so that the help works without the dependencies of the bench.
   */
  readonly options: () => Promise<{ readOptions(args: readonly string[]): Options }>;
  readonly run: () => Promise<{ runBench(options: Options): Promise<void> }>;
  /** Folders with separate packages, installed on first use. */
  readonly installs?: readonly string[];
}

/** A bench, independent of the type of its options. */
export interface NamedBench {
  /** Prints the help and ends the process, or returns the chosen options. */
  readOptions(args: readonly string[]): Promise<unknown>;
  readonly installs: readonly string[];
  /**
   * Runs the bench.
   * @param options - Result of `readOptions`
   */
  run(options: unknown): Promise<void>;
}

const bench = <Options>({ options, run, installs = [] }: Bench<Options>): NamedBench => ({
  readOptions: async (args) => (await options()).readOptions(args),
  installs,
  run: async (chosen) => (await run()).runBench(chosen as Options),
});

/** Measurements that can be repeated anywhere. Each one prints its figures and its targets. */
export const BENCHES: Readonly<Record<string, NamedBench>> = {
  relevance: bench({ options: () => import('./relevance/options.ts'), run: () => import('./relevance/run-bench.ts') }),
  webhooks: bench({
    options: () => import('./webhooks/options.ts'),
    run: () => import('./webhooks/run-bench.ts'),
    installs: ['tools/bench'],
  }),
  triggers: bench({ options: () => import('./triggers/options.ts'), run: () => import('./triggers/run-bench.ts') }),
  gateway: bench({ options: () => import('./gateway/options.ts'), run: () => import('./gateway/run-bench.ts') }),
  budgets: bench({ options: () => import('./budgets/options.ts'), run: () => import('./budgets/run-bench.ts') }),
  hybrid: bench({
    options: () => import('./hybrid/options.ts'),
    run: () => import('./hybrid/run-bench.ts'),
    installs: ['tools/bench'],
  }),
  search: bench({
    options: () => import('./search/options.ts'),
    run: () => import('./search/run-bench.ts'),
    installs: ['tools/bench'],
  }),
  backfill: bench({
    options: () => import('./backfill/options.ts'),
    run: () => import('./backfill/run-bench.ts'),
    installs: ['tools/bench'],
  }),
  console: bench({ options: () => import('./console/options.ts'), run: () => import('./console/run-bench.ts') }),
  decisions: bench({ options: () => import('./decisions/options.ts'), run: () => import('./decisions/run-bench.ts') }),
  deletion: bench({ options: () => import('./deletion/options.ts'), run: () => import('./deletion/run-bench.ts') }),
  embedding: bench({ options: () => import('./embedding/options.ts'), run: () => import('./embedding/run-bench.ts') }),
  growth: bench({ options: () => import('./growth/options.ts'), run: () => import('./growth/run-bench.ts') }),
  import: bench({ options: () => import('./import/options.ts'), run: () => import('./import/run-bench.ts') }),
  lookups: bench({ options: () => import('./lookups/options.ts'), run: () => import('./lookups/run-bench.ts') }),
  masking: bench({ options: () => import('./masking/options.ts'), run: () => import('./masking/run-bench.ts') }),
  stats: bench({ options: () => import('./stats/options.ts'), run: () => import('./stats/run-bench.ts') }),
  peers: bench({
    options: () => import('./peers/options.ts'),
    run: () => import('./peers/run-bench.ts'),
    installs: ['tools/bench'],
  }),
  vectors: bench({
    options: () => import('./vectors/options.ts'),
    run: () => import('./vectors/run-bench.ts'),
    installs: ['tools/bench'],
  }),
};
