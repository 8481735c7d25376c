import { rmSync } from 'node:fs';
import { removeDataDirectory } from '@steward/local-servers';
import { parseOptions } from '../options/parse-options.ts';
import { endOrphans } from './end-orphans.ts';
import { FLOWS_DIRECTORY } from './start-apps.ts';
import { NATS_DIRECTORY, POSTGRES_DIRECTORY } from './start-servers.ts';
import { findRunningStack, LOCAL_DIRECTORY, readStackState } from './stack-files.ts';

const HELP = `npm run reset

Deletes the data of this folder's stack. Refused while the stack is running.`;

parseOptions(process.argv.slice(2), { help: HELP, options: {}, read: () => undefined });
const running = findRunningStack();
if (running !== undefined) {
  console.error(`the stack is running (process ${running.pid}); stop it first`);
  process.exitCode = 1;
} else {
  await endOrphans(readStackState()?.processes ?? []);
  await removeDataDirectory(POSTGRES_DIRECTORY);
  await removeDataDirectory(NATS_DIRECTORY);
  await removeDataDirectory(FLOWS_DIRECTORY);
  rmSync(LOCAL_DIRECTORY, { recursive: true, force: true });
  console.log('the local data is deleted; npm start starts with empty data');
}
