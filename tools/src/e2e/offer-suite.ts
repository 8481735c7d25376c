import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '@steward/local-servers';
import { describeError } from '../describe-error.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { OUTSIDE_PORT_PATH, SHARED_SETTINGS, type OfferedSuite } from './shared-suite.ts';

/** Number of ports on which the suite may call servers of test files. */
const OUTSIDE_PORTS = 12;

/**
 * A process with one suite for all test files of a run that request it. The suite starts with the first request, so
 * that a run without such files has none, and ends with the run, even if the run is killed.
 */
let starting: Promise<Suite> | undefined;
const outside = await Promise.all(Array.from({ length: OUTSIDE_PORTS }, findFreePort));
const server = createServer((request, response) => {
  const answer = request.url === OUTSIDE_PORT_PATH ? handOutPort(response) : describeSuite(response);
  answer.catch((error: unknown) => response.writeHead(500).end(describeError(error)));
});

async function describeSuite(response: ServerResponse): Promise<void> {
  starting ??= start();
  const { url, database, logDirectory, workDirectory } = await starting;
  const offered: OfferedSuite = { url, databaseUrl: database.url, logDirectory, workDirectory };
  response.end(JSON.stringify(offered));
}

async function start(): Promise<Suite> {
  const origins = outside.map((port) => `http://127.0.0.1:${port}`).join(',');
  return startSuite({
    ...SHARED_SETTINGS,
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: origins,
    MCP_ALLOW_INSECURE_URLS: origins,
    TRACKER_ALLOW_INSECURE_URLS: origins,
  });
}

/** Hands out one of the ports to the file that requests it. */
async function handOutPort(response: ServerResponse): Promise<void> {
  // The addresses of all ports are settings of the suite.
  await (starting ??= start());
  const port = outside.pop();
  if (port === undefined) throw new Error('all ports were handed out: increase OUTSIDE_PORTS');
  response.end(JSON.stringify(port));
}

process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
  // A suite that failed to start has left no processes or files, and the files that requested it have reported the
  // failure.
  void starting?.then(
    (suite) => suite.stop(),
    () => undefined,
  );
});
// The terminal interrupts all processes at the same time, but this one still has to end its suite.
process.on('SIGINT', () => undefined);

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
