import { resolve } from 'node:path';
import { readSite, type Site } from '@steward/http';
import type { Logger } from '@steward/process';
import type { GatewaySettings } from '../config.ts';
import { CONSOLE_SCREENS } from './console-screens.ts';

/** The build writes the console to this path, next to the bundle; a process that runs from its sources has none. */
const BUILT = resolve(import.meta.dirname, 'console');

type ConsoleSettings = Pick<GatewaySettings, 'consoleDirectory' | 'serviceRole'>;

/**
 * Reads the web console, which is served together with the API; undefined for the role `gateway`. For a gateway that
 * was built without the console, it returns undefined and logs a warning.
 */
export function openConsole(settings: ConsoleSettings, logger: Pick<Logger, 'warn'>): Site | undefined {
  if (settings.serviceRole === 'gateway') return undefined;
  const directory = settings.consoleDirectory ?? BUILT;
  const site = readSite(directory, CONSOLE_SCREENS);
  if (site === undefined)
    logger.warn('console.not_built', { directory, help: 'npm run build creates it; CONSOLE_DIR sets its location' });
  return site;
}
