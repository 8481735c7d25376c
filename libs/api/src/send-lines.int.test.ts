import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { sendLines, type ReaderTimeouts } from './send-lines.ts';

const LONG = 3_600_000;

describe('a response of endless lines', () => {
  let server: Server;
  let client: Socket;
  afterEach(async () => {
    client.destroy();
    server.close();
    await once(server, 'close');
  });

  /**
   * Responds to one request with lines; `end` resolves when the server is done with it, and returns whether the lines
   * have stopped being generated.
   */
  async function serve(timeouts: ReaderTimeouts) {
    let isLetGo = false;
    async function* writeLines(): AsyncGenerator<string> {
      try {
        for (;;) yield await Promise.resolve(`${'x'.repeat(64 * 1024)}\n`);
      } finally {
        isLetGo = true;
      }
    }
    let done: Promise<void> | undefined;
    server = createServer((_request, response) => {
      done = sendLines(response, writeLines(), new AbortController().signal, timeouts);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server, 'request');
    return {
      end: async () => {
        await done;
        return isLetGo;
      },
    };
  }

  it('ends if the reader stops reading (LIM-60)', async () => {
    const answer = await serve({ stallMs: 100, totalMs: LONG });
    client.pause();
    expect(await answer.end()).toBe(true);
  });

  it('ends at the time limit if the reader continues to read (LIM-60)', async () => {
    const answer = await serve({ stallMs: LONG, totalMs: 100 });
    const closed = new Promise((resolve) => client.once('close', resolve));
    client.resume();
    expect(await answer.end()).toBe(true);
    await closed;
  });

  it('ends when the reader disconnects', async () => {
    const answer = await serve({ stallMs: LONG, totalMs: LONG });
    client.destroy();
    expect(await answer.end()).toBe(true);
  });
});
