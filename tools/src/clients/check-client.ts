import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bareEnvironment } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { Client, Workplace } from './agents.ts';
import { findBinary } from './install-clients.ts';
import { AGENT_TITLE, writePrompt } from './plan.ts';
import { runProgram, type Ended } from './run-program.ts';
import type { PlannedProvider } from './start-planned-provider.ts';

export interface Line {
  readonly check: string;
  /** Undefined: the agent has nothing of the kind. */
  readonly passed: boolean | undefined;
  readonly found: string;
}

export interface ClientDeps {
  readonly api: Api;
  readonly url: string;
  readonly provider: PlannedProvider;
}

interface Entry {
  readonly kind: string;
  readonly tool_name: string | null;
  readonly output_tokens: number | null;
  readonly content: unknown;
}

const TRY_EVERY_MS = 250;
const MOST_TRIES = 40;
const DENIED = 'Nobody deletes the heron.';
export const POLICY = {
  version: '1',
  rules: [
    {
      ...{ id: 'heron', description: DENIED, action: 'deny' },
      match: { tools: ['local/Bash', 'local/shell', 'local/exec_command'] },
      condition:
        '[args].exists(a, (has(a.command) && string(a.command).contains("rm -r")) || (has(a.cmd) && string(a.cmd).contains("rm -r")))',
    },
  ],
};

/** One agent at work: what it did, what the service knows of it, each thing a line. */
export async function checkClient(deps: ClientDeps, client: Client): Promise<readonly Line[]> {
  const word = `heron${client.kind.replaceAll('_', '')}`;
  const place = await preparePlace(deps, client);
  const asked = `Look after the ${word} please`;
  const prompt = writePrompt(asked, [
    { shell: `echo ${word} > allowed.txt` },
    ...(client.hasHook ? [{ shell: 'rm -r keep' }] : []),
    { tool: 'search_sessions', arguments: { query: 'nothing like this' } },
    { say: `the ${word} is fine` },
  ]);
  const environment = toEnvironment(client, place);
  const run = await runProgram([findBinary(client.binary), ...client.run(place, prompt)], {
    cwd: place.folder,
    env: environment,
  });
  const session = await eventually(() => findAgentSession(deps.api, client.kind));
  // What passed the gateway is stored about a second later.
  const before = await eventuallyStored(deps.api, session?.id, PLANNED_CALLS);
  const imported = await runProgram([join(place.home, 'bin', 'steward'), 'sessions', 'import'], {
    ...{ cwd: place.folder, env: environment },
  });
  const titled = await findAgentSession(deps.api, client.kind);
  const after = await readEntries(deps.api, session?.id);
  const said = after.filter(({ kind }) => kind !== 'gateway_interaction');
  const calls = await listDoorCalls(deps.api);
  const lines = [
    tell('runs and ends', run.code === 0, lastLine(run)),
    tell(
      'models through the gateway',
      countOf(before, 'gateway_interaction') >= PLANNED_CALLS,
      `${countOf(before, 'gateway_interaction')} calls`,
    ),
    tell('hook: allowed', client.hasHook ? existsSync(join(place.folder, 'allowed.txt')) : undefined, 'no hook'),
    tell(
      'hook: denied',
      client.hasHook ? existsSync(join(place.folder, 'keep')) && JSON.stringify(before).includes(DENIED) : undefined,
      'no hook',
    ),
    tell('MCP door', calls.length > 0, 'no call'),
    tell(
      'its tool call stands once',
      client.namesToolCalls ? calls.length === 1 && calls[0] === session?.id : undefined,
      `in ${calls.join(', ')}`,
    ),
    tell(
      'transcript in its session',
      imported.code === 0 && said.length > 2 && (await countSessions(deps.api, client.kind)) === 1,
      lastLine(imported),
    ),
    tell('title', isTitled(client, titled?.title ?? '', asked), String(titled?.title)),
    tell(
      'tokens',
      sumTokens(said) === deps.provider.countOutput(place.model),
      `${sumTokens(said)} of ${deps.provider.countOutput(place.model)}`,
    ),
    tell('search', (await countFound(deps.api, `"the ${word} is fine"`)) > 0, 'not found'),
  ];
  return lines;
}

const isTitled = ({ titlesItself }: Client, title: string, asked: string): boolean =>
  titlesItself === true ? title === AGENT_TITLE : title.startsWith(asked);

function tell(check: string, passed: boolean | undefined, found: string): Line {
  return { check, passed, found };
}

