import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { describeServer, findServer, SERVERS_PATH, type Server } from './mcp.ts';

export interface ConnectOptions {
  readonly clientId?: string;
  readonly clientSecretEnv?: string;
  readonly scope?: string;
  readonly port?: number;
}

/** Time for which the service stores a login that is in progress. */
const WAIT_MS = 15 * 60_000;
const CALLBACK = '/callback';

/**
 * Runs `steward mcp connect`: the user logs in with a browser on this machine, which then redirects to this process.
 */
export async function runMcpConnect(context: CliContext, wanted: string, options: ConnectOptions): Promise<void> {
  const client = createApiClient(context);
  const { id, name } = await findServer(client, wanted);
  const secret = readSecret(context, options.clientSecretEnv);
  const callback = await listenForCallback(options.port ?? 0);
  try {
    const body = {
      redirect_uri: callback.url,
      ...(options.clientId === undefined ? {} : { client_id: options.clientId }),
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...(options.scope === undefined ? {} : { scope: options.scope }),
    };
    const begun = await client.call('POST', `${SERVERS_PATH}/${id}/oauth/connect`, { body });
    context.output.note(`Open this page in a browser on this machine to connect ${name}:`);
    context.output.line(cleanText(String(begun.body['authorization_url'])));
    const answer = await callback.wait(AbortSignal.any([context.signal, AbortSignal.timeout(WAIT_MS)]));
    const finished = await client.call('POST', `${SERVERS_PATH}/${id}/oauth/finish`, { body: answer });
    context.output.line(describeServer(finished.body as unknown as Server));
  } finally {
    await callback.close();
  }
}

/** Runs `steward mcp disconnect`. */
export async function runMcpDisconnect(context: CliContext, wanted: string): Promise<void> {
  const client = createApiClient(context);
  const { id, name } = await findServer(client, wanted);
  await client.call('DELETE', `${SERVERS_PATH}/${id}/oauth`);
  context.output.note(`${name} is not connected any more`);
}

/**
 * Reads a secret from an environment variable. The value itself would be visible to other users of the machine in the
 * process list.
 */
function readSecret({ env }: CliContext, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const value = env[variable];
  if (value === undefined || value === '') throw refuse(`The environment variable ${variable} is not set.`);
  return value;
}

type Callback = Readonly<Record<'state' | 'code' | 'iss' | 'error', string>>;

/** Listens for the redirect from an authorization server, only on this machine. */
async function listenForCallback(port: number) {
  let hear: (answer: Partial<Callback>) => void = () => undefined;
  const answered = new Promise<Partial<Callback>>((resolve) => (hear = resolve));
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const isAnswer = pathname === CALLBACK && searchParams.has('state');
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(
      isAnswer ? 'You may close this page and go back to the terminal.\n' : 'There is no page at this address.\n',
    );
    if (isAnswer) hear(pick(searchParams));
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`,
    wait: (signal: AbortSignal) =>
      Promise.race([
        answered,
        new Promise<never>((_resolve, reject) => {
          const give = (): void => reject(refuse('The login was not completed in time.'));
          if (signal.aborted) give();
          signal.addEventListener('abort', give, { once: true });
        }),
      ]),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pick(query: URLSearchParams): Partial<Callback> {
  const names = ['state', 'code', 'iss', 'error'] as const;
  return Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));
}

function listen(server: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(refuse(`The port ${port} of this machine is in use or cannot be opened.`)));
    server.listen(port, '127.0.0.1', resolve);
  });
}
