import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { eventually, findProcesses, releaseAfterAll, sizeCampaign, scaleLimit } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { connectClient } from '../servers/connect-client.ts';
import { APPS } from '../workspace.ts';
import { createHook, type Hook } from './create-hook.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';

/** Time limit for six restarts and the runs, which take minutes on a busy machine. */
const TIMEOUT_MS = scaleLimit(300_000);
const TRIGGERS = sizeCampaign({ daily: 60, full: 120 });
const POSTERS = 6;
/** Processes that are killed while triggers are sent, each during a share of its own. */
const KILLED = ['flow-trigger', 'api-gateway', 'flow-trigger', 'api-gateway'] as const;
const SHARE = TRIGGERS / KILLED.length;

describe('flows across crashes', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let api: Api;
  let database: pg.Client;

  beforeAll(async () => {
    suite = await startSuite({
      LOG_LEVEL: 'debug',
      // Leases of a killed worker have to expire, but a worker on a busy machine must keep its own leases.
      FLOW_LEASE_SECONDS: '15',
      FLOW_RECONCILE_SECONDS: '1',
      FLOW_CONCURRENCY: '8',
      FLOW_ACCOUNT_CONCURRENCY: '8',
      FLOW_TRIGGER_RATE_PER_MINUTE: '100000',
    });
    release(suite.stop);
    database = await connectClient(suite.database.url);
    release(() => database.end());
    ({ api } = await registerOwner(suite.api, 'flows'));
  }, TIMEOUT_MS);

  const createFlow = (name: string, command: string): Promise<Hook> =>
    createHook(api, { name, prompt: '{{trigger_event}}', command });

  /** Counts the runs that an agent logged. */
  async function countRuns(executionId: string): Promise<number> {
    const { body } = await api.call('GET', `/api/v1/flows/executions/${executionId}/logs`);
    return JSON.stringify(body).split(`ran ${executionId}`).length - 1;
  }

  /** Sends a trigger as a CI job does: retries with the same key until it is accepted. */
  async function postUntilAccepted(hook: Hook, key: string): Promise<string> {
    for (;;) {
      try {
        const answer = await suite.api.call('POST', hook.path, { body: { key }, headers: { 'idempotency-key': key } });
        if (answer.status === 202) return String(answer.body.execution_id);
      } catch {
        // The gateway is unavailable, possibly after it has committed the trigger.
      }
      await delay(50);
    }
  }

  it(
    'every accepted trigger ends, no execution runs or is created twice, regardless of which process is killed',
    async () => {
      const hook = await createFlow('crashed', 'echo "ran $STEWARD_EXECUTION_ID"; sleep 0.1');
      let next = 0;
      let allowed = SHARE;
      const accepted = new Map<string, string>();
      let onAccepted = (): void => undefined;
      const posting = Promise.all(
        Array.from({ length: POSTERS }, async () => {
          while (next < TRIGGERS) {
            if (next >= allowed) await delay(10);
            else {
              const key = `key-${(next += 1)}`;
              accepted.set(key, await postUntilAccepted(hook, key));
              onAccepted();
            }
          }
        }),
      );
      for (const [index, app] of KILLED.entries()) {
        // It is killed at the end of a response, while the other posters wait for theirs.
        const enough = SHARE * index + SHARE / 3;
        const reached = Promise.withResolvers<void>();
        onAccepted = () => {
          if (accepted.size >= enough) reached.resolve();
        };
        await reached.promise;
        await suite.crash(app);
        allowed += SHARE;
      }
      await posting;
      expect(accepted.size).toBeGreaterThanOrEqual(TRIGGERS);

      // One after another: beyond the limit of waiting requests, each would be refused and repeated every second.
      for (const id of accepted.values()) {
        const body = await readEnd(api, id);
        const count = await countRuns(String(body.id));
        if (body.status === 'SUCCEEDED') expect([body.id, count]).toEqual([body.id, 1]);
        else
          expect([body.status, body.failure_category, count <= 1, body.error_message]).toEqual([
            'FAILED',
            'runner_error',
            true,
            expect.anything(),
          ]);
      }
      const rows = await database.query('select count(*)::int as made from flows.execution where flow_id = $1', [
        hook.id,
      ]);
      expect((rows.rows[0] as { made: number }).made).toBe(new Set(accepted.keys()).size);
      expect(new Set(accepted.values()).size).toBe(accepted.size);
    },
    TIMEOUT_MS,
  );

  it(
    'a killed worker takes its agents with it, and its execution ends with runner_error',
    async () => {
      const mark = `500.${process.pid}`;
      // These are the two ways in which a child can leave the process group of the worker's child.
      const hook = await createFlow('long', `sleep ${mark} & setsid sleep ${mark} & wait`);
      const executionId = await postUntilAccepted(hook, 'long');
      await eventually(() => findProcesses(`sleep\0${mark}`).length === 2);
      await suite.crash('flow-trigger');
      await eventually(() => findProcesses(`sleep\0${mark}`).length === 0);
      const ended = await readEnd(api, executionId);
      expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'runner_error']);
      await eventually(() => !existsSync(resolve(suite.workDirectory, executionId)));
    },
    TIMEOUT_MS,
  );

  it(
    'a flow’s secret appears in no log, metric, error body or row, and only in responses that are meant to return it',
    async () => {
      const hook = await createFlow('canary', 'env; cat "$STEWARD_PROMPT_FILE"');
      const texts: string[] = [];
      const send = async (path: string, init: RequestInit): Promise<number> => {
        const response = await fetch(`${suite.url}${path}`, init);
        texts.push(JSON.stringify([...response.headers]), await response.text());
        return response.status;
      };
      const headers = { 'content-type': 'application/json', referer: `${suite.url}${hook.path}` };
      const post = (path: string, body: string, more: Record<string, string> = {}) =>
        send(path, { method: 'POST', headers: { ...headers, ...more }, body });
      expect(await post(hook.path, '{"a":1}', { 'idempotency-key': 'canary' })).toBe(202);
      expect(await post(hook.path, '{"a":2}', { 'idempotency-key': 'canary' })).toBe(409);
      expect(await post(`/api/v1${hook.path}`, '{')).toBe(400);
      expect(await post(hook.path, '{}', { 'content-type': 'text/plain' })).toBe(415);
      expect(await post(hook.path, `"${'x'.repeat(5_000_000)}"`)).toBe(413);
      expect(await post(hook.path, '{"workspace_files":[{"path":"../x","content_base64":""}]}')).toBe(400);
      expect(await send(hook.path, { headers })).toBe(405);
      for (const path of [`${hook.path}/more`, `${hook.path}x`, `${hook.path}%zz`, `/flows/${hook.secret}`])
        expect(await post(path, '{}')).toBeGreaterThanOrEqual(400);
      await post(`${hook.path}?token=${hook.secret}`, '{}');
      texts.push(await exchange(suite.url, `POST ${hook.path} HTTP/9.9\r\n\r\n`));
      texts.push(
        await exchange(suite.url, `POST ${hook.path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: nonsense\r\n\r\n`),
      );

      const list = await api.call('GET', `/api/v1/flows/executions?flow_id=${hook.id}`);
      for (const { id } of list.body.items as unknown as { id: string }[]) {
        const ended = await readEnd(api, id);
        expect(ended.status).toBe('SUCCEEDED');
        texts.push(JSON.stringify(ended));
        texts.push(JSON.stringify((await api.call('GET', `/api/v1/flows/executions/${id}/logs`)).body));
      }
      texts.push(JSON.stringify((await api.call('GET', '/api/v1/audit-log?limit=200')).body));
      for (const app of APPS) texts.push(await (await fetch(suite.metricsUrls[app])).text());
      for (const text of texts) expect(text).not.toContain(hook.secret);

      expect(await findRows(hook.secret)).toEqual([]);
      // This proves that the search works: the flow's name is in several tables.
      expect((await findRows('canary')).length).toBeGreaterThan(1);

      const logs = readdirSync(suite.logDirectory).filter((name) => name.endsWith('.log'));
      const written = logs.map((name) => readFileSync(resolve(suite.logDirectory, name), 'utf8')).join('');
      expect(written).toContain('/webhooks/flows/{flow_id}/{webhook_secret}');
      expect(written).not.toContain(hook.secret);
    },
    TIMEOUT_MS,
  );

  it(
    'twenty concurrent requests with 1 MiB of workspace files each use less than 60 MB of gateway memory',
    async () => {
      const hook = await createFlow('large', 'true');
      // The runs are not examined: the worker is stopped, so that it does not start hundreds of them.
      const worker = suite.readPid('flow-trigger');
      // The process id 0 would stop the processes of this run instead.
      if (worker === undefined) throw new Error('the worker has no process');
      process.kill(worker, 'SIGSTOP');
      release(() => Promise.resolve(void process.kill(worker, 'SIGCONT')));
      // 16 times 64 KiB of base64: exactly the limit for the total size of all files.
      const content = Buffer.alloc(49_152, 7).toString('base64');
      const files = Array.from({ length: 16 }, (_, n) => ({ path: `f${n}`, content_base64: content }));
      const body = JSON.stringify({ workspace_files: files });
      const round = (): Promise<number[]> =>
        Promise.all(
          Array.from({ length: 20 }, async () => {
            const headers = { 'content-type': 'application/json' };
            const response = await fetch(`${suite.url}${hook.path}`, { method: 'POST', headers, body });
            await response.arrayBuffer();
            return response.status;
          }),
        );
      const pid = suite.readPid('api-gateway');
      const readMegabytes = (field: string): number =>
        Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
      // Small bodies are sent first, so that opening connections, compiling code and filling caches are not measured.
      for (let count = 0; count < 300; count += 1)
        await suite.api.call('POST', hook.path, { body: { workspace_files: [{ path: 'a', content_base64: '' }] } });
      const before = readMegabytes('VmRSS');
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      // Several rounds are run, because what remains of one round must not add to the cost of the next one.
      for (let count = 0; count < 3; count += 1) expect(new Set(await round())).toEqual(new Set([202]));
      const extra = readMegabytes('VmHWM') - before;
      expect(extra).toBeLessThan(60);
    },
    TIMEOUT_MS,
  );

  /** Returns the tables in which any column contains the text, or its bytes. */
  async function findRows(text: string): Promise<string[]> {
    const tables = await database.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
    `);
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const rows = await database.query(`select 1 from ${name} t where t::text like $1 or t::text like $2 limit 1`, [
        `%${text}%`,
        `%${Buffer.from(text).toString('hex')}%`,
      ]);
      if (rows.rows.length > 0) found.push(name);
    }
    return found;
  }
});

/** Returns a server's response to raw bytes. */
function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolveText) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (data: Buffer) => (text += data.toString('utf8')));
    socket.on('close', () => resolveText(text));
    socket.on('error', () => resolveText(text));
  });
}
