import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { SESSIONS_PATH } from './sessions.ts';

export interface SessionsOpenOptions {
  readonly print?: boolean;
}

/** Runs `steward sessions open`: prints the link of a session and, in a terminal, opens it in the browser. */
export async function runSessionsOpen(context: CliContext, id: string, { print }: SessionsOpenOptions): Promise<void> {
  const { body } = await createApiClient(context).call('GET', `${SESSIONS_PATH}/${encodeURIComponent(id)}`);
  const url = readLink(body['url']);
  context.output.line(url);
  const { BROWSER } = context.env;
  if (print === true || (BROWSER === undefined && context.stdin.isTTY !== true)) return;
  const [program, ...args] = BROWSER === undefined ? listOpener(process.platform) : [BROWSER];
  try {
    const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    await once(opener, 'spawn');
    opener.unref();
  } catch {
    context.output.note(`${cleanText(program)} could not be started; open the URL yourself`);
  }
}

/**
 * Returns the link if it is a URL: the service supplies the link, and the programs that open it also accept files and
 * programs.
 */
function readLink(url: unknown): string {
  if (typeof url !== 'string') {
    throw refuse(
      'The service has no public URL: PUBLIC_URL is not set there. Read the session with: steward sessions show',
    );
  }
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: '', href: '' };
  if (protocol !== 'https:' && protocol !== 'http:') throw refuse('The session link of the service is not a web URL.');
  return href;
}

/** Returns the command that opens a URL. No shell is used, so that text in the URL cannot become a command. */
function listOpener(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
