import { spawn } from 'node:child_process';
import { lookup as systemLookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readAllowedDestination, type AllowedDestination } from '@steward/flows';
import { text } from 'node:stream/consumers';
import { openRunNetwork, type NetworkOptions, type RunNetwork } from './run-network.ts';

/** Addresses that the DNS server of these tests returns, by name. */
const NAMES: Readonly<Record<string, string>> = {
  'service.example': '127.0.0.1',
  'a.wild.example': '127.0.0.1',
  'metadata.example': '169.254.169.254',
  'private.example': '10.1.2.3',
};

/** The network of a run, entered as the runner enters it, for every user of the worker (EXEC-26). */
describe('the network of a run', () => {
  let server: Server;
  let network: RunNetwork | undefined;
  let notes: string[];
  beforeAll(async () => {
    server = createServer((request, response) => response.end(`${request.headers.host} was asked`));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => void server.close());
  beforeEach(() => (notes = []));
  afterEach(() => network?.close());
  const port = (): number => (server.address() as AddressInfo).port;

  const open = async (entries: readonly string[], options: Partial<NetworkOptions> = {}): Promise<RunNetwork> =>
    (network = await openRunNetwork(
      {
        api: undefined,
        operator: [],
        privateCidrs: ['127.0.0.0/8'],
        endpoints: [],
        resolve: (name, lookupOptions, callback) => {
          const address = NAMES[name];
          if (address === undefined) systemLookup(name, lookupOptions, callback);
          else callback(null, [{ address, family: 4 }]);
        },
        ...options,
      },
      {
        flow: entries.map((entry) => readAllowedDestination(entry) as AllowedDestination),
        repository: undefined,
        secrets: [],
        note: (line) => void notes.push(line),
      },
      false,
    ));

  const runInside = async (opened: RunNetwork, script: string): Promise<string> => {
    const child = spawn('nsenter', ['--net=/proc/self/fd/4', 'bash', '-c', script], {
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', opened.files.network],
    });
    return child.stdout === null ? '' : text(child.stdout);
  };
  const ask = (address: string, at: number, path = '/', host = 'service.example'): string =>
    `exec 3<>/dev/tcp/${address}/${at} && printf 'GET ${path} HTTP/1.0\\r\\nHost: ${host}\\r\\n\\r\\n' >&3 && timeout 5 cat <&3`;

  it('has an address for each name, for programs without proxy support', async () => {
    const opened = await open([`service.example:${port()}`]);
    expect(opened.hosts).toBe('127.1.1.1 service.example\n');
    expect(await runInside(opened, ask('127.1.1.1', port()))).toContain('service.example was asked');
    expect(notes).toEqual([`connected to service.example:${port()}`]);
  });

  it('reaches the hosts of a wildcard through its proxy, with and without a tunnel', async () => {
    const opened = await open([`*.wild.example:${port()}`]);
    const plain = await runInside(opened, ask('127.1.0.1', 3128, `http://a.wild.example:${port()}/`, 'other'));
    expect(plain).toContain(`a.wild.example:${port()} was asked`);
    const tunnel = `exec 3<>/dev/tcp/127.1.0.1/3128; printf 'CONNECT a.wild.example:${port()} HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\nHost: h\\r\\n\\r\\n' >&3; timeout 5 cat <&3`;
    expect(await runInside(opened, tunnel)).toMatch(/200 Connection Established[^]*h was asked/);
    expect(await runInside(opened, ask('127.1.0.1', 3128, `http://service.example:${port()}/`))).toContain('403');
  });

  it.each([
    ['metadata.example', 'its address is link-local'],
    ['private.example', 'its address is private'],
    ['10.9.9.9', 'its address is private'],
    ['169.254.169.254', 'its address is link-local'],
    ['[::ffff:a9fe:a9fe]', 'its address is link-local'],
    ['[fd00:ec2::254]', 'its address is private'],
    ['0.0.0.0', 'its address is reserved'],
  ])('does not reach %s, whatever the flow names', async (host, reason) => {
    const opened = await open([host], { operator: [readAllowedDestination('*') as AllowedDestination] });
    expect(await runInside(opened, ask('127.1.0.1', 3128, `http://${host}/`))).toContain(reason);
    expect(notes).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'service.example',
  ])('does not reach the database of the service: %s', async (host) => {
    const endpoints = [{ host: undefined, port: port(), what: 'database' }];
    const opened = await open([`*:${port()}`], {
      endpoints,
      operator: [readAllowedDestination(`127.0.0.1:${port()}`) as AllowedDestination],
    });
    const said = await runInside(opened, ask('127.1.0.1', 3128, `http://${host}:${port()}/`));
    expect(said).toContain('database of the service');
  });

  it('ends with the run: open connections are closed, and new connections are refused', async () => {
    const opened = await open([`service.example:${port()}`]);
    const ended = runInside(
      opened,
      `exec 3<>/dev/tcp/127.1.1.1/${port()}; echo open; cat <&3; ${ask('127.1.1.1', port())}; true`,
    );
    await new Promise<void>((done) => server.once('connection', () => done()));
    opened.close();
    expect(await ended).toBe('open\n');
  });

  it('is not reachable from outside', async () => {
    await open([`service.example:${port()}`]);
    const error = await new Promise((done) => connect(3128, '127.1.0.1').once('error', done).once('connect', done));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
