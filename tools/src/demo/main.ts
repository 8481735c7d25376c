import { randomBytes } from 'node:crypto';
import { FAKE_PROVIDER_ORIGIN } from '../stack/app-environment.ts';
import { FLAG, parseOptions } from '../options/parse-options.ts';
import { findRunningStack } from '../stack/stack-files.ts';
import { demonstrateEvents } from './all-events.ts';
import { createApi, type Api } from './api.ts';
import { SEARCHES, type SearchExpectation } from './searches.ts';
import { buildPushPayload, DEMO_FLOW } from './flow.ts';
import { startEventReceiver, verifyWithPublicLibraries } from './receiver.ts';
import { logIn } from './log-in.ts';
import { demonstrateMeaning } from './meaning.ts';
import { demonstrateModels, startProvider } from './models.ts';
import { createSteps } from './steps.ts';
import { demonstrateTools } from './tools.ts';
import { importTranscript, readTranscript } from './transcript.ts';

const HELP = `npm run demo [-- options]

Runs one complete scenario in the running suite, with real input. Exits 1 if an expectation fails.

  --semantic   searches by meaning as well, with an embedding server on this machine
  --all        sends every event to one receiver`;

const options = parseOptions(process.argv.slice(2), {
  help: HELP,
  options: { semantic: FLAG, all: FLAG },
  read: (values) => values,
});
const { run, expect, failures } = createSteps((line) => console.log(line));
const baseUrl = process.env.STEWARD_URL ?? findRunningStack()?.apiUrl;
if (baseUrl === undefined) {
  console.error('no stack is running from this folder; type "npm start" in another terminal, or set STEWARD_URL');
  process.exit(1);
}
console.log(`demo against ${baseUrl}\n`);

const receiver = await startEventReceiver();
try {
  await demonstrate(createApi(baseUrl));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await receiver.close();
}
if (failures.length > 0) process.exitCode = 1;
console.log(process.exitCode === 1 ? '\nthe demo failed' : '\nthe demo passed');

async function demonstrate(anonymous: Api): Promise<void> {
  const api = await run('register an account and log in', () => logIn(anonymous));
  const sessionId = await run('open a runtime session', async () => {
    const session = await api.call('POST', '/api/v1/runtime-sessions', {
      body: {
        session_source_type: 'coding_agent',
        session_source_id: `demo-${randomBytes(4).toString('hex')}`,
        runtime_principal_type: 'agent',
        runtime_principal_id: 'coder',
      },
    });
    expect(session.status === 201, 'status 201');
    return String(session.body.id);
  });
  const lines = readTranscript();
  const stored = await run(`import the transcript of a coding agent (${lines.length} lines)`, () =>
    importTranscript(api, sessionId, lines),
  );
  console.log(
    `                stored ${stored.messages} messages, ${stored.toolCalls} tool calls, ${stored.interactions} interactions`,
  );
  for (const search of SEARCHES)
    await run(`search ${search.what}: ${search.query}`, () => checkSearch(api, sessionId, search));
  if (options.semantic) await demonstrateMeaning(api, { run, expect });

  const secret = await run('register a webhook endpoint', async () => {
    const endpoint = await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: receiver.url, description: 'demo', event_types: [] },
    });
    expect(endpoint.status === 201, 'status 201');
    return String(endpoint.body.secret);
  });
  await run('end the session and verify the signed event with stripe and standardwebhooks', async () => {
    const ended = await api.call('POST', `/api/v1/runtime-sessions/${sessionId}/end`, { body: {} });
    expect(ended.status === 200, 'status 200');
    const request = await receiver.waitFor('session.ended');
    verifyWithPublicLibraries(request, secret);
    const event = JSON.parse(request.body.toString('utf8')) as { data: { runtime_session_id: string } };
    expect(event.data.runtime_session_id === sessionId, 'the event of this session');
  });
  await demonstrateFlow(api, secret);
  await demonstrateModels(api, baseUrl ?? '', { run, expect });
  await demonstrateTools(api, baseUrl ?? '', { run, expect });
  if (options.all) await sendAllEvents(anonymous);
}

async function sendAllEvents(anonymous: Api): Promise<void> {
  const provider = await startProvider();
  try {
    await demonstrateEvents(anonymous, FAKE_PROVIDER_ORIGIN, { run, expect });
  } finally {
    await provider?.close();
  }
}

async function demonstrateFlow(api: Api, secret: string): Promise<void> {
  const flow = await run('create a flow with a webhook trigger', async () => {
    const created = await api.call('POST', '/api/v1/flows', { body: DEMO_FLOW });
    expect(created.status === 201, `status 201, not ${created.status}`);
    return created.body as unknown as { id: string; webhook_config: { webhook_secret: string } };
  });
  const trigger = (key: string) =>
    api.call('POST', `/webhooks/flows/${flow.id}/${flow.webhook_config.webhook_secret}`, {
      body: buildPushPayload(),
      headers: { 'x-github-delivery': key },
    });
  const executionId = await run('post a GitHub push with two workspace files', async () => {
    const accepted = await trigger('demo-delivery-1');
    expect(accepted.status === 202, `status 202, not ${accepted.status}: ${JSON.stringify(accepted.body)}`);
    const again = await trigger('demo-delivery-1');
    expect(
      again.body.deduplicated === true && again.body.execution_id === accepted.body.execution_id,
      'a repeated delivery is recognized',
    );
    return String(accepted.body.execution_id);
  });
  await run('follow the execution to SUCCEEDED', async () => {
    const execution = await api.call('GET', `/api/v1/flows/executions/${executionId}?wait=60`);
    expect(
      execution.body.status === 'SUCCEEDED',
      `SUCCEEDED, not ${String(execution.body.status)}: ${String(execution.body.error_message)}`,
    );
    const result = execution.body.result as unknown as { verdict?: string; added_lines?: number } | null;
    expect(
      result?.verdict === 'approved' && result.added_lines === 3,
      `the agent’s result, not ${JSON.stringify(result)}`,
    );
  });
  await run('receive flow.execution.finished, signed', async () => {
    const request = await receiver.waitFor('flow.execution.finished');
    verifyWithPublicLibraries(request, secret);
    const event = JSON.parse(request.body.toString('utf8')) as { data: { execution_id: string; status: string } };
    expect(event.data.execution_id === executionId && event.data.status === 'SUCCEEDED', 'the event of this execution');
  });
  await run('find the execution by the output of its agent', async () => {
    const found = await api.call('POST', '/api/v1/runtime-sessions/search', {
      body: { query: '"reviewing Repository"', filters: { source_kind: 'flow_log' } },
    });
    expect(Number(found.body.total) === 1, `one session, not ${String(found.body.total)}`);
  });
}

async function checkSearch(api: Api, sessionId: string, search: SearchExpectation): Promise<void> {
  const found = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: search.query } });
  const results = (found.body.results ?? []) as {
    runtime_session_id: string;
    matched_chunk_count: number;
    snippets: { text: string }[];
  }[];
  expect(found.status === 200, `status 200, not ${found.status}`);
  if (!search.finds) {
    expect(results.length === 0, 'no session');
    return;
  }
  expect(results[0]?.runtime_session_id === sessionId, 'the imported session');
  expect(
    results[0]?.snippets.some((snippet) => snippet.text.includes('<mark>')) === true,
    'a snippet with the words marked',
  );
  const { minChunks = 1, maxChunks = Number.POSITIVE_INFINITY } = search;
  const count = results[0]?.matched_chunk_count ?? 0;
  expect(
    count >= minChunks && count <= maxChunks,
    `between ${minChunks} and ${maxChunks} matching chunks, not ${count}`,
  );
}
