import { TEST_BUNDLES } from '@steward/testing';
import { bundle, DIST } from '../build/bundle-apps.ts';
import setUpServers from './global-setup.ts';
import { startOffer } from './start-offer.ts';

/**
 * Sets up servers as in integration tests, the current bundles, which are built once before several files need them,
 * and a suite that files may share.
 */
export default async function setUp(): Promise<void> {
  await bundle();
  process.env[TEST_BUNDLES] = DIST;
  await setUpServers();
  await startOffer();
}
