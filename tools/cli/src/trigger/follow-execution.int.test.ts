import type { ServerResponse } from 'node:http';
import { TIMEOUT_MS, startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';
import { createKeyClient } from '../api/api-client.ts';
import { createOutput } from '../output.ts';
import { followExecution } from './follow-execution.ts';

const ID = '0190b5a4-0000-7000-8000-000000000000';
const execution = (status: string) => JSON.stringify({ id: ID, status });
const event = (text: string, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: log\ndata: ${JSON.stringify({ id: 'block', text })}\n\n`;
const end = 'event: end\ndata: {"status":"SUCCEEDED"}\n\n';

/**
 * Imitates the service: the logs route sends one script per connection, and the execution ends with the last script.
 */
describe('following an execution', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function follow(connections: readonly ((request: ReceivedRequest, response: ServerResponse) => void)[]) {
    let opened = 0;
    service = await startHttpReceiver((request, response) => {
      if (!request.path.includes('/logs')) {
        response.end(execution(opened < connections.length ? 'RUNNING' : 'SUCCEEDED'));
        return;
      }
      if (!request.path.includes('follow')) {
        const items = [{ id: 'block', text: 'one\ntwo\nthree' }];
        response.end(JSON.stringify({ items, next_cursor: null }));
        return;
      }
      opened += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      connections[opened - 1]?.(request, response);
    });
    const sink = { write: () => undefined };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const output = createOutput({ stdout: sink, stderr: sink, env: {} });
    const client = createKeyClient({ env: {}, output, signal }, service.url, 'a-key-for-tests');
    const lines: string[] = [];
    const { status } = await followExecution(client, ID, { signal, onLine: ({ text }) => void lines.push(text) });
    return { status, lines };
  }

  it('prints every line once if the connection breaks within a block of lines', async () => {
    const positions: unknown[] = [];
    const { status, lines } = await follow([
      (request, response) => {
        positions.push(request.headers['last-event-id']);
        response.write(event('zero', 'first'));
        response.write(event('one'), () => response.destroy());
      },
      (request, response) => {
        positions.push(request.headers['last-event-id']);
        response.end(event('zero') + event('one') + event('two', 'second') + end);
      },
    ]);
    expect([status, lines]).toEqual(['SUCCEEDED', ['zero', 'one', 'two']]);
    expect(positions).toEqual([undefined, 'first']);
  });

  it('accepts a block of several lines, and reads the lines missing from a broken stream', async () => {
    const { lines } = await follow([
      (_request, response) => void response.write(event('one\ntwo'), () => response.destroy()),
    ]);
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  it('ends if the service refuses the request, instead of retrying forever', async () => {
    service = await startHttpReceiver((_request, response) => {
      response.writeHead(404).end(JSON.stringify({ detail: { code: 'not_found', message: 'No such thing.' } }));
    });
    const sink = { write: () => undefined };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const output = createOutput({ stdout: sink, stderr: sink, env: {} });
    const client = createKeyClient({ env: {}, output, signal }, service.url, 'a-key-for-tests');
    const following = followExecution(client, ID, { signal, onLine: () => undefined });
    await expect(following).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('not_found') });
  });
});
