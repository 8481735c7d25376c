import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeError } from '../describe-error.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { SHARED_SETTINGS, type OfferedSuite } from './shared-suite.ts';

/**
 * A process with one suite for all test files of a run that request it. The suite starts with the first request, so
 * that a run without such files has none, and ends with the run, even if the run is killed.
 */
let starting: Promise<Suite> | undefined;
const server = createServer((_request, response) => {
  starting ??= startSuite(SHARED_SETTINGS);
  starting.then(
    ({ url, database, logDirectory, workDirectory }) => {
      const offered: OfferedSuite = { url, databaseUrl: database.url, logDirectory, workDirectory };
      response.end(JSON.stringify(offered));
    },
    (error: unknown) => response.writeHead(500).end(describeError(error)),
  );
});

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
