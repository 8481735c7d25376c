import { takeServers } from './running-servers.ts';
import { TEST_ENVIRONMENT } from '@steward/testing';

/** Ends what the set-up of this run started. */
export default async function tearDown(): Promise<void> {
  await takeServers()?.stop();
  Reflect.deleteProperty(process.env, TEST_ENVIRONMENT);
}
