import { randomBytes } from 'node:crypto';
import { eventually } from '@steward/testing';
import { createApi, type Api } from '../demo/api.ts';

const PASSWORD = 'correct horse battery staple';

export interface RunEnd {
  readonly id: string;
  readonly status: string;
  /** Category and message of the failure. */
  readonly failure: string;
  readonly result: unknown;
  readonly log: string;
}

/** Registers a person with an account of their own. */
export async function registerVisitor(apiUrl: string): Promise<Api> {
  const username = `check-${randomBytes(5).toString('hex')}`;
  const anonymous = createApi(apiUrl);
  const registered = await anonymous.call('POST', '/api/v1/auth/register', {
    body: { username, email: `${username}@example.test`, password: PASSWORD },
  });
  if (registered.status !== 201) throw new Error(`register: ${registered.status} ${JSON.stringify(registered.body)}`);
  const login = await anonymous.call('POST', '/api/v1/auth/token/json', { body: { username, password: PASSWORD } });
  return anonymous.withToken(String(login.body.access_token));
}

/** Starts a command as an agent, and returns the id of the execution. */
export async function startAgent(
  api: Api,
  command: string,
  options: {
    readonly flow?: Readonly<Record<string, unknown>>;
    readonly trigger?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<string> {
  const body = {
    name: `check ${randomBytes(4).toString('hex')}`,
    prompt_template: 'the prompt of {{trigger_event.payload.subject}}',
    agent_type: 'command',
    agent_config: { command },
    ...options.flow,
  };
  const flow = await api.call('POST', '/api/v1/flows', { body });
  if (flow.status !== 201) throw new Error(`flow: ${flow.status} ${JSON.stringify(flow.body)}`);
  const path = `/api/v1/flows/${String(flow.body.id)}/trigger`;
  const accepted = await api.call('POST', path, { body: { subject: 'the check', ...options.trigger } });
  if (accepted.status !== 202) throw new Error(`trigger: ${accepted.status} ${JSON.stringify(accepted.body)}`);
  return String(accepted.body.execution_id);
}

export async function awaitStatus(api: Api, id: string, status: string): Promise<void> {
  await eventually(async () => (await api.call('GET', `/api/v1/flows/executions/${id}`)).body.status === status, {
    timeoutMs: 60_000,
    intervalMs: 200,
  });
}

export async function awaitEnd(api: Api, id: string): Promise<RunEnd> {
  const ended = await eventually(
    async () => {
      const { body } = await api.call('GET', `/api/v1/flows/executions/${id}?wait=30`);
      return ['SUCCEEDED', 'FAILED', 'STOPPED'].includes(String(body.status)) && body;
    },
    { timeoutMs: 180_000, intervalMs: 200 },
  );
  const logs = await api.call('GET', `/api/v1/flows/executions/${id}/logs?limit=200`);
  return {
    id,
    status: String(ended.status),
    failure: `${String(ended.failure_category)}: ${String(ended.error_message)}`,
    result: ended.result,
    log: JSON.stringify(logs.body),
  };
}

export async function runAgent(...args: Parameters<typeof startAgent>): Promise<RunEnd> {
  return awaitEnd(args[0], await startAgent(...args));
}
