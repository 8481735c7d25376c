import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { eventually } from '@steward/testing';
import { usePeople } from '../../testing/people-tests.ts';

const ANSWER = JSON.stringify({
  choices: [{ message: { content: 'ok' } }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
});

interface Connection {
  readonly closed: Promise<unknown>;
  calls: number;
}

const connections = new Map<Socket, Connection>();
let provider: Server;
let origin: string;
/** Responds to a call; `nth` is its number on its connection. */
let respond: (response: ServerResponse, nth: number) => void;
beforeAll(async () => {
  // Without a time limit of its own: its connections are closed as each test says.
  provider = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const connection = connections.get(request.socket) as Connection;
    connection.calls += 1;
    request.resume().on('end', () => respond(response, connection.calls));
  });
  provider.on('connection', (socket: Socket) => {
    connections.set(socket, { closed: once(socket, 'close'), calls: 0 });
  });
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  provider.closeAllConnections();
  await Promise.all(listConnections().map(({ closed }) => closed));
  connections.clear();
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});
const people = usePeople(() => ({ MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: origin }));

function listConnections(): Connection[] {
  return [...connections.values()];
}

function send(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(ANSWER);
}

/** Creates an account with a model of the provider. */
async function open() {
  const { accessToken: token } = await people.register();
  const prices = { input_per_mtok_usd: 1_000_000, output_per_mtok_usd: 1_000_000 };
  const model = { alias: 'm', provider: 'openai', base_url: origin, model_identifier: 'm', prices };
  expect((await people.call('POST', '/ai-models', token, model)).status).toBe(201);
  return {
    /** Returns the status and the number of attempts. */
    async ask(): Promise<[number, string | null]> {
      const response = await fetch(`${people.gateway().url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
      });
      await response.text();
      return [response.status, response.headers.get('x-service-attempts')];
    },
    async readCosts(count: number): Promise<unknown[]> {
      const read = async () => (await people.call('GET', '/usage', token)).body.items as { cost_usd: unknown }[];
      await eventually(async () => (await read()).length >= count);
      return (await read()).map(({ cost_usd: cost }) => cost);
    },
  };
}

describe('an idle connection to a provider (GW-7, GW-8)', () => {
  it('is used for the next call', async () => {
    respond = (response) => send(response);
    const { ask } = await open();
    for (let call = 0; call < 3; call += 1) expect(await ask()).toEqual([200, '1']);
    expect(listConnections()).toMatchObject([{ calls: 3 }]);
  });

  it('is not used after the provider closed it: the next call is sent once', async () => {
    respond = (response) => {
      const { socket } = response;
      response.once('finish', () => socket?.end());
      send(response);
    };
    const { ask, readCosts } = await open();
    for (let call = 0; call < 3; call += 1) {
      expect(await ask()).toEqual([200, '1']);
      await Promise.all(listConnections().map(({ closed }) => closed));
    }
    expect(listConnections()).toMatchObject([{ calls: 1 }, { calls: 1 }, { calls: 1 }]);
    expect(await readCosts(3)).toEqual([10, 10, 10]);
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes', (socket) => socket.destroy()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ])('that the provider %s while a call is sent is replaced, and the call is recorded once', async (_how, close) => {
    respond = (response, nth) => {
      if (nth > 1) close(response.socket as Socket);
      else send(response);
    };
    const { ask, readCosts } = await open();
    expect(await ask()).toEqual([200, '1']);
    expect(await ask()).toEqual([200, '2']);
    expect(listConnections()).toMatchObject([{ calls: 2 }, { calls: 1 }]);
    expect(await readCosts(2)).toEqual([10, 10]);
  });

  it('is closed two seconds before the time that the provider states', async () => {
    respond = (response) => send(response, { connection: 'keep-alive', 'keep-alive': 'timeout=3' });
    const { ask } = await open();
    expect(await ask()).toEqual([200, '1']);
    const [first] = listConnections();
    expect(first).toBeDefined();
    // The provider of this test never closes it.
    await first?.closed;
    expect(await ask()).toEqual([200, '1']);
    expect(listConnections()).toMatchObject([{ calls: 1 }, { calls: 1 }]);
  });
});
