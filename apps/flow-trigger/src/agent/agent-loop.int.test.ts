import { startTestModel, type TestModel } from '../testing/start-model.ts';
import { runAgentLoop, type AgentRun } from './agent-loop.ts';
import { findModel } from './find-model.ts';
import { openModel } from './model-client.ts';
import type { AgentTool } from './tools/tool.ts';

let model: TestModel;
beforeAll(async () => {
  model = await startTestModel();
});
afterAll(() => model.close());

it('tools of the account receive numbers as the model wrote them, and workspace tools receive them parsed (TOOL-23)', async () => {
  const seen = new Map<string, string>();
  const build = (name: string, isRecorded: boolean): AgentTool => ({
    ...{ name, isRecorded, description: name, parameters: {} },
    run(args) {
      seen.set(name, JSON.stringify(args));
      return Promise.resolve({ kind: 'done', text: 'ok' });
    },
  });
  const args = '{"id": 1917043659912705297, "seconds": 60.0}';
  model.play([{ call: 'of_account', args }, { call: 'of_workspace', args }, { say: 'done' }]);
  const client = openModel(findModel(model.origin, 'm', 'a-token'));
  const run = {
    model: client,
    settings: { maxSteps: 5, maxTokens: 1_000_000 },
    tools: [build('of_account', true), build('of_workspace', false)],
    context: { signal: new AbortController().signal },
    prompt: 'Work',
    log: { redact: (text: string) => text, write: () => Promise.resolve() },
    record: () => Promise.resolve(),
  } as unknown as AgentRun;
  expect(await runAgentLoop(run)).toBe('done');
  await client.close();
  expect(Object.fromEntries(seen)).toEqual({
    of_account: '{"id":1917043659912705297,"seconds":60.0}',
    of_workspace: '{"id":1917043659912705300,"seconds":60}',
  });
});
