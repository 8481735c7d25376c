import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { releaseAtEnd } from '@steward/testing';
import { OFFERED_SUITE } from '../e2e/shared-suite.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

const OFFER = resolve(WORKSPACE_ROOT, 'tools/src/e2e/offer-suite.ts');

/**
 * Starts the process with the suite of the run, once for all projects; it is a separate process because jest runs a
 * set-up as another kind of module.
 */
export async function startOffer(): Promise<void> {
  if (process.env[OFFERED_SUITE] !== undefined) return;
  const child = fork(OFFER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [url] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
  if (typeof url !== 'string') throw new Error('the process that provides a suite exited immediately');
  process.env[OFFERED_SUITE] = url;
  releaseAtEnd(async () => {
    Reflect.deleteProperty(process.env, OFFERED_SUITE);
    child.disconnect();
    const [code] = await exit;
    if (code !== 0) throw new Error('the suite of the run did not end properly');
  });
}
