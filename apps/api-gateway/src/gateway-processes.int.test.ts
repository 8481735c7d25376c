import { request } from 'node:http';
import { eventually, type AppProcess } from '@steward/testing';
import { usePeople } from './testing/people-tests.ts';
import { readStarted, startGatewayProcess } from './testing/start-gateway-process.ts';

const SIZE = 2;

const people = usePeople({});
const opened: AppProcess[] = [];
afterAll(() => Promise.all(opened.map((app) => app.kill())));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sends a request over a separate connection, so that any process of the group may get it. */
function ask(url: string, token?: string): Promise<{ status: number; text: string }> {
  return new Promise((settle, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = request(url, { agent: false, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => settle({ status: answer.statusCode ?? 0, text })).on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

/** Starts a gateway of several processes. */
async function startGroup() {
  const gateway = await startGatewayProcess(people, { GATEWAY_PROCESSES: String(SIZE) });
  const { app, started } = gateway;
  opened.push(app);
  const url = `${gateway.url}/api/v1`;
  const healthUrl = `http://127.0.0.1:${started.health_port}`;
  return {
    app,
    healthUrl,
    listStarted: () => readStarted(app, 'process.started'),
    askAll: (token?: string) =>
      Promise.all(Array.from({ length: 4 * SIZE }, async () => (await ask(`${url}/users/me`, token)).status)),
    /** Returns how many requests each process answered, as reported by the first process. */
    async countAnswers(): Promise<ReadonlyMap<string, number>> {
      const { text } = await ask(`${healthUrl}/metrics`);
      const counts = new Map<string, number>();
      for (const line of text.split('\n')) {
        const number = /^steward_http_request_duration_seconds_count\{.*process="(\d+)"/.exec(line)?.[1];
        if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + Number(line.split(' ').at(-1)));
      }
      return counts;
    },
  };
}

const repeat = (status: number) => Array.from({ length: 4 * SIZE }, () => status);

describe('a gateway of several processes (PROC-19)', () => {
  let group: Awaited<ReturnType<typeof startGroup>>;
  beforeAll(async () => {
    group = await startGroup();
  });

  it('shares one port between all processes, and each applies a change from its next request on', async () => {
    const owner = await people.register();
    const { body } = await people.call('POST', '/auth/api-keys', owner.accessToken, { name: 'of all processes' });
    expect(await group.askAll(body.key)).toEqual(repeat(200));
    expect([...(await group.countAnswers()).keys()].sort()).toEqual(['1', '2']);
    expect((await people.call('DELETE', `/auth/api-keys/${body.id}`, owner.accessToken)).status).toBeLessThan(300);
    expect(await group.askAll(body.key)).toEqual(repeat(401));
  });

  it('continues to serve requests while one of them is killed and replaced', async () => {
    const owner = await people.register();
    const [killed] = group.listStarted();
    if (killed === undefined) throw new Error('no process has started');
    process.kill(killed.pid, 'SIGKILL');
    await eventually(() => !isAlive(killed.pid));
    expect(await group.askAll(owner.accessToken)).toEqual(repeat(200));
    expect((await ask(`${group.healthUrl}/readyz`)).status).toBe(200);
    const replacing = await eventually(() =>
      group.listStarted().find(({ pid, process: number }) => number === killed.process && pid !== killed.pid),
    );
    expect(isAlive(replacing.pid)).toBe(true);
    expect(await group.askAll(owner.accessToken)).toEqual(repeat(200));
    const health = await ask(`${group.healthUrl}/api/v1/health`);
    expect(JSON.parse(health.text)).toMatchObject({ status: 'healthy' });
  });

  it('stops all processes when it is told to stop, and when its first process is killed', async () => {
    const stopped = await startGroup();
    const pids = stopped.listStarted().map(({ pid }) => pid);
    process.kill(stopped.app.pid, 'SIGTERM');
    await eventually(() => stopped.app.readOutput().includes('"service.stopped"'));
    await eventually(() => [stopped.app.pid, ...pids].every((pid) => !isAlive(pid)));
    expect(stopped.app.readOutput()).not.toContain('"process.ended"');

    const killed = await startGroup();
    const orphans = killed.listStarted().map(({ pid }) => pid);
    await killed.app.kill();
    await eventually(() => orphans.every((pid) => !isAlive(pid)));
  });
});
