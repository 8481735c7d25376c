import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createServer } from 'vite';
import { buildPagePolicy } from '@steward/http';
import { WORKSPACE_ROOT } from '../workspace.ts';

const CONSOLE = resolve(WORKSPACE_ROOT, 'apps/console');

/**
 * Serves the console in development, in front of the API at `apiUrl`; takes about 350 MB. Its page has the content
 * security policy of the built console, so that violations are noticed during development; a nonce allows Vite's
 * additions to the page.
 */
export async function serveConsole(
  apiUrl: string,
  port?: number,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  process.env.STEWARD_API_URL = apiUrl;
  // With the setting that leaves out packages of developers (.npmrc), npm sets NODE_ENV to production.
  process.env.NODE_ENV = 'development';
  const nonce = randomBytes(16).toString('base64');
  const server = await createServer({
    root: CONSOLE,
    configFile: resolve(CONSOLE, 'vite.config.ts'),
    logLevel: 'warn',
    html: { cspNonce: nonce },
    server: {
      ...(port === undefined ? {} : { port }),
      headers: { 'Content-Security-Policy': buildPagePolicy(`'self' 'nonce-${nonce}'`) },
    },
  });
  await server.listen();
  return { url: server.resolvedUrls?.local[0] ?? 'http://127.0.0.1:5173/', stop: () => server.close() };
}
