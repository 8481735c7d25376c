import { ensureChromium, readServerChoices } from '@steward/local-servers';
import { buildConsole } from '../build/build-console.ts';
import setUpProcesses from './e2e-set-up.ts';

/** Sets up servers and bundles as in end-to-end tests, Chromium, and the current console. */
export default async function setUp(): Promise<void> {
  const { allowInstall } = readServerChoices(process.env);
  const progress = (line: string): void => void process.stderr.write(`test set-up: ${line}\n`);
  process.env.CHROMIUM_PATH = await ensureChromium({ named: process.env.CHROMIUM_PATH, allowInstall, progress });
  // The console is built once, before several files need it.
  await buildConsole();
  await setUpProcesses();
}
