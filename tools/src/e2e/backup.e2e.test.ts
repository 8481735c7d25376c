import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { readServerChoices, startPostgres, type PostgresServer } from '@steward/local-servers';
import {
  eventually,
  releaseAfterAll,
  startHttpReceiver,
  type HttpReceiver,
  type ReceivedRequest,
} from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { verifyWithPublicLibraries } from '../demo/receiver.ts';
import { connectClient } from '../servers/connect-client.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { startBackupLoad, type AnsweredTurn } from './backup-load.ts';
import { describeOwnDatabase } from './own-database.ts';
import { readCommands } from './read-commands.ts';
import { readEnd } from './read-end.ts';
import { runToEnd } from './run-to-end.ts';
import { PASSWORD, registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const OTHER_KEY = 'the-secret-key-of-another-deployment-42';
const LOGIN = { username: 'operator', password: PASSWORD };
/** Settings with which deliveries to receivers that refuse for a while are retried, not abandoned. */
const PATIENT = { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '1000' };
const TURNS_BEFORE = 15;

interface Delivered {
  readonly eventId: string;
  readonly type: string;
  /** Id of the session or execution that the event is about. */
  readonly subject: string;
  readonly request: ReceivedRequest;
}

function listDelivered(requests: readonly ReceivedRequest[]): readonly Delivered[] {
  return requests.map((request) => {
    const { data } = JSON.parse(request.body.toString()) as { data: Record<string, string> };
    return {
      eventId: String(request.headers['webhook-id']),
      type: String(request.headers['x-service-event-type']),
      subject: String(data.execution_id ?? data.runtime_session_id),
      request,
    };
  });
}

const describeEvent = ({ type, subject }: Delivered): string => `${type} ${subject}`;

describe('a backup taken under load and restored elsewhere', () => {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-backup-'));
  const release = releaseAfterAll();
  const evidence = { before: resolve(scratch, 'evidence-before'), after: resolve(scratch, 'evidence-after') };
  /** Receiver that accepts everything immediately, before and after the restore. */
  let receiver: HttpReceiver;
  /** Receiver that refuses everything before the restore, and accepts everything afterwards. */
  let refusing: HttpReceiver;
  let elsewhere: PostgresServer;
  let suite: Suite;
  let secrets: { readonly receiver: string; readonly refusing: string };
  let kept: { readonly apiKey: string; readonly refreshToken: string; readonly accessToken: string };
  let flow: { readonly id: string; readonly trigger: string };
  let before: readonly AnsweredTurn[];
  let refusedBefore: readonly Delivered[];
  /** Number of requests refused before the restore. */
  let refusedInAll: number;
  /** Requests with an invalid signature after the restore. */
  const unverified: unknown[] = [];
  /** Events that had reached either receiver before the restore, as `type subject`. */
  let emittedBefore: ReadonlySet<string>;
  let api: Api;

  /** Runs the commands given on the page, with the operator's settings. */
  async function run(commands: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const child = spawn('sh', ['-eu', '-c', commands], {
      cwd: WORKSPACE_ROOT,
      env: {
        ...process.env,
        PATH: `${elsewhere.toolDirectory ?? ''}:${process.env.PATH ?? ''}`,
        DUMP: resolve(scratch, 'dump'),
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    const code = await new Promise((ended) => child.once('exit', ended));
    if (code !== 0) throw new Error(`the commands ended with ${String(code)}: ${said}`);
  }

  beforeAll(async () => {
    release(() => rmSync(scratch, { recursive: true, force: true }));
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    refusing = await startHttpReceiver((_request, response) => void response.writeHead(503).end());
    release(() => refusing.close());
    elsewhere = await startPostgres({
      dataDirectory: resolve(scratch, 'postgres'),
      durable: false,
      ...readServerChoices(process.env),
      progress: () => undefined,
    });
    release(() => elsewhere.stop());
    suite = await startSuite({ ...PATIENT, EVIDENCE_DIR: evidence.before });
    release(suite.stop);
    await liveOnceAndBackUp();
    const { origin } = new URL(suite.url);
    await suite.stop();
    refusedInAll = refusing.requests.length;
    refusing.respondWith((request, response) => {
      // The request is verified on arrival, because a signature is valid only for minutes.
      try {
        verifyWithPublicLibraries(request, secrets.refusing);
      } catch (error) {
        unverified.push(error);
      }
      response.writeHead(200).end();
    });
    await restore();
    api = suite.api.withToken(kept.apiKey);
    expect(new URL(suite.url).origin).not.toBe(origin);
  }, 2 * START_TIMEOUT_MS);

  async function liveOnceAndBackUp(): Promise<void> {
    const { api: owner, accessToken, refreshToken } = await registerOwner(suite.api, LOGIN.username);
    const key = await owner.call('POST', '/api/v1/auth/api-keys', { body: { name: 'kept' } });
    kept = { apiKey: String(key.body.key), refreshToken, accessToken };
    const [taking, refused] = await Promise.all(
      [receiver, refusing].map(({ url }) =>
        owner.call('POST', '/api/v1/event-webhooks/endpoints', { body: { url, description: '', event_types: [] } }),
      ),
    );
    secrets = { receiver: String(taking?.body.secret), refusing: String(refused?.body.secret) };
    await owner.call('PUT', '/api/v1/flow-secrets/NAMED', { body: { value: 'named-canary' } });
    const created = await owner.call('POST', '/api/v1/flows', {
      body: {
        name: 'kept',
        trigger: 'webhook',
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: {
          command: '[ "$A" = "<named-canary>" ] && echo kept > report.txt',
          env: { A: '<{{secret.NAMED}}>' },
        },
        evidence: { enabled: true, paths: ['report.txt'] },
      },
    });
    expect([created.status, created.body]).toEqual([201, expect.anything()]);
    const config = created.body.webhook_config as unknown as { webhook_secret: string };
    const id = String(created.body.id);
    flow = { id, trigger: `/webhooks/flows/${id}/${config.webhook_secret}` };

    const load = startBackupLoad({ api: owner, visitor: suite.api, triggerPath: flow.trigger });
    release(() => load.stop());
    await eventually(
      () =>
        load.answered.length >= TURNS_BEFORE &&
        [receiver, refusing].every(({ requests }) =>
          listDelivered(requests).some(({ type }) => type === 'flow.execution.finished'),
        ),
      { timeoutMs: START_TIMEOUT_MS },
    );
    before = [...load.answered];
    refusedBefore = listDelivered(refusing.requests);
    emittedBefore = new Set([...refusedBefore, ...listDelivered(receiver.requests)].map(describeEvent));
    await run(readCommands('docs/operate/production.md', 'Backups')[0] ?? '', { OWNER_URL: suite.database.url });
    // The writers continue without a pause, as they did during the dump.
    await eventually(() => load.answered.length > before.length);
    cpSync(evidence.before, evidence.after, { recursive: true });
    await load.stop();
  }

  async function restore(): Promise<void> {
    const url = new URL(elsewhere.url);
    url.pathname = '/steward';
    const database = describeOwnDatabase(url);
    await run(readCommands('docs/operate/production.md', 'Backups')[1] ?? '', {
      ADMIN_URL: elsewhere.url,
      OWNER_URL: url.href,
      DATABASE_URL: url.href,
      DATABASE_ROLE_PASSWORDS: JSON.stringify(database.rolePasswords),
    });
    await endRetryDelays(url.href);
    suite = await startSuite({ ...PATIENT, EVIDENCE_DIR: evidence.after }, database);
    release(suite.stop);
  }

  /** Makes the next attempt of refused deliveries due now. */
  async function endRetryDelays(databaseUrl: string): Promise<void> {
    const client = await connectClient(databaseUrl);
    await client.query('update webhooks.delivery set next_attempt_at = now() where next_attempt_at > now()');
    await client.end();
  }

  it('contains everything confirmed before the dump began; the same searches find it', async () => {
    for (const { word, sessionId } of before) {
      const found = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: word } });
      const results = found.body.results as unknown as { runtime_session_id: string }[];
      expect([word, results.map((result) => result.runtime_session_id)]).toEqual([
        word,
        expect.arrayContaining([sessionId]),
      ]);
    }
  });

  it('accepts the same credentials: password, refresh token, access token and API key', async () => {
    const login = await suite.api.call('POST', '/api/v1/auth/token/json', { body: LOGIN });
    const refreshed = await suite.api.call('POST', '/api/v1/auth/refresh', {
      body: { refresh_token: kept.refreshToken },
    });
    const me = await Promise.all(
      [kept.accessToken, kept.apiKey].map((token) => suite.api.withToken(token).call('GET', '/api/v1/users/me')),
    );
    expect([login, refreshed, ...me].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(me.map(({ body }) => body.username)).toEqual([LOGIN.username, LOGIN.username]);
  });

  it.each([
    ['api-gateway', 'SECRET_KEY', OTHER_KEY],
    ['webhook-dispatcher', 'ENDPOINT_SECRET_KEY', deriveKey(OTHER_KEY, KEY_PURPOSES.endpoint)],
  ] as const)(
    'prevents the start with another SECRET_KEY: %s reports it in one line that names %s',
    async (app, name, key) => {
      const ports = { PORT: '0', HEALTH_PORT: '0' };
      const ended = await runToEnd(app, { ...suite.environment, ...ports, [name]: key });
      expect([ended.code, ended.stderr.split('\n').length]).toEqual([1, 1]);
      expect(ended.stderr).toContain(`cannot start: ${name} is not the key of this database: none of its`);
    },
  );

  it('starts the flow at the same URL, with its named secret, and signs events with the same secrets', async () => {
    const accepted = await suite.api.call('POST', flow.trigger, { body: { subject: 'restored' } });
    expect(accepted.status).toBe(202);
    const id = String(accepted.body.execution_id);
    const ended = await readEnd(api, id);
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    for (const [name, { requests }] of Object.entries({ receiver, refusing })) {
      const { request } = await eventually(() => listDelivered(requests).find(({ subject }) => subject === id));
      verifyWithPublicLibraries(request, secrets[name as keyof typeof secrets]);
    }
  });

  it('finishes every accepted run, and returns its evidence', async () => {
    for (const { executionId } of before) {
      const ended = await eventually(async () => {
        const { body } = await api.call('GET', `/api/v1/flows/executions/${executionId}?wait=20`);
        return ['SUCCEEDED', 'FAILED'].includes(String(body.status)) ? body : undefined;
      });
      // The agent of an execution that was running during the dump no longer exists.
      expect([executionId, ended.status === 'SUCCEEDED' ? null : ended.error_message]).toEqual([
        executionId,
        ended.status === 'SUCCEEDED'
          ? null
          : 'The worker that ran this execution is no longer running; executions are not repeated.',
      ]);
    }
    const done = [...emittedBefore].find((event) => event.startsWith('flow.execution.finished '))?.split(' ')[1];
    const path = `/api/v1/flows/executions/${done ?? ''}/evidence`;
    const archive = await fetch(`${suite.url}${path}`, { headers: { authorization: `Bearer ${kept.apiKey}` } });
    expect(archive.status).toBe(200);
    await archive.arrayBuffer();
  });

  it('delivers pending deliveries under the same ids', async () => {
    expect(refusedBefore.length).toBeGreaterThan(0);
    const sessions = before.map(({ sessionId }) => sessionId);
    for (const each of [receiver, refusing]) {
      await eventually(() => {
        const ended = listDelivered(each.requests).filter(({ type }) => type === 'session.ended');
        return sessions.every((sessionId) => ended.some(({ subject }) => subject === sessionId));
      });
    }
    await eventually(() => {
      const later = listDelivered(refusing.requests.slice(refusedInAll));
      return refusedBefore.every(({ eventId }) => later.some((each) => each.eventId === eventId));
    });
    expect(unverified).toEqual([]);
    const ids = new Map<string, Set<string>>();
    for (const each of [...receiver.requests, ...refusing.requests].flatMap((request) => listDelivered([request]))) {
      const event = describeEvent(each);
      ids.set(event, (ids.get(event) ?? new Set()).add(each.eventId));
    }
    expect(emittedBefore.size).toBeGreaterThan(TURNS_BEFORE);
    expect([...emittedBefore].filter((event) => ids.get(event)?.size !== 1)).toEqual([]);
  });
});
