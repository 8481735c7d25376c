import {
  connect as connectTcp,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createServer, type Server as HttpsServer } from 'node:https';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTestCertificates } from '@steward/testing';
import { createEgressProxy, type EgressProxy } from './egress-proxy.ts';

const HOST = 'api.example';
const SECRET = { host: HOST, header: 'Authorization', value: 'Bearer the-secret' };

/** The secret of a flow is sent only to its host, and to nothing else in the run (FLOW-49). */
describe('a request to a host with a secret', () => {
  const certificates = createTestCertificates();
  let upstream: HttpsServer;
  let door: Server;
  let proxy: EgressProxy;
  let dialled: string[];
  let asked: { url?: string | undefined; headers: Record<string, unknown>; body: string }[];
  const serve = async (server: Server | HttpsServer): Promise<number> => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  };
  let take: (socket: Socket) => void;
  let at: number;

  beforeAll(async () => {
    upstream = createServer(certificates.issue(HOST), (incoming, response) => {
      void text(incoming).then((body) => {
        asked.push({ url: incoming.url, headers: incoming.headers, body });
        response.writeHead(201, { 'x-answer': 'yes' }).end('answered');
      });
    });
    const port = await serve(upstream);
    door = createTcpServer((socket) => take(socket));
    at = await serve(door);
    proxy = createEgressProxy({
      secrets: [SECRET],
      certificateAuthority: certificates.authority,
      dial: ({ host, port: wanted }) => {
        dialled.push(`${host}:${wanted}`);
        return wanted === 443
          ? Promise.resolve(connectTcp(port, '127.0.0.1'))
          : Promise.reject(new Error('it is not in the flow’s network_allow'));
      },
    });
  });
  afterAll(() => {
    upstream.close();
    door.close();
  });
  beforeEach(() => {
    [dialled, asked] = [[], []];
    take = proxy.serve;
  });

  const send = (options: { path: string; headers?: Record<string, string>; body?: string }) =>
    new Promise<{ status: number | undefined; body: string; answer: unknown }>((resolve, reject) => {
      const { path, headers = {}, body = '' } = options;
      const agent = new Agent();
      const sent = request({ port: at, host: '127.0.0.1', method: 'POST', path, headers, agent }, (response) => {
        void text(response).then((said) =>
          resolve({ status: response.statusCode, body: said, answer: response.headers['x-answer'] }),
        );
      });
      sent.on('error', reject).end(body);
    });

  it.each([
    ['by its name', `/v1/x?y=1`, (socket: Socket) => proxy.connect(socket, { host: HOST, port: 80 })],
    ['by the proxy', `http://${HOST}/v1/x?y=1`, (socket: Socket) => proxy.serve(socket)],
  ])('receives it from the proxy, over HTTPS, whatever the program sent in its place: %s', async (_how, path, door) => {
    take = door;
    const headers = { authorization: 'Bearer placeholder', host: 'other.example', 'proxy-authorization': 'x' };
    expect(await send({ path, headers, body: 'words' })).toEqual({ status: 201, body: 'answered', answer: 'yes' });
    expect(dialled).toEqual([`${HOST}:443`]);
    expect(asked).toEqual([
      {
        url: '/v1/x?y=1',
        body: 'words',
        headers: expect.objectContaining({ authorization: 'Bearer the-secret', host: HOST }) as object,
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it.each(['http://other.example/', `http://${HOST}:8080/`, `http://a.${HOST}/`, `http://${HOST}.other.example/`])(
    'does not receive it for another host or port: %s',
    async (path) => {
      const { status, body } = await send({ path });
      expect([status, body]).toEqual([403, expect.stringContaining('it is not in the flow’s network_allow')]);
      expect(asked).toEqual([]);
    },
  );

  it('does not receive it if the certificate does not match the host', async () => {
    const strict = createEgressProxy({
      secrets: [SECRET],
      dial: () => Promise.resolve(connectTcp((upstream.address() as AddressInfo).port, '127.0.0.1')),
    });
    take = strict.serve;
    expect(await send({ path: `http://${HOST}/` })).toMatchObject({ status: 502 });
    expect(asked).toEqual([]);
  });

  it.each(['/', 'https://api.example/', 'ftp://api.example/', '*'])(
    'with an unsupported URL is refused: %s',
    async (path) => {
      expect(await send({ path })).toMatchObject({ status: 400 });
    },
  );
});
