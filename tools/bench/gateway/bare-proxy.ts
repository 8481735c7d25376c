import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';

/**
 * This proxy is the lower bound for latency: it forwards calls to the provider (first argument) and returns the
 * responses unchanged; without keys or a ledger, and without storing anything. Prints its port.
 */
const [origin = ''] = process.argv.slice(2);
const pool = new Pool(origin, { pipelining: 1 });
const server = createServer((request, response) => {
  const { method, url: path = '/' } = request;
  const headers = { 'content-type': 'application/json' };
  void buffer(request)
    .then((body) => pool.request({ method: method === 'POST' ? 'POST' : 'GET', path, headers, body }))
    .then(({ statusCode, headers: answered, body }) => {
      response.writeHead(statusCode, { 'content-type': String(answered['content-type']) });
      body.pipe(response);
    })
    .catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
