import { ensureChromium, readServerChoices } from '@steward/local-servers';
import { buildConsole } from '../build/build-console.ts';
import { bundle } from '../build/bundle-apps.ts';
import setUpServers from './global-setup.ts';
import { startOffer } from './start-offer.ts';

/** Servers as every integration test has them, a Chromium, the console as it is now, and a suite that serves it. */
export default async function setUp(): Promise<void> {
  const { allowInstall } = readServerChoices(process.env);
  const progress = (line: string): void => void process.stderr.write(`test set-up: ${line}\n`);
  process.env.CHROMIUM_PATH = await ensureChromium({ named: process.env.CHROMIUM_PATH, allowInstall, progress });
  // Once, before several files need them.
  await buildConsole();
  await bundle();
  await setUpServers();
  await startOffer();
}
