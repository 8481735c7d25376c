/** `npm run bench -- NAME [options]`: measurements that can be repeated anywhere. Each prints its figures and its targets. */
const BENCHES: Readonly<Record<string, () => Promise<{ runBench(args: readonly string[]): Promise<void> }>>> = {
  relevance: () => import('./relevance/run-bench.ts'),
  webhooks: () => import('./webhooks/run-bench.ts'),
  triggers: () => import('./triggers/run-bench.ts'),
  search: () => import('./search/run-bench.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = BENCHES[name];
if (load === undefined) {
  console.error(`npm run bench -- NAME [options], with NAME one of: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
await (await load()).runBench(args);
