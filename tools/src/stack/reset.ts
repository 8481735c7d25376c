import { rmSync } from 'node:fs';
import { removeDataDirectory } from '@steward/local-servers';
import { NATS_DIRECTORY, POSTGRES_DIRECTORY } from './start-servers.ts';
import { findRunningStack, LOCAL_DIRECTORY } from './stack-files.ts';

/** `npm run reset`: wipes the data of this folder's stack. Refused while it runs. */
const running = findRunningStack();
if (running !== undefined) {
  console.error(`the stack runs (process ${running.pid}); stop it first`);
  process.exitCode = 1;
} else {
  removeDataDirectory(POSTGRES_DIRECTORY);
  removeDataDirectory(NATS_DIRECTORY);
  rmSync(LOCAL_DIRECTORY, { recursive: true, force: true });
  console.log('the local data is gone; npm start begins anew');
}
