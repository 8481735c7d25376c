import { newId } from '@steward/crypto';
import { useFlows } from '../../../../testing/flow-tests.ts';
import type { JsonResponse, TestGateway } from '../../../../testing/start-gateway.ts';

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly error_message: string | null;
  readonly stop_requested_at: Date | null;
  readonly i: string;
}

type Surface = 'inbound webhook' | 'manual trigger';

/** Sends one trigger of the flow with the payload. */
type Send = (payload: object, headers?: Readonly<Record<string, string>>) => Promise<JsonResponse>;

describe('triggers with one dedupe value', () => {
  const { admin, createHook, gateway, token, waitForLock, whileLocked } = useFlows();
  let twin: Awaited<ReturnType<TestGateway['startTwin']>>;
  beforeAll(async () => {
    twin = await gateway().startTwin();
  });
  afterAll(() => twin.close());

  const createFlow = async (
    surface: Surface,
    webhookConfig: object,
  ): Promise<{ id: string; send: Send; sendToTwin: Send }> => {
    const hook = await createHook({ webhook_config: { dedupe_path: 'k', ...webhookConfig } });
    const path = surface === 'manual trigger' ? `/api/v1/flows/${hook.id}/trigger` : hook.url;
    const sender =
      (call: TestGateway['call']): Send =>
      (payload, headers = {}) =>
        call('POST', path, {
          token: token(),
          body: JSON.stringify(payload),
          headers: { 'content-type': 'application/json', ...headers },
        });
    return { id: hook.id, send: sender(gateway().call), sendToTwin: sender(twin.call) };
  };
  const readExecutions = async (flowId: string): Promise<Execution[]> => {
    const { rows } = await admin().query<Execution>(
      `select id, status, error_message, stop_requested_at, trigger_event_details->'payload'->>'i' as i
       from flows.execution where flow_id = $1 order by id`,
      [flowId],
    );
    return rows;
  };
  /** Simulates a worker: the execution is running, and stopping it takes a while. */
  const setRunning = (executionId: string) =>
    admin().query(`update flows.execution set status = 'RUNNING', started_at = now() where id = $1`, [executionId]);
  /** Sends `count` requests, at most `underWay` at a time; returns the responses in the order of the requests. */
  const burst = async (count: number, underWay: number, send: (n: number) => Promise<JsonResponse>) => {
    const answers: JsonResponse[] = [];
    let sent = 0;
    const sendOn = async (): Promise<void> => {
      while (sent < count) {
        const n = sent;
        sent += 1;
        answers[n] = await send(n);
      }
    };
    await Promise.all(Array.from({ length: underWay }, sendOn));
    return answers;
  };
  const isSuperseded = (row: Execution): boolean =>
    row.error_message === 'superseded by a newer trigger' &&
    (row.status === 'STOPPED' || row.stop_requested_at !== null);

  describe.each<Surface>(['inbound webhook', 'manual trigger'])('with supersede_on_update, by the %s', (surface) => {
    it.each([
      ['20 at once', 20],
      ['20, with three in progress at a time', 3],
    ])('are all accepted, and the newest execution remains: %s, in every round', async (_what, underWay) => {
      for (let round = 0; round < 6; round += 1) {
        const { id, send } = await createFlow(surface, { supersede_on_update: true });
        const first = await send({ k: 'v', i: 'first' });
        if (round % 2 === 0) await setRunning(first.body.execution_id);
        const answers = await burst(20, underWay, (n) => send({ k: 'v', i: n }, { 'idempotency-key': `key-${n}` }));
        expect(answers.map(({ status, body }) => [status, body.deduplicated])).toEqual(answers.map(() => [202, false]));
        const rows = await readExecutions(id);
        expect(rows).toHaveLength(21);
        // Ids ascend in the order of acceptance.
        const newest = rows.at(-1);
        expect([newest?.status, newest?.error_message]).toEqual(['PENDING', null]);
        expect(rows.slice(0, -1).filter((row) => !isSuperseded(row))).toEqual([]);
        // Each key refers to the execution that its own payload created.
        const repeated = await Promise.all(
          answers.map((_, n) => send({ k: 'v', i: n }, { 'idempotency-key': `key-${n}` })),
        );
        expect(repeated.map(({ body }) => body.execution_id)).toEqual(answers.map(({ body }) => body.execution_id));
        const sent = new Map(rows.map((row) => [row.id, row.i]));
        expect(answers.map(({ body }) => sent.get(body.execution_id))).toEqual(answers.map((_, n) => String(n)));
      }
    });

    it('leave only one execution active, even if two gateways accept them', async () => {
      for (let round = 0; round < 6; round += 1) {
        const { id, send, sendToTwin } = await createFlow(surface, { supersede_on_update: true });
        const answers = await burst(20, 20, (n) => (n % 2 === 0 ? send : sendToTwin)({ k: 'v', i: n }));
        expect(answers.map(({ status, body }) => [status, body.deduplicated])).toEqual(answers.map(() => [202, false]));
        const rows = await readExecutions(id);
        expect(rows.filter((row) => !isSuperseded(row))).toHaveLength(1);
        const last = await send({ k: 'v', i: 'last' });
        const left = (await readExecutions(id)).filter((row) => !isSuperseded(row));
        expect(left.map((row) => row.id)).toEqual([last.body.execution_id]);
      }
    });

    it('do not stop executions with another dedupe value', async () => {
      const { id, send } = await createFlow(surface, { supersede_on_update: true });
      const answers = await burst(20, 20, (n) => send({ k: `v${n % 4}`, i: n }));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect((await readExecutions(id)).filter((row) => !isSuperseded(row))).toHaveLength(4);
    });

    it('supersede an execution that another program stored at the same moment without a check', async () => {
      const { id, send } = await createFlow(surface, { supersede_on_update: true });
      const rival = newId();
      const insert = `insert into flows.execution
          (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, dedupe_value)
        select '${rival}', account_id, id, name, 'PENDING', 'webhook', '{"payload": {}}', 'v'
        from flows.flow where id = '${id}'`;
      await whileLocked(insert, async (release) => {
        const waiting = send({ k: 'v', i: 'newest' });
        await waitForLock();
        await release();
        const answer = await waiting;
        expect([answer.status, answer.body.deduplicated]).toEqual([202, false]);
        expect((await readExecutions(id)).map((row) => [row.id, row.status])).toEqual([
          [rival, 'STOPPED'],
          [answer.body.execution_id, 'PENDING'],
        ]);
      });
    });
  });

  it.each<Surface>(['inbound webhook', 'manual trigger'])(
    'without it are accepted with 202 while executions with that value begin and end, by the %s',
    async (surface) => {
      const { id, send } = await createFlow(surface, {});
      let isOver = false;
      // Simulates a user who stops every active execution as fast as the service allows.
      const stopping = (async () => {
        while (!isOver) {
          for (const { id: each, status } of await readExecutions(id)) {
            if (status === 'PENDING')
              await gateway().call('POST', `/api/v1/flows/executions/${each}/stop`, { token: token(), body: {} });
          }
        }
      })();
      for (let round = 0; round < 10; round += 1) {
        const answers = await burst(20, round % 2 === 0 ? 20 : 3, (n) => send({ k: 'v', i: n }));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      }
      isOver = true;
      await stopping;
      expect((await readExecutions(id)).filter((row) => row.status === 'PENDING').length).toBeLessThanOrEqual(1);
    },
  );
});
