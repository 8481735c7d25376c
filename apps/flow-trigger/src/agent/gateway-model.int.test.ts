import { listSessionTimeline } from '@steward/sessions';
import { startTestModel, type TestModel } from '../testing/start-model.ts';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('the built-in agent with the model gateway (EXEC-23)', () => {
  let model: TestModel;
  let worker: TestWorker;
  beforeAll(async () => {
    model = await startTestModel();
    worker = await startTestWorker({ FLOW_AGENT_API_URL: `${model.origin}/` });
  });
  afterAll(async () => {
    await worker.stop();
    await model.close();
  });

  async function run(named: string | null) {
    model.play([{ call: 'list_files', args: {} }, { say: 'done' }]);
    const flow = await worker.createFlow('', { agent_type: 'builtin', agent_config: {}, ai_model_id: named });
    const ended = await worker.waitForEnd((await worker.trigger(flow)).id);
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    const session = { accountId: worker.accountId, sessionId: ended.runtime_session_id ?? '' };
    const { items } = await listSessionTimeline(worker.database.db, { ...session, limit: 200 });
    return { call: model.calls.at(-1)!, kinds: items.map(({ kind }) => kind) };
  }

  it.each([
    ['that its flow specifies', 'fast', 'fast'],
    ['that is the default', null, 'default'],
  ])(
    'calls the model %s with the token of its run, and leaves the recording to the gateway',
    async (_what, named, model) => {
      const { call, kinds } = await run(named);
      expect(call.headers.authorization).toMatch(/^Bearer stw_run_/);
      expect(call.body.model).toBe(model);
      expect(kinds).toContain('tool_call');
      expect(kinds).not.toContain('gateway_interaction');
    },
  );
});
