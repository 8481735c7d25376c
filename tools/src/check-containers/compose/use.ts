import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { eventually } from '@steward/testing';
import type { Api } from '../../demo/api.ts';
import type { ComposeProject } from '../compose-project.ts';
import { inspectContainer } from '../docker.ts';
import type { ContainerReceiver } from '../receiver.ts';
import { runAgent } from '../visitor.ts';

export interface Deployment {
  readonly project: ComposeProject;
  readonly api: Api;
  readonly receiver: ContainerReceiver;
}

export async function openSession(api: Api): Promise<string> {
  const body = { session_source_type: 'coding_agent', session_source_id: randomBytes(6).toString('hex') };
  const { status, body: session } = await api.call('POST', '/api/v1/runtime-sessions', { body });
  equal(status, 201);
  return String(session.id);
}

export async function storeAndFind(api: Api): Promise<{ readonly word: string; readonly sessionId: string }> {
  const sessionId = await openSession(api);
  const word = `zirkon${randomBytes(4).toString('hex')}`;
  const stored = await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/tool-calls`, {
    body: { tool_name: 'bash', arguments: { command: 'npm test' }, result: `2 passed ${word}`, status: 'success' },
  });
  equal(stored.status, 201);
  await expectFound(api, { word, sessionId });
  return { word, sessionId };
}

export async function expectFound(api: Api, { word, sessionId }: { word: string; sessionId: string }): Promise<void> {
  await eventually(async () => {
    const { body } = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: word } });
    const results = (body.results ?? []) as { runtime_session_id: string }[];
    return results[0]?.runtime_session_id === sessionId;
  });
}

export async function checkSearch({ api }: Deployment): Promise<void> {
  await storeAndFind(api);
}

/** Returns the address by which containers reach this machine. */
export async function findHostAddress(project: ComposeProject): Promise<string> {
  const [id = ''] = await project.listContainers('webhook-dispatcher');
  const { Networks } = (await inspectContainer(id)).NetworkSettings;
  return Networks[`${project.name}_default`]?.Gateway ?? '';
}

export async function checkWebhook({ project, api, receiver }: Deployment): Promise<void> {
  const url = `http://${await findHostAddress(project)}:${receiver.port}/events`;
  const endpoint = await api.call('POST', '/api/v1/event-webhooks/endpoints', {
    body: { url, description: 'check', event_types: ['session.ended'] },
  });
  equal(endpoint.status, 201, JSON.stringify(endpoint.body));
  const sessionId = await openSession(api);
  equal((await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/end`, { body: {} })).status, 200);
  await eventually(() => receiver.bodies.some((body) => body.includes(sessionId)));
}

export async function checkFlow({ api }: Deployment): Promise<string> {
  const content = Buffer.from('a file of the trigger').toString('base64');
  const startedAt = performance.now();
  const run = await runAgent(
    api,
    `printf '{"file":"%s","prompt":"%s","stdin":"%s"}' "$(cat in/a.txt)" "$(cat "$STEWARD_PROMPT_FILE")" "$(cat)" > result.json`,
    { trigger: { workspace_files: [{ path: 'in/a.txt', content_base64: content }] } },
  );
  equal(run.status, 'SUCCEEDED', run.failure);
  const prompt = 'the prompt of the check';
  deepEqual(run.result, { file: 'a file of the trigger', prompt, stdin: prompt });
  return `${Math.round(performance.now() - startedAt)} ms`;
}

/** Command of an agent that uses only programs that every image contains: node may be executed, but not read. */
export const CALL_API = `node -e 'fetch(process.env.STEWARD_API_URL + "/api/v1/flows/executions/" + process.env.STEWARD_EXECUTION_ID, { headers: { authorization: "Bearer " + process.env.STEWARD_TOKEN } }).then(async (r) => console.log("the API said " + r.status), (e) => console.log("no way: " + e.cause))'`;

export async function checkAgentCallsBack({ api }: Deployment): Promise<void> {
  const run = await runAgent(api, CALL_API);
  equal(run.status, 'SUCCEEDED', run.failure);
  ok(run.log.includes('the API said 200'), run.log.slice(0, 600));
}
