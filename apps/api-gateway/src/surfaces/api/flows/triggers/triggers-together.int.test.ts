import { request as openRequest } from 'node:http';
import { connectBroker } from '@steward/broker';
import { createLogger, createMetrics } from '@steward/process';
import { eventually } from '@steward/testing';
import { useFlows, type Hook } from '../../../../testing/flow-tests.ts';
import type { JsonResponse, TestGateway } from '../../../../testing/start-gateway.ts';

describe('simultaneous inbound webhooks', () => {
  const { admin, createHook, gateway, token, waitForLock, whileLocked } = useFlows({});

  const post = (url: string, body: unknown, key?: string, call: TestGateway['call'] = gateway().call) =>
    call('POST', url, {
      body,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });
  const readStatuses = (answers: readonly JsonResponse[]): number[] => answers.map((answer) => answer.status);
  const readExecutions = async (flowId: string): Promise<{ id: string; payload: unknown }[]> => {
    const { rows } = await admin().query<{ id: string; payload: unknown }>(
      `select id, trigger_event_details->'payload' as payload from flows.execution where flow_id = $1 order by id`,
      [flowId],
    );
    return rows;
  };
  const readAudited = async (flowId: string): Promise<string[]> => {
    const { rows } = await admin().query<{ id: string }>(
      `select details->>'execution_id' as id from gateway.audit_log
       where action = 'trigger' and resource_id = $1 order by 1`,
      [flowId],
    );
    return rows.map((row) => row.id);
  };
  it('create one execution and one audit row each, whatever their flow', async () => {
    const hooks = await Promise.all(Array.from({ length: 3 }, () => createHook()));
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => post(hooks[n % 3]?.url ?? '', { n })));
    expect(new Set(readStatuses(answers))).toEqual(new Set([202]));
    for (const [index, hook] of hooks.entries()) {
      const executions = await readExecutions(hook.id);
      const answered = answers.filter((_, n) => n % 3 === index).map((answer) => answer.body.execution_id as string);
      expect(executions.map(({ id }) => id)).toEqual([...answered].sort());
      expect(await readAudited(hook.id)).toEqual(executions.map(({ id }) => id));
    }
  });

  it('are published one by one after the commit; duplicates are not published', async () => {
    const hook = await createHook();
    const heard: string[] = [];
    const quiet = createLogger({ service: 'test', level: 'error', pretty: false });
    const broker = await connectBroker({
      url: gateway().broker.url,
      name: 'test',
      logger: quiet,
      metrics: createMetrics('test'),
    });
    try {
      await broker.ensureStreams();
      broker.consume(
        'trigger-accepted',
        async ({ execution_id: id, flow_id: flowId }) => {
          if (flowId === hook.id)
            heard.push(...(await readExecutions(hook.id)).map((row) => row.id).filter((each) => each === id));
        },
        { concurrency: 1 },
      );
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => post(hook.url, {}, `key-${n % 30}`)));
      expect(new Set(readStatuses(answers))).toEqual(new Set([202]));
      const accepted = (await readExecutions(hook.id)).map(({ id }) => id);
      await eventually(() => {
        expect([...heard].sort()).toEqual(accepted);
        return true;
      });
    } finally {
      await broker.close();
    }
  });

  it('with one key create one execution, in two processes at once; a different body with that key is refused', async () => {
    const hook = await createHook();
    const twin = await gateway().startTwin();
    try {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          post(hook.url, { a: 1 }, 'one', n % 2 === 0 ? gateway().call : twin.call),
        ),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.execution_id}`)).size).toBe(1);
      expect(answers.filter(({ body }) => body.deduplicated === false)).toHaveLength(1);
      expect(await readExecutions(hook.id)).toHaveLength(1);
      expect(await readAudited(hook.id)).toHaveLength(1);
    } finally {
      await twin.close();
    }
    const mixed = await Promise.all(Array.from({ length: 40 }, (_, n) => post(hook.url, { a: n % 2 }, 'two')));
    const [winner] = mixed.flatMap(({ body }, n) => (body.deduplicated === false ? [n % 2] : []));
    expect(readStatuses(mixed)).toEqual(mixed.map((_, n) => (n % 2 === winner ? 202 : 409)));
    expect(await readExecutions(hook.id)).toHaveLength(2);
  });

  it('that are malformed are handled as if they were sent separately; the valid requests among them are accepted', async () => {
    const hook = await createHook();
    const big = 'x'.repeat(1024 * 1024);
    const cases: [body: string, status: number, payload?: unknown][] = [
      ['{"nul":"a\\u0000b"}', 202, { nul: 'a\ufffdb' }],
      ['{"lone":"\\ud800","\\udc00":1}', 202, { lone: '\ufffd', '\ufffd': 1 }],
      ['{"pair":"\\ud83d\\ude00","plain":"😀 ä"}', 202, { pair: '😀', plain: '😀 ä' }],
      ['{"twice":1,"twice":2}', 202, { twice: 2 }],
      ['{"quote":"\\"{},\\\\","null":"NULL","brace":"{a}"}', 202, { quote: '"{},\\', null: 'NULL', brace: '{a}' }],
      ['\ufeff{"mark":true}', 202, { mark: true }],
      [`{"big":"${big}"}`, 202, { big }],
      ['{"own":{"content_base64":"AAAA"}}', 202, { own: { content_base64: 'AAAA' } }],
      ['{"raw":"\u0000"}', 400],
      ['{"open":', 400],
      ['[1]', 422],
      [`${'['.repeat(300)}${']'.repeat(300)}`, 400],
      ['{"workspace_files":[{"path":"../x","content_base64":""}]}', 400],
    ];
    const good = Array.from({ length: 40 }, (_, n) => post(hook.url, { n }));
    const odd = await Promise.all(cases.map(([body]) => post(hook.url, body)));
    expect(readStatuses(await Promise.all(good))).toEqual(Array(40).fill(202));
    expect(readStatuses(odd)).toEqual(cases.map(([, status]) => status));
    const stored = new Map((await readExecutions(hook.id)).map(({ id, payload }) => [id, payload]));
    for (const [index, [, , payload]] of cases.entries()) {
      if (payload !== undefined) expect(stored.get(odd[index]?.body.execution_id)).toEqual(payload);
    }
    expect(stored.size).toBe(40 + cases.filter(([, status]) => status === 202).length);
  });

  it('do not fail because the database refuses one of them', async () => {
    const hook = await createHook();
    await admin().query(`alter table flows.execution add constraint no_poison
      check (trigger_event_details::text not like '%poison%') not valid`);
    try {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => post(hook.url, n % 20 === 7 ? { poison: n } : { n })),
      );
      expect(readStatuses(answers)).toEqual(answers.map((_, n) => (n % 20 === 7 ? 500 : 202)));
      expect(await readExecutions(hook.id)).toHaveLength(57);
      expect(await readAudited(hook.id)).toHaveLength(57);
    } finally {
      await admin().query('alter table flows.execution drop constraint no_poison');
    }
  });

  it('do not wait for a flow that is locked', async () => {
    const [locked, free] = [await createHook(), await createHook()];
    await whileLocked(`select 1 from flows.flow where id = '${locked.id}' for update`, async (release) => {
      const waiting = post(locked.url, {});
      await waitForLock('for key share');
      const others = await Promise.all(Array.from({ length: 20 }, () => post(free.url, {})));
      expect(readStatuses(others)).toEqual(Array(20).fill(202));
      await release();
      expect((await waiting).status).toBe(202);
    });
  });

  describe('for a flow that changes while the body is received', () => {
    /** Sends the body without its end, then calls `change`, then sends the rest. */
    const postAround = (url: string, change: () => Promise<unknown>): Promise<[number, string]> =>
      new Promise((resolve, reject) => {
        const body = '{"a":1}';
        const headers = { 'content-type': 'application/json', 'content-length': body.length };
        const request = openRequest(`${gateway().url}${url}`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () =>
            resolve([response.statusCode ?? 0, (JSON.parse(text) as { detail: { code: string } }).detail.code]),
          );
        });
        request.on('error', reject);
        request.write(body.slice(0, 3), () => void change().then(() => request.end(body.slice(3)), reject));
      });
    const path = (hook: Hook) => `/api/v1/flows/${hook.id}`;

    it.each<[string, [number, string], (hook: Hook) => Promise<unknown>]>([
      [
        'is disabled',
        [409, 'flow_disabled'],
        (hook) => gateway().call('PATCH', path(hook), { token: token(), body: { is_enabled: false } }),
      ],
      ['is deleted', [404, 'not_found'], (hook) => gateway().call('DELETE', path(hook), { token: token() })],
      [
        'gets another secret',
        [404, 'not_found'],
        (hook) => gateway().call('POST', `${path(hook)}/webhook-secret/rotate`, { token: token() }),
      ],
    ])('because it %s are refused with %j, and nothing is stored', async (_what, expected, change) => {
      const hook = await createHook();
      expect(await postAround(hook.url, () => change(hook))).toEqual(expected);
      expect(await readExecutions(hook.id)).toEqual([]);
    });
  });

  it('are refused with 503 and the time to wait while the database is unavailable, and accepted afterwards', async () => {
    const hook = await createHook();
    const { rows } = await admin().query<{ name: string }>('select current_database() as name');
    const name = rows[0]?.name ?? '';
    await admin().query(`alter database ${name} connection limit 0`);
    await admin().query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'steward-api-gateway'`);
    try {
      const answers = await Promise.all(Array.from({ length: 30 }, () => post(hook.url, {})));
      expect(readStatuses(answers)).toEqual(Array(30).fill(503));
      expect(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
      expect(await readExecutions(hook.id)).toEqual([]);
    } finally {
      await admin().query(`alter database ${name} connection limit -1`);
    }
    await eventually(async () => (await post(hook.url, {})).status === 202);
  });

  it('receive responses from a gateway that is told to stop: every accepted request is stored, and every stored request gets its response', async () => {
    const hook = await createHook();
    const twin = await gateway().startTwin();
    await whileLocked('lock table flows.execution in share mode', async (release) => {
      const posts = Promise.allSettled(
        Array.from({ length: 120 }, (_, n) => post(hook.url, { n }, undefined, twin.call)),
      );
      await waitForLock('with item as').catch(release);
      const closed = twin.close();
      await release();
      // A connection whose request has not been read yet is closed, so its sender can tell that nothing was accepted.
      const answers = (await posts).flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const isClean = await closed;
      expect(new Set(readStatuses(answers))).toEqual(new Set([202]));
      // Even a connection that the client keeps open does not delay the shutdown.
      expect(isClean).toBe(true);
      const stored = (await readExecutions(hook.id)).map(({ id }) => id);
      expect(stored).toEqual(answers.map(({ body }) => body.execution_id as string).sort());
    });
  });
});
