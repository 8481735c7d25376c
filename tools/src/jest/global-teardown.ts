import { TEST_BUNDLES, TEST_ENVIRONMENT } from '@steward/testing';
import { releaseRun } from './releases-of-run.ts';

/** Ends everything that the set-ups of this run started. */
export default async function tearDown(): Promise<void> {
  await releaseRun();
  for (const name of [TEST_ENVIRONMENT, TEST_BUNDLES]) Reflect.deleteProperty(process.env, name);
}
