import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { readTraceId } from '@steward/crypto';
import { eventually, scaleLimit, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { connectClient } from '../servers/connect-client.ts';
import type { AppName } from '../workspace.ts';
import { listenHints } from './listen-hints.ts';
import { createHook, type Hook } from './create-hook.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SENT = `00-${TRACE}-b7ad6b7169203331-01`;

interface Traced {
  readonly execution: string;
  readonly agent: string;
  readonly event: string;
  readonly delivery: string;
  readonly received: string;
  readonly hints: readonly string[];
}

describe('the trace of a trigger (API-18, EXEC-22, HOOK-38, PROC-15)', () => {
  let suite: Suite;
  let receiver: HttpReceiver;
  let api: Api;
  let database: pg.Client;
  let hints: Awaited<ReturnType<typeof listenHints>>;
  let hook: Hook;

  beforeAll(async () => {
    suite = await startSuite({ LOG_LEVEL: 'debug' });
    receiver = await startHttpReceiver();
    database = await connectClient(suite.database.url);
    hints = await listenHints(suite.broker.url);
    ({ api } = await registerOwner(suite.api, 'traced'));
    await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: receiver.url, event_types: ['flow.execution.finished'] },
    });
    hook = await createHook(api, { name: 'traced', prompt: 'x', command: 'echo "in $TRACEPARENT"' });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    hints.close();
    await database.end();
    await receiver.close();
    await suite.stop();
  }, scaleLimit(60_000));

  async function readOne(table: string, key: string, id: string): Promise<string> {
    const { rows } = await database.query<{ traceparent: string }>(
      `select traceparent from ${table} where ${key} = $1`,
      [id],
    );
    return String(rows[0]?.traceparent);
  }

  /** Starts a run, and finds its traces in all places where they are stored. */
  async function follow(path: string, headers: Readonly<Record<string, string>>): Promise<Traced> {
    const accepted = await (path === hook.path ? suite.api : api).call('POST', path, { body: {}, headers });
    expect(accepted.status).toBe(202);
    const id = String(accepted.body.execution_id);
    const request = await eventually(() => receiver.requests.find(({ body }) => body.toString().includes(id)));
    const eventId = String(request.headers['x-service-event-id']);
    const delivery = await eventually(async () => {
      const found = await readOne('webhooks.delivery_done', 'id', String(request.headers['x-service-delivery-id']));
      return found === 'undefined' ? undefined : found;
    });
    const { body: log } = await api.call('GET', `/api/v1/flows/executions/${id}/logs`);
    return {
      execution: await readOne('flows.execution', 'id', id),
      agent: /in (00-[0-9a-f-]+)/.exec(JSON.stringify(log))?.[1] ?? '',
      event: await readOne('webhooks.event', 'id', eventId),
      delivery,
      received: String(request.headers.traceparent),
      hints: await eventually(() => {
        const heard = hints.heard.filter(({ payload }) => payload.execution_id === id || payload.event_id === eventId);
        // The broker notifies its clients one after the other, so this notification may arrive later than the delivery.
        return heard.length < 2 ? undefined : heard.map(({ payload }) => String(payload.traceparent));
      }),
    };
  }

  function expectOneTrace(
    { execution, event, delivery, agent, received, hints: heard }: Traced,
    traceId: string,
  ): void {
    const hops = [execution, event, delivery, ...heard];
    expect(heard).toHaveLength(2);
    expect(hops.map(readTraceId)).toEqual(hops.map(() => traceId));
    expect(new Set([SENT, ...hops]).size).toBe(hops.length + 1);
    expect([agent, received]).toEqual([execution, delivery]);
  }

  const readLog = (app: AppName): string => readFileSync(resolve(suite.logDirectory, `${app}.log`), 'utf8');

  it.each([
    ['a webhook without a credential', () => hook.path],
    ['a person', () => `/api/v1/flows/${hook.id}/trigger`],
  ])(
    'is included in rows, messages, the delivery and the agent if the sender provides it; sent by %s',
    async (_what, path) => {
      expectOneTrace(await follow(path(), { traceparent: SENT }), TRACE);
    },
  );

  it('is included in the log lines of every involved process', async () => {
    await follow(hook.path, { traceparent: SENT });
    for (const [app, event] of [
      ['api-gateway', 'http.request_served'],
      ['flow-trigger', 'execution.finished'],
      ['webhook-dispatcher', 'delivery.attempted'],
    ] as const) {
      await eventually(() =>
        readLog(app)
          .split('\n')
          .some((line) => line.includes(`"${event}"`) && line.includes(`"trace_id":"${TRACE}"`)),
      );
    }
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['missing', {}],
    ['malformed', { traceparent: SENT.toUpperCase() }],
  ])('begins at the gateway if it is %s, and is still one trace', async (_what, headers) => {
    const traced = await follow(hook.path, headers);
    const traceId = readTraceId(traced.execution) ?? '';
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(TRACE);
    expectOneTrace(traced, traceId);
  });

  it('continues in the requests of an agent', async () => {
    const traceparent = (await follow(hook.path, { traceparent: SENT })).agent;
    const session = await api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'traced', session_source_id: 'one', title: 'a title to index' },
      headers: { traceparent },
    });
    const hint = await eventually(() =>
      hints.heard.find(({ payload }) => payload.runtime_session_id === session.body.id),
    );
    expect(readTraceId(hint.payload.traceparent)).toBe(TRACE);
  });
});
