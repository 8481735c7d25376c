import { TEST_BUNDLES } from '@steward/testing';
import { bundle, DIST } from '../build/bundle-apps.ts';
import setUpServers from './global-setup.ts';

/** Sets up servers as in integration tests, and the current bundles: built once, before several files need them. */
export default async function setUp(): Promise<void> {
  await bundle();
  process.env[TEST_BUNDLES] = DIST;
  await setUpServers();
}