/** A home of its own with its agent's key, enrolled as the guides say. */
async function preparePlace({ api, url, provider }: ClientDeps, client: Client): Promise<Workplace> {
  const home = mkdtempSync(join(tmpdir(), `steward-clients-${client.binary}-`));
  const folder = join(home, 'work');
  mkdirSync(join(folder, 'keep'), { recursive: true });
  mkdirSync(join(home, 'bin'));
  const script = resolve(WORKSPACE_ROOT, 'tools/cli/bin/steward.js');
  writeFileSync(join(home, 'bin', 'steward'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, {
    mode: 0o755,
  });
  const model = `model-${client.kind}`;
  const baseUrl = client.provider === 'openai' ? `${provider.origin}/v1` : provider.origin;
  await requireStatus(
    201,
    api.call('POST', '/api/v1/ai-models', {
      body: { alias: model, provider: client.provider, base_url: baseUrl, model_identifier: model, api_key: 'unused' },
    }),
  );
  const agent = await requireStatus(
    201,
    api.call('POST', '/api/v1/agents', { body: { agent_kind: client.kind, display_name: client.name } }),
  );
  const key = await requireStatus(
    201,
    api.call('POST', '/api/v1/auth/api-keys', {
      body: {
        name: client.name,
        scopes: ['view_runtime_sessions', 'manage_runtime_sessions', 'view_approvals', 'view_ai_models'],
        runtime_principal: { type: 'managed_agent', id: String(agent.id) },
      },
    }),
  );
  const place = { home, folder, url, key: String(key.key), model };
  client.configure?.(place);
  if (client.enrolls === undefined) return place;
  const enroll = ['agents', 'enroll', client.enrolls, '--model', model] as const;
  const enrolled = await runProgram([join(home, 'bin', 'steward'), ...enroll], {
    cwd: folder,
    env: toEnvironment(client, place),
  });
  if (enrolled.code !== 0) throw new Error(`${client.name} is not enrolled: ${enrolled.printed}`);
  return place;
}

function toEnvironment(client: Client, place: Workplace): Record<string, string> {
  const { PATH = '', ...bare } = bareEnvironment();
  return {
    ...bare,
    PATH: `${join(place.home, 'bin')}:${PATH}`,
    HOME: place.home,
    STEWARD_URL: place.url,
    STEWARD_API_KEY: place.key,
    ...client.environment(place),
  };
}

/** Calls of models of the shortest plan: two tools, and the answer. */
const PLANNED_CALLS = 3;

async function eventuallyStored(api: Api, sessionId: string | undefined, calls: number): Promise<readonly Entry[]> {
  await eventually(async () => countOf(await readEntries(api, sessionId), 'gateway_interaction') >= calls);
  return readEntries(api, sessionId);
}

/** What comes within a few seconds; else what there is. */
async function eventually<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    const value = await read();
    if (tries >= MOST_TRIES || (value !== undefined && value !== false)) return value;
    await delay(TRY_EVERY_MS);
  }
}

async function listSessions(api: Api, kind: string) {
  const { body } = await api.call('GET', '/api/v1/runtime-sessions?limit=200');
  const items = (body.items ?? []) as { id: string; session_source_type: string; title: string | null }[];
  return items.filter((session) => session.session_source_type === kind);
}

const findAgentSession = async (api: Api, kind: string) => (await listSessions(api, kind))[0];
const countSessions = async (api: Api, kind: string) => (await listSessions(api, kind)).length;

/** The session of each record of the call that went through the door, in the door's own words or the transcript's. */
async function listDoorCalls(api: Api): Promise<readonly string[]> {
  const { body } = await api.call('GET', '/api/v1/runtime-sessions?limit=200');
  const found: string[] = [];
  for (const { id } of (body.items ?? []) as { id: string }[]) {
    const entries = await readEntries(api, id);
    const calls = entries.filter(
      (entry) => entry.kind === 'tool_call' && (entry.tool_name ?? '').endsWith('search_sessions'),
    );
    found.push(...calls.map(() => id));
  }
  return found;
}

async function readEntries(api: Api, sessionId: string | undefined): Promise<readonly Entry[]> {
  if (sessionId === undefined) return [];
  const { body } = await api.call('GET', `/api/v1/runtime-sessions/${sessionId}/timeline?limit=200`);
  return (body.items ?? []) as unknown as Entry[];
}

async function countFound(api: Api, query: string): Promise<number> {
  const { body } = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query } });
  return ((body.results ?? []) as unknown[]).length;
}

const countOf = (entries: readonly Entry[], kind: string): number =>
  entries.filter((entry) => entry.kind === kind).length;
const sumTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.output_tokens ?? 0), 0);
const lastLine = ({ printed }: Ended): string => printed.trim().split('\n').at(-1) ?? '';
