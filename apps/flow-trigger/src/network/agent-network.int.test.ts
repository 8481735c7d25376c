import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ExecutionRow, FlowFields } from '@steward/flows';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

/** Requests a page from an address; bash can do this without another program. */
const ASK = `ask() { (exec 3<>/dev/tcp/$1/$2 && printf 'GET %s HTTP/1.0\\r\\nHost: h\\r\\n\\r\\n' "$3" >&3 && timeout 5 cat <&3) 2>&1; }`;
const PROXY = 'proxy() { ask 127.1.0.1 3128 "$1"; }';

/** Tests which network addresses an agent reaches (EXEC-26). */
describe('an agent', () => {
  let worker: TestWorker;
  let [api, service]: Server[] = [];
  let repositories: string;
  const listen = async (say: string, host = '127.0.0.1'): Promise<Server> => {
    const server = createServer((request, response) => {
      try {
        response.end(
          request.url === '/' ? say : readFileSync(join(repositories, new URL(request.url ?? '', 'http://h').pathname)),
        );
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, host, done));
    return server;
  };
  const portOf = (server: Server | undefined): number => (server?.address() as AddressInfo).port;

  beforeAll(async () => {
    repositories = mkdtempSync(resolve(tmpdir(), 'steward-repositories-'));
    api = await listen('this is the api');
    // Listens on every address of the machine, to simulate a host in the same network.
    service = await listen('this is a service', '0.0.0.0');
    worker = await startTestWorker({ FLOW_AGENT_API_URL: `http://127.0.0.1:${portOf(api)}`, FLOW_NETWORK: 'isolated' });
  });
  afterAll(async () => {
    await worker.stop();
    api?.close();
    service?.close();
    rmSync(repositories, { recursive: true });
  });

  const run = async (script: string, fields: Partial<FlowFields> = {}): Promise<ExecutionRow & { log: string }> => {
    const command = ['bash', '-c', `${ASK}\n${PROXY}\n${script}`];
    const flow = await worker.createFlow('', { ...fields, agent_config: { command } });
    const ended = await worker.waitForEnd((await worker.trigger(flow)).id);
    return { ...ended, log: await worker.readLog(ended) };
  };

  it('cannot reach the database, the broker, the worker, its machine, or the metadata service of a cloud', async () => {
    const { port: database } = new URL(worker.databaseUrl);
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = ['127.0.0.1', ...own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)];
    const targets = [
      ...addresses.flatMap((address) => [`${address} ${portOf(service)}`, `${address} ${database}`]),
      '127.0.0.1 4222',
      '169.254.169.254 80',
      '192.0.2.1 443',
    ];
    const { log, status } = await run(
      `${targets.map((target) => `ask ${target} / && echo reached`).join('\n')}
       for target in ${targets.map((target) => target.replace(' ', ':')).join(' ')}; do proxy http://$target/; done
       cat /proc/net/route | wc -l | sed 's/^/routes /'; true`,
      { network_allow: ['*', `*:${database}`, `*:${portOf(service)}`] },
    );
    expect(status).toBe('SUCCEEDED');
    expect(log).not.toContain('this is a service');
    expect(log).not.toContain('reached');
    expect(log).toContain('routes 1');
    for (const target of targets) expect(log).toContain(`no connection to ${target.replace(' ', ':')}: `);
  });

  it('reaches the API, directly and through a proxy, but nothing else if its flow allows nothing', async () => {
    const { log } = await run(
      `ask 127.0.0.1 ${portOf(api)} /; proxy http://127.0.0.1:${portOf(api)}/; proxy http://127.0.0.1:${portOf(service)}/; echo "$STEWARD_API_URL $HTTPS_PROXY"`,
    );
    expect(log.match(/this is the api/g)).toHaveLength(2);
    expect(log).toContain(`connected to 127.0.0.1:${portOf(api)}`);
    expect(log).toContain('403 Forbidden');
    expect(log).toContain(`no connection to 127.0.0.1:${portOf(service)}: it is not in the flow’s network_allow`);
    expect(log).toContain(`http://127.0.0.1:${portOf(api)} http://127.1.0.1:3128`);
  });

  it('has a network that is not shared with another run or the worker', async () => {
    const runs = await Promise.all([run('readlink /proc/self/ns/net'), run('readlink /proc/self/ns/net')]);
    const networks = runs.map(({ log }) => /net:\[\d+\]/.exec(log)?.[0]);
    expect(new Set([...networks, readlinkSync('/proc/self/ns/net')]).size).toBe(3);
  });

  it('cannot keep its network open through a file descriptor, and cannot change its network', async () => {
    const { log } = await run(
      'ls -l /proc/self/fd; ip link add dummy0 type dummy 2>&1; ip route add default dev lo 2>&1',
    );
    expect(log).not.toMatch(/-> net:\[|-> user:\[/);
    expect(log).not.toMatch(/^\s*[45] -> /m);
  });

  it('gets a clone of its repository, although it cannot reach the repository’s server', async () => {
    execFileSync(
      'sh',
      [
        '-ec',
        'git init -q w && cd w && git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git clone -q --bare . ../of.git && cd ../of.git && git update-server-info',
      ],
      { cwd: repositories },
    );
    const url = `http://127.0.0.1:${portOf(service)}/of.git`;
    const { log, status } = await run(`git log --oneline | cat; git ls-remote ${url}; true`, {
      git_clone_config: { repository_url: url },
    });
    expect(status).toBe('SUCCEEDED');
    expect(log).toContain(' first');
    expect(log).toContain(`connected to 127.0.0.1:${portOf(service)}`);
    expect(log).toContain(`no connection to 127.0.0.1:${portOf(service)}: it is not in the flow’s network_allow`);
  });

  it('reaches hosts that the operator allows, and private hosts that both operator and flow name', async () => {
    await worker.replaceWorker({
      FLOW_NETWORK_ALLOW: `127.0.0.1:${portOf(service)}`,
      FLOW_NETWORK_PRIVATE_CIDRS: '127.0.0.0/8',
    });
    const { port: database } = new URL(worker.databaseUrl);
    const { log } = await run(
      `ask 127.0.0.1 ${portOf(service)} /; proxy http://127.0.0.1:${portOf(api)}/; proxy http://127.0.0.1:${database}/`,
      { network_allow: [`127.0.0.1:${portOf(api)}`, `127.0.0.1:${database}`] },
    );
    expect(log).toContain('this is a service');
    expect(log).toContain('this is the api');
    expect(log).toContain(`no connection to 127.0.0.1:${database}: it is the database of the service`);
  });

  it('gets a warning about settings that are not applied; a secret that would not be sent ends the run', async () => {
    await worker.replaceWorker({ FLOW_NETWORK: 'shared' });
    const shared = await run('readlink /proc/self/ns/net');
    expect(shared.log).toContain(readlinkSync('/proc/self/ns/net'));
    expect(shared.log).toContain('network_allow is not enforced');
    const secret = { host: 'api.example.com', header: 'authorization', value: 'Bearer x' };
    const ended = await run('true', { network_secrets: [secret] });
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'setup_failed']);
    expect(ended.error_message).toContain('network_secrets cannot be used');
  });
});
