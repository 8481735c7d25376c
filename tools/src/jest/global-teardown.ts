import { TEST_ENVIRONMENT } from '@steward/testing';
import { releaseRun } from './releases-of-run.ts';

/** Ends what the set-ups of this run started. */
export default async function tearDown(): Promise<void> {
  await releaseRun();
  Reflect.deleteProperty(process.env, TEST_ENVIRONMENT);
}
