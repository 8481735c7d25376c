import { resolve } from 'node:path';
import { createServer } from 'vite';
import { WORKSPACE_ROOT } from '../workspace.ts';

const CONSOLE = resolve(WORKSPACE_ROOT, 'apps/console');

/** The console as it is worked on, in front of the API at `apiUrl`; takes some 350 MB. Answers its address and how to end it. */
export async function serveConsole(apiUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  process.env.STEWARD_API_URL = apiUrl;
  const server = await createServer({
    root: CONSOLE,
    configFile: resolve(CONSOLE, 'vite.config.ts'),
    logLevel: 'warn',
  });
  await server.listen();
  return { url: server.resolvedUrls?.local[0] ?? 'http://127.0.0.1:5173/', stop: () => server.close() };
}
