import { eventually, releaseAfterAll, scaleLimit, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { verifyWithPublicLibraries } from '../demo/receiver.ts';
import { APPS } from '../workspace.ts';
import { createHook, type Hook } from './create-hook.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

/**
 * Time limit. Restarts, reconnections and polls add up on a busy machine; the guarantee is only that processing
 * continues.
 */
const TIMEOUT_MS = scaleLimit(300_000);

describe('the suite as processes', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let receiver: HttpReceiver;
  let api: Api;
  let secret: string;
  let flow: Hook;
  let counter = 0;

  beforeAll(async () => {
    // If agents share the worker's network, they can reach the broker, which then has to protect itself.
    suite = await startSuite({ FLOW_NETWORK: 'shared' });
    release(suite.stop);
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    ({ api } = await registerOwner(suite.api, 'e2e'));
    const endpoint = await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: receiver.url, description: 'e2e', event_types: [] },
    });
    secret = String(endpoint.body.secret);
    flow = await createHook(api, {
      name: 'e2e',
      prompt: 'Look at {{trigger_event.payload.subject}}',
      command: 'cat "$STEWARD_PROMPT_FILE"; echo; cat seeded/note.txt; printf \'{"done":true}\' > result.json',
    });
  }, START_TIMEOUT_MS);

  /** Runs one use case through all process boundaries. */
  async function walkTheTruePath(): Promise<void> {
    counter += 1;
    const word = `needle${counter}x`;
    const session = await api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'e2e', session_source_id: `s-${counter}` },
    });
    await api.call('POST', `/api/v1/runtime-sessions/${String(session.body.id)}/tool-calls`, {
      body: { tool_name: 'grep', arguments: { pattern: word }, result: 'one line' },
    });
    const found = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: word } });
    expect((found.body.results as unknown as { runtime_session_id: string }[])[0]?.runtime_session_id).toBe(
      session.body.id,
    );

    await api.call('POST', `/api/v1/runtime-sessions/${String(session.body.id)}/end`, { body: {} });
    await expectEvent('session.ended', (data) => data.runtime_session_id === session.body.id);

    const accepted = await suite.api.call('POST', flow.path, {
      body: {
        subject: word,
        workspace_files: [
          { path: 'seeded/note.txt', content_base64: Buffer.from(`note about ${word}`).toString('base64') },
        ],
      },
    });
    expect(accepted.status).toBe(202);
    const execution = await readEnd(api, String(accepted.body.execution_id));
    expect([execution.status, execution.error_message]).toEqual(['SUCCEEDED', null]);
    expect(execution.result).toEqual({ done: true });
    const logs = await api.call('GET', `/api/v1/flows/executions/${String(execution.id)}/logs`);
    expect((logs.body.items as unknown as { text: string }[]).map((line) => line.text).join('\n')).toContain(
      `note about ${word}`,
    );
    await expectEvent('flow.execution.finished', (data) => data.execution_id === execution.id);
    const logged = await api.call('POST', '/api/v1/runtime-sessions/search', {
      body: { query: `"note about ${word}"`, filters: { source_kind: 'flow_log' } },
    });
    expect(logged.body.total).toBe(1);
  }

  async function expectEvent(type: string, matches: (data: Record<string, unknown>) => boolean): Promise<void> {
    const request = await eventually(() =>
      receiver.requests.find(
        (candidate) =>
          candidate.headers['x-service-event-type'] === type &&
          matches((JSON.parse(candidate.body.toString()) as { data: Record<string, unknown> }).data),
      ),
    );
    verifyWithPublicLibraries(request, secret);
  }

  it('refuses broker access to an agent, which therefore can neither start runs nor delete streams', async () => {
    const { hostname, port } = new URL(suite.broker.url);
    const words = ['CONNECT {}', 'PUB steward.flows.trigger-accepted.v1 2', '{}', 'PING'].join('\\r\\n');
    const created = await api.call('POST', '/api/v1/flows', {
      body: {
        name: 'intruder',
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: {
          // The protocol is written in one call: if data were still unread when the broker closes the connection, its
          // reply would be discarded. The broker itself closes the connection.
          command: [
            'bash',
            '-c',
            `exec 3<>/dev/tcp/${hostname}/${port}; printf '${words}\\r\\n' | cat >&3; timeout 60 cat <&3`,
          ],
        },
      },
    });
    expect(created.status).toBe(201);
    const accepted = await api.call('POST', `/api/v1/flows/${String(created.body.id)}/trigger`, { body: {} });
    const id = String(accepted.body.execution_id);
    await readEnd(api, id);
    const log = JSON.stringify((await api.call('GET', `/api/v1/flows/executions/${id}/logs`)).body);
    expect(log).toContain('Authorization Violation');
    expect(log).not.toContain('PONG');
  });

  it(
    'makes a session searchable, delivers its end event, and passes a payload to an agent whose run finishes',
    async () => {
      await walkTheTruePath();
    },
    TIMEOUT_MS,
  );

  it.each(APPS)(
    'continues after %s was killed',
    async (app) => {
      await suite.crash(app);
      await walkTheTruePath();
    },
    TIMEOUT_MS,
  );

  it(
    'continues without its own restart after the broker was restarted',
    async () => {
      await suite.broker.restart();
      await walkTheTruePath();
    },
    TIMEOUT_MS,
  );
});
