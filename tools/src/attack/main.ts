import { startBenchProcesses } from '../../bench/start-bench-processes.ts';
import { startBombServer } from '@steward/testing';
import { buildConsole } from '../build/build-console.ts';
import { pickParts } from './pick-parts.ts';
import { allowBombs } from './target.ts';

/** Runs `npm run attack [-- PART ...]`: attacks a separate suite, and exits with 1 if an attack was not refused. */
const parts = pickParts(process.argv.slice(2));
// The pages that are opened must be built from the current code.
await buildConsole();
const bombs = await startBombServer();
const processes = await startBenchProcesses(['flow-trigger'], {
  SERVICE_EDITION: 'enterprise',
  REGISTRATION_ENABLED: 'true',
  REGISTRATION_RATE_PER_MINUTE: '1000',
  ...allowBombs(bombs),
});
const worker = await processes.startApp('flow-trigger');
try {
  const { apiUrl: url, databaseUrl, gatewayPid } = processes;
  for (const [name, attack] of parts) {
    const { tried, breaches, notes } = await attack({ url, databaseUrl, gatewayPid, bombs });
    console.log(`\n${name}: ${tried} tried, ${breaches.length} not refused`);
    for (const note of notes) console.log(`  ${note}`);
    for (const breach of breaches) console.log(`  BREACH ${breach}`);
    if (breaches.length > 0) process.exitCode = 1;
  }
} finally {
  await worker.stop();
  await processes.stop();
  await bombs.close();
}
