import { createApi } from '../demo/api.ts';
import type { Suite } from './start-suite.ts';

/** Parts of a suite that several test files can use at the same time without conflicts. */
export type SharedSuite = Pick<Suite, 'api' | 'url' | 'logDirectory' | 'workDirectory'> & {
  readonly database: Pick<Suite['database'], 'url'>;
};

/** Suite in the form in which it is passed to the processes of the test files. */
export interface OfferedSuite extends Pick<Suite, 'url' | 'logDirectory' | 'workDirectory'> {
  readonly databaseUrl: string;
}

/** Path at which the run hands out the ports on which the shared suite may call servers of test files. */
export const OUTSIDE_PORT_PATH = '/outside-port';

/** Environment variable in which the run offers its suite. */
export const OFFERED_SUITE = 'STEWARD_OFFERED_SUITE';

export const CONSOLE_SETTINGS = { REGISTRATION_ENABLED: 'true', SERVICE_EDITION: 'enterprise' };

/**
 * Settings of the shared suite. A run that a test leaves active occupies its slot until the suite ends, so there are
 * enough slots for all files. No account of it operates the deployment: the first one would, until the next registers.
 */
export const SHARED_SETTINGS = {
  ...CONSOLE_SETTINGS,
  FLOW_CONCURRENCY: '16',
  OPERATOR_ACCOUNTS: '00000000-0000-4000-8000-000000000000',
};

/** Finds the suite of the run; the first caller has to wait until it has started. */
export async function findSharedSuite(): Promise<SharedSuite> {
  const { databaseUrl, ...offered } = (await ask('/')) as OfferedSuite;
  return { ...offered, api: createApi(offered.url), database: { url: databaseUrl } };
}

/**
 * Returns a port for a server of the calling test file that the shared suite may call without TLS: a model provider, a
 * tool server or a tracker. No other file receives it.
 */
export async function takeOutsidePort(): Promise<number> {
  return (await ask(OUTSIDE_PORT_PATH)) as number;
}

async function ask(path: string): Promise<unknown> {
  const offer = process.env[OFFERED_SUITE];
  if (offer === undefined)
    throw new Error('no suite is offered: run this file as part of the project "e2e" or "browser"');
  const response = await fetch(new URL(path, offer));
  if (!response.ok) throw new Error(`the suite of the run: ${await response.text()}`);
  return response.json();
}
