import { releaseProcess, TEST_BUNDLES, TEST_ENVIRONMENT } from '@steward/testing';

/** Ends everything that the set-ups of this run started. */
export default async function tearDown(): Promise<void> {
  await releaseProcess();
  for (const name of [TEST_ENVIRONMENT, TEST_BUNDLES]) Reflect.deleteProperty(process.env, name);
}
