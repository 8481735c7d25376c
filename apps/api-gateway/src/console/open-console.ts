import { resolve } from 'node:path';
import { isUuid } from '@steward/crypto';
import { createFramedPage, readSite, type Site } from '@steward/http';
import type { Logger } from '@steward/process';
import type { GatewaySettings } from '../config.ts';
import { CONSOLE_SCREENS } from './console-screens.ts';

/**
 * The build writes the console to this path, next to the bundle; a process that runs from its sources has no such
 * folder.
 */
const BUILT = resolve(import.meta.dirname, 'console');

type ConsoleSettings = Pick<GatewaySettings, 'consoleDirectory' | 'serviceRole'>;

interface ConsoleDeps {
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the origins whose pages may contain the portal of a link in a frame; undefined if the link has ended. */
  readonly findFrameOrigins: (linkId: string) => Promise<readonly string[] | undefined>;
}

/**
 * Reads the web console and the webhook portal (HOOK-55), which are served together with the API; returns an empty list
 * for the role `gateway`. Logs a warning if the console was not built.
 */
export function openConsole(settings: ConsoleSettings, { logger, findFrameOrigins }: ConsoleDeps): Site[] {
  if (settings.serviceRole === 'gateway') return [];
  const directory = settings.consoleDirectory ?? BUILT;
  const site = readSite(directory, CONSOLE_SCREENS);
  if (site === undefined)
    logger.warn('console.not_built', { directory, help: 'npm run build creates it; CONSOLE_DIR sets its location' });
  const portal = createFramedPage({
    ...{ directory, file: 'portal.html', path: '/portal/:id' },
    findOrigins: async (id) => (isUuid(id) ? findFrameOrigins(id) : undefined),
  });
  return [portal, site].filter((each) => each !== undefined);
}
