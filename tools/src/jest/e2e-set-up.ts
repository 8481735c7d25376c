import { bundle } from '../build/bundle-apps.ts';
import setUpServers from './global-setup.ts';

/** Servers as every integration test has them, and the bundles as they are now: built once, before several files need them. */
export default async function setUp(): Promise<void> {
  await bundle();
  await setUpServers();
}
