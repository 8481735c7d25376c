/** `npm run chaos -- NAME [options]`: breaks a running suite at random and proves that its promise held. */
const RUNS: Readonly<Record<string, () => Promise<{ runChaos(args: readonly string[]): Promise<void> }>>> = {
  webhooks: () => import('./webhooks/run-chaos.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = RUNS[name];
if (load === undefined) {
  console.error(`npm run chaos -- NAME [options], with NAME one of: ${Object.keys(RUNS).join(', ')}`);
  process.exit(2);
}
await (await load()).runChaos(args);
