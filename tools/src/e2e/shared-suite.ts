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

/** Environment variable in which the run offers its suite. */
export const OFFERED_SUITE = 'STEWARD_OFFERED_SUITE';

export const CONSOLE_SETTINGS = { REGISTRATION_ENABLED: 'true', SERVICE_EDITION: 'enterprise' };

/**
 * Settings of the shared suite. A run that a test leaves active occupies its slot until the suite ends, so there are
 * enough slots for all files.
 */
export const SHARED_SETTINGS = { ...CONSOLE_SETTINGS, FLOW_CONCURRENCY: '16' };

/** Finds the suite of the run; the first caller has to wait until it has started. */
export async function findSharedSuite(): Promise<SharedSuite> {
  const offer = process.env[OFFERED_SUITE];
  if (offer === undefined)
    throw new Error('no suite is offered: run this file as part of the project "e2e" or "browser"');
  const response = await fetch(offer);
  if (!response.ok) throw new Error(`the suite of the run did not start: ${await response.text()}`);
  const { databaseUrl, ...offered } = (await response.json()) as OfferedSuite;
  return { ...offered, api: createApi(offered.url), database: { url: databaseUrl } };
}
