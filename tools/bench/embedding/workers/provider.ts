import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readClockMs } from '../../statistics.ts';
import type { ProviderAnswer, ProviderCommand } from '../worker-messages.ts';

/**
 * Number of vectors that the provider creates. The provider, a separate process, responds to every call after a fixed
 * time, at any concurrency, and counts the pending calls.
 */
const VECTORS = 64;
let delayMs = 0;
let vectors: readonly string[] = [];
let calls = 0;
let inputs = 0;
let inFlight = 0;
let maxInFlight = 0;
let firstAt = 0;
let lastAt = 0;
/** Integral of the pending calls over time, up to `changedAt`. */
let area = 0;
let changedAt = 0;

function count(change: 1 | -1): void {
  const now = readClockMs();
  area += inFlight * (now - changedAt);
  changedAt = now;
  inFlight += change;
  maxInFlight = Math.max(maxInFlight, inFlight);
  if (change === 1) firstAt ||= now;
  else lastAt = now;
}

const server = createServer((request, response) => {
  count(1);
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => {
    setTimeout(() => answer(Buffer.concat(parts), response), delayMs);
  });
});
server.keepAliveTimeout = 60_000;

function answer(body: Buffer, response: ServerResponse): void {
  const { input } = JSON.parse(body.toString()) as { readonly input: readonly string[] };
  calls += 1;
  inputs += input.length;
  const data = input.map(
    (_text, index) => `{"index":${index},"embedding":"${vectors[(inputs + index) % VECTORS] ?? ''}"}`,
  );
  const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`{"data":[${data.join(',')}],"usage":{"prompt_tokens":${tokens}}}`);
  count(-1);
}

function makeVectors(width: number): string[] {
  return Array.from({ length: VECTORS }, () => {
    const numbers = Float32Array.from({ length: width }, () => Math.random() - 0.5);
    return Buffer.from(numbers.buffer).toString('base64');
  });
}

function tell(message: ProviderAnswer): void {
  process.send?.(message);
}

process.on('message', (command: ProviderCommand) => {
  if (command.kind === 'report') {
    const durationMs = lastAt - firstAt;
    const meanInFlight = area / durationMs;
    return tell({ kind: 'report', figures: { calls, inputs, durationMs, meanInFlight, maxInFlight, firstAt } });
  }
  delayMs = command.delayMs;
  vectors = makeVectors(command.width);
  [calls, inputs, maxInFlight, firstAt, lastAt, area, changedAt] = [0, 0, 0, 0, 0, 0, readClockMs()];
  tell({ kind: 'ready' });
});
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => tell({ kind: 'listening', port: (server.address() as AddressInfo).port }));
