import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { stopExecution, type ExecutionRow, type FlowFields } from '@steward/flows';
import { listSessionTimeline } from '@steward/sessions';
import { eventually } from '@steward/testing';
import { startTestModel, type ModelStep, type TestModel } from '../testing/start-model.ts';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('the built-in agent', () => {
  let worker: TestWorker;
  let model: TestModel;
  let outside: string;
  beforeAll(async () => {
    model = await startTestModel();
    worker = await startTestWorker({ FLOW_AGENT_API_URL: model.origin });
    outside = mkdtempSync(resolve(tmpdir(), 'steward-agent-'));
    writeFileSync(resolve(outside, 'secret.txt'), 'the secret outside');
  });
  afterAll(async () => {
    await worker.stop();
    await model.close();
    rmSync(outside, { recursive: true });
  });

  const start = async (fields: Partial<FlowFields> = {}): Promise<ExecutionRow> => {
    const flow = await worker.createFlow('', {
      agent_type: 'builtin',
      agent_config: {},
      ai_model_id: 'large',
      ...fields,
    });
    return worker.trigger(flow, { subject: 'the task' });
  };
  const run = async (steps: readonly ModelStep[], fields: Partial<FlowFields> = {}): Promise<ExecutionRow> => {
    model.play(steps);
    return worker.waitForEnd((await start(fields)).id);
  };
  const readContent = async (execution: ExecutionRow) => {
    const sessionId = execution.runtime_session_id ?? '';
    const { items } = await listSessionTimeline(worker.database.db, {
      accountId: worker.accountId,
      sessionId,
      limit: 200,
    });
    return items;
  };
  /** Returns the tool results that the model received. */
  const toolAnswers = (): (string | null)[] =>
    (model.calls.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

  it('works with its tools until it makes no more calls, and stores a transcript in the session (EXEC-15)', async () => {
    const ended = await run(
      [
        { call: 'write_file', args: { path: 'src/note.txt', content: 'höllo' } },
        { call: 'list_files', args: {} },
        { call: 'run_shell', args: { command: 'cat src/note.txt; echo to-stderr >&2; echo $EXTRA; exit 3' } },
        { call: 'read_file', args: { path: './src/note.txt' } },
        { say: 'All done.' },
      ],
      { agent_config: { env: { EXTRA: 'from the flow' } } },
    );
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    expect(ended.result).toEqual({ output: 'All done.' });
    const [first] = model.calls;
    expect(first?.headers.authorization).toMatch(/^Bearer stw_run_/);
    expect(first?.body.model).toBe('large');
    expect(first?.body.messages[1]).toEqual({ role: 'user', content: 'Work on the task' });
    const told = toolAnswers();
    expect(told.slice(0, 2)).toEqual(['Wrote 6 bytes.', 'src/']);
    expect(told[2]).toMatch(/^exit code 3\n/);
    for (const line of ['höllo', 'to-stderr', '[redacted]']) expect(told[2]).toContain(line);
    expect(told[3]).toBe('höllo');

    const content = await readContent(ended);
    const calls = content.filter(({ kind }) => kind === 'tool_call');
    expect(calls.map(({ toolName, status }) => `${toolName} ${status}`)).toEqual([
      'write_file success',
      'list_files success',
      'run_shell error',
      'read_file success',
    ]);
    expect(content.map(({ kind }) => kind)).not.toContain('gateway_interaction');
    expect(JSON.stringify(content)).not.toContain('stw_run_');
  });

  it('prefers the agent’s result.json to its last message (EXEC-14)', async () => {
    const ended = await run([{ call: 'write_file', args: { path: 'result.json', content: '{"ok":1}' } }, { say: 'x' }]);
    expect(ended.result).toEqual({ ok: 1 });
  });

  it('restricts file tools to the workspace, and reports every refusal to the model instead of ending the run', async () => {
    const ended = await run(
      [
        { call: 'read_file', args: { path: '../prompt.txt' } },
        { call: 'read_file', args: { path: '/etc/passwd' } },
        { call: 'read_file', args: { path: 'away/secret.txt' } },
        { call: 'read_file', args: { path: 'link.txt' } },
        { call: 'write_file', args: { path: 'away/new.txt', content: 'x' } },
        { call: 'write_file', args: { path: 'link.txt', content: 'x' } },
        { call: 'list_files', args: { path: 'away' } },
        { call: 'read_file', args: { path: 'nothing' } },
        { call: 'read_file', args: '{not json' },
        { call: 'launch_rocket', args: {} },
        { say: 'done' },
      ],
      { setup_commands: [`ln -s ${outside} away`, `ln -s ${outside}/secret.txt link.txt`] },
    );
    expect(ended.status).toBe('SUCCEEDED');
    const told = toolAnswers();
    expect(told).toHaveLength(10);
    expect(told.join('\n')).not.toContain('the secret outside');
    for (const index of [0, 1]) expect(told[index]).toContain('must be relative and stay in the workspace');
    for (const index of [2, 3, 4, 5, 6]) expect(told[index]).toContain('was not followed');
    expect(told[7]).toContain('file or folder does not exist');
    expect(told[8]).toContain('not a JSON object');
    expect(told[9]).toContain('The tool does not exist');
  });

  it('gets only the tools that are allowed by the flow', async () => {
    const ended = await run([{ call: 'run_shell', args: { command: 'id' } }, { say: 'x' }], {
      allowed_tools: ['read_file', 'list_files'],
    });
    expect(ended.status).toBe('SUCCEEDED');
    expect(model.calls[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['read_file', 'list_files']);
    expect(toolAnswers()[0]).toContain('The tool does not exist');
  });

  it('does not reveal the token of the run to the model or in the session', async () => {
    const ended = await run([{ call: 'run_shell', args: { command: 'echo "[$STEWARD_TOKEN]"' } }, { say: 'x' }]);
    expect(toolAnswers()[0]).toContain('[[redacted]]');
    expect(JSON.stringify(await readContent(ended))).not.toContain('stw_run_');
  });

  it.each([
    ['steps', { max_steps: 3 }, 'did not finish within 3 steps', 3],
    ['tokens', { max_tokens: 200 }, 'used 240 tokens; its limit is 200', 2],
  ])('ends at its limit of %s (EXEC-15)', async (_what, config, reason, calls) => {
    const ended = await run([{ call: 'list_files', args: {} }], { agent_config: config });
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'agent_error']);
    expect(ended.error_message).toContain(reason);
    expect(model.calls).toHaveLength(calls);
  });

  it.each<[string, ModelStep, string]>([
    [
      'rejects the key',
      (response) => {
        const message = `bad key ${response.req.headers.authorization?.slice('Bearer '.length)}`;
        response.writeHead(401).end(JSON.stringify({ error: { message } }));
      },
      'status 401: bad key [redacted]',
    ],
    ['redirects', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'status 307'],
    ['returns an invalid response', (response) => response.writeHead(200).end('<html>'), 'no valid JSON'],
    ['returns unexpected JSON', (response) => response.writeHead(200).end('{"choices":[]}'), 'something other than'],
    ['closes the connection', (response) => response.destroy(), 'could not be reached'],
  ])('ends with model_error and without the key if a provider %s (EXEC-15)', async (_what, step, reason) => {
    const ended = await run([step]);
    expect([ended.status, ended.failure_category]).toEqual(['FAILED', 'model_error']);
    expect(ended.error_message).toContain(reason);
    expect(ended.error_message).not.toContain('stw_run_');
  });

  it('retries the call if the provider is busy', async () => {
    const busy: ModelStep = (response) => response.writeHead(429, { 'retry-after': '1' }).end();
    const ended = await run([busy, { say: 'at last' }]);
    expect([ended.status, ended.result, model.calls.length]).toEqual(['SUCCEEDED', { output: 'at last' }, 2]);
  });

  it.each([
    ['that is unreachable', 'http://127.0.0.1:1', 'could not be reached (E'],
    ['that is not configured', '', 'FLOW_AGENT_API_URL'],
  ])('reports a gateway %s, with the cause', async (_what, url, reason) => {
    await worker.replaceWorker({ FLOW_AGENT_API_URL: url });
    const ended = await run([]);
    expect([ended.failure_category, ended.error_message]).toEqual(['model_error', expect.stringContaining(reason)]);
    await worker.replaceWorker({ FLOW_AGENT_API_URL: model.origin });
  });

  it('can be stopped while it waits for its model', async () => {
    model.play([() => undefined]);
    const execution = await start();
    await eventually(() => model.calls.length === 1);
    const input = { accountId: worker.accountId, executionId: execution.id, now: new Date() };
    await transact(
      { db: worker.database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) =>
        stopExecution(trx, hints, input, { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 }),
    );
    expect((await worker.waitForEnd(execution.id)).status).toBe('STOPPED');
  });
});
