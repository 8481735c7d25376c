import { once } from 'node:events';
import { buildCall, buildRow } from './build-call.ts';
import { connectModelCalls } from './open-model-calls.ts';

/**
 * Process that calls models for an account. It makes the first six calls before it prints `ready`; in mode `keep`, two
 * of these calls never end. Then it waits for its input, makes 500 more calls, prints `begun` for each granted call,
 * and finally prints `done`.
 */
const [url = '', accountId = '', name = '', mode] = process.argv.slice(2);
const { calls, database } = connectModelCalls(url, () => new Date(), { applicationName: name });
const CALLS = 500;
const AT_ONCE = 20;

async function callModel(index: number): Promise<void> {
  const call = buildCall(accountId, { occurredAt: new Date() });
  const outcome = await calls.begin(call);
  if (outcome.kind !== 'reserved') return;
  if (mode === 'keep' && index < 2) return;
  process.stdout.write('begun\n');
  // Every other call costs less than its maximum.
  await calls.end(buildRow(call, index % 2 === 0 ? '0.008' : '0.01'));
}

await Promise.all(Array.from({ length: 6 }, (_, index) => callModel(index)));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
let made = 0;
const work = async (): Promise<void> => {
  while (made < CALLS) await callModel((made += 1) + 6);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.stdout.write('done\n');
// In mode `keep`, the process runs until it is killed.
if (mode === 'keep') await once(process.stdin, 'end');
process.stdin.destroy();
await database.close();
