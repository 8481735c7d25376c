import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readClockMs } from '../../statistics.ts';
import { WARM_UP_SHARE, type Arrival, type SinkAnswer, type SinkCommand, type SinkSample } from '../sink-messages.ts';

/**
 * Delay of the path `slow`. The receiver of all contenders is a separate process that records the event id and the time
 * of each request. The first segment of the path determines the behavior: `ok`, `fail` (500), `slow` (9 s), `never`
 * (accepts the request, never responds).
 */
const SLOW_MS = 9000;
let arrivals: Arrival[] = [];
let healthy = new Set<string>();
let expected = Number.POSITIVE_INFINITY;
let sample: SinkSample | undefined;

const server = createServer((request, response) => {
  const at = readClockMs();
  const path = request.url ?? '/';
  const key = `${path} ${String(request.headers['x-service-event-id'])}`;
  if (sample === undefined) keepSample(request);
  request.resume();
  request.once('end', () => {
    arrivals.push([key, at]);
    answer(path, response);
    if (!path.startsWith('/ok')) return;
    healthy.add(key);
    if (healthy.size === Math.floor(expected * WARM_UP_SHARE)) tell({ kind: 'warmed_up' });
    if (healthy.size === expected) tell({ kind: 'all_arrived' });
  });
});
server.keepAliveTimeout = 60_000;

function answer(path: string, response: ServerResponse): void {
  if (path.startsWith('/never')) return;
  if (path.startsWith('/slow')) return void setTimeout(() => response.end(), SLOW_MS);
  response.writeHead(path.startsWith('/fail') ? 500 : 200).end();
}

/**
 * Keeps one complete request per run, to be verified: a contender that does not sign would make the comparison unfair.
 */
function keepSample(request: IncomingMessage): void {
  const parts: Buffer[] = [];
  sample = { headers: request.headers, body: '' };
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => {
    sample = { headers: request.headers, body: Buffer.concat(parts).toString('utf8') };
  });
}

function tell(answer: SinkAnswer): void {
  process.send?.(answer);
}

process.on('message', (command: SinkCommand) => {
  if (command.kind === 'report') return tell({ kind: 'report', arrivals, sample });
  arrivals = [];
  healthy = new Set();
  sample = undefined;
  expected = command.expected;
  tell({ kind: 'ready' });
});
process.once('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', () => {
  tell({ kind: 'listening', port: (server.address() as AddressInfo).port });
});
