import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { createTurns } from '@steward/async';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { bareEnvironment, eventually, releaseAfterAll } from '@steward/testing';
import { BUILT_CLI } from '../build/pack-cli.ts';
import { createApi, requireStatus } from '../demo/api.ts';
import { listBlocks, NOT_RUN, withoutNotRun, type DocumentedBlock } from './documented-commands.ts';
import { createGuideThings } from './guide-things.ts';
import { makeGuideWorkplace } from './guide-workplace.ts';
import { PASSWORD, registerOwner } from './register-owner.ts';
import { findSharedSuite, takeOutsidePort, type SharedSuite } from './shared-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

const release = releaseAfterAll();
let suite: SharedSuite;
let provider: FakeProvider;
let people = 0;
/** Number of blocks that run at the same time: they spend most of their time waiting. */
const AT_ONCE = 3;
const runs = new Map<DocumentedBlock, ReturnType<typeof typeBlock>>();
beforeAll(async () => {
  provider = await startFakeProvider({ port: await takeOutsidePort() });
  release(provider.close);
  suite = await findSharedSuite();
  const turns = createTurns(AT_ONCE);
  for (const [, block] of runnable) {
    const run = turns.run(() => typeBlock(block));
    run.catch(() => undefined);
    runs.set(block, run);
  }
}, START_TIMEOUT_MS);

const blocks = listBlocks();
const name = ({ page, text }: DocumentedBlock): string => `${page}: ${text.split('\n')[0]?.slice(0, 60)}`;
const ofLanguage = (language: string) =>
  blocks.filter((block) => block.language === language).map((block) => [name(block), block] as const);
const runnable = ofLanguage('sh').filter(([, block]) => /\S/.test(withoutNotRun(block)));

interface Run {
  readonly code: number | null;
  readonly printed: string;
}

/** Runs a block in a shell, with its own account, key and files. */
async function typeBlock(block: DocumentedBlock): Promise<Run & { readonly stored: number }> {
  const username = `guide${(people += 1)}`;
  const { api, accessToken } = await registerOwner(createApi(suite.url), username);
  const agent = await requireStatus(
    201,
    api.call('POST', '/api/v1/agents', { body: { agent_kind: 'claude_code', display_name: 'Claude' } }),
  );
  const principal = { type: 'managed_agent', id: String(agent.id) };
  const key = await requireStatus(201, api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'mine' } }));
  const scopes = ['view_runtime_sessions', 'manage_runtime_sessions', 'view_approvals', 'view_ai_models'];
  const body = { name: 'of an agent', scopes, runtime_principal: principal };
  const agentKey = await requireStatus(201, api.call('POST', '/api/v1/auth/api-keys', { body }));
  const { body: me } = await api.call('GET', '/api/v1/users/me');
  const place = makeGuideWorkplace();
  try {
    const things = createGuideThings(api, createApi(suite.url, String(agentKey.key)), principal.id);
    const filled = await things.fill(withoutNotRun(block));
    const script = pointToSuite(filled)
      // A failure inside the declaration would be ignored.
      .replaceAll(/^export (\w+)=\$\(/gm, 'export $1; $1=$(')
      .replaceAll(/--username dana\b/g, `--username ${username}`)
      .replaceAll(/--register dana@example.com/g, '')
      .replaceAll(/TOKEN=\.\.\./g, `TOKEN=${accessToken}`);
    const { PATH, ...bare } = bareEnvironment();
    const env = {
      ...bare,
      PATH: `${place.programs}:${PATH}`,
      HOME: place.home,
      NODE: process.execPath,
      STEWARD_CLI: BUILT_CLI,
      API: `${suite.url}/api/v1`,
      URL: suite.url,
      STEWARD: suite.url,
      STEWARD_API_URL: suite.url,
      STEWARD_URL: suite.url,
      AUTH: `authorization: Bearer ${accessToken}`,
      JSON: 'content-type: application/json',
      NDJSON: 'content-type: application/x-ndjson',
      TOKEN: accessToken,
      KEY: String(key.key),
      KEY_ID: String(key.id),
      STEWARD_KEY: String(key.key),
      STEWARD_TOKEN: String(key.key),
      PASSWORD,
      ...(/^(?:npx )?steward login/.test(script) ? {} : { STEWARD_API_KEY: accessToken }),
      AGENT: principal.id,
      ACCOUNT_ID: String(me.account_id),
      COMMIT: '59b20b8',
    };
    const prelude = 'set -euo pipefail\nsend() { curl -sS -H "Authorization: Bearer $TOKEN" "$@"; }\n';
    const run = await runScript(prelude + script, { cwd: place.folder, env });
    const { body: sessions } = await api.call('GET', '/api/v1/runtime-sessions?limit=50');
    return { ...run, stored: ((sessions.items ?? []) as unknown[]).length };
  } finally {
    place.remove();
  }
}

function pointToSuite(text: string): string {
  return text.replaceAll(
    /https:\/\/(?:steward\.example(?:\.com)?|…)(?=\/)|https:\/\/steward\.example\.com|http:\/\/127\.0\.0\.1:8000/g,
    suite.url,
  );
}

/**
 * Runs a block as a program, with the packages of this repository and an account that has the models used in the
 * guides.
 */
async function runProgram(block: DocumentedBlock) {
  const { api, accessToken } = await registerOwner(createApi(suite.url), `guide${(people += 1)}`);
  const models = { fast: 'openai', careful: 'anthropic' };
  for (const [alias, kind] of Object.entries(models)) {
    const body = { alias, provider: kind, base_url: provider.origin, model_identifier: 'fake-large', api_key: 'none' };
    await requireStatus(201, api.call('POST', '/api/v1/ai-models', { body }));
  }
  const place = makeGuideWorkplace();
  try {
    symlinkSync(resolve(WORKSPACE_ROOT, 'node_modules'), join(place.folder, 'node_modules'));
    writeFileSync(join(place.folder, 'program.mts'), pointToSuite(withoutNotRun(block)));
    const env = { ...bareEnvironment(), NODE: process.execPath, HOME: place.home, STEWARD_KEY: accessToken };
    return { api, ...(await runScript('exec "$NODE" program.mts', { cwd: place.folder, env })) };
  } finally {
    place.remove();
  }
}

function runScript(
  script: string,
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Run> {
  const child = spawn('bash', ['-c', script], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  child.stdin.on('error', () => undefined);
  child.stdin.end();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed }));
  });
}

describe('a command of a guide', () => {
  it.each(runnable)('runs unchanged: %s', async (_name, block) => {
    const run = await runs.get(block);
    if (run === undefined) throw new Error('it was not begun');
    expect([run.code, run.printed]).toEqual([0, run.printed]);
    // Commands that import sessions must have stored some sessions.
    if (block.page === 'docs/use/import.md' && /import/.test(block.text)) expect(run.stored).toBeGreaterThan(0);
  });

  it('that is excluded has a reason, and occurs in its guide', () => {
    const lost = NOT_RUN.filter(
      ({ page, begins }) =>
        !blocks.some((block) => block.page === page && block.text.split('\n').some((line) => line.startsWith(begins))),
    );
    expect(lost).toEqual([]);
  });
});

describe('a program of a guide', () => {
  const programs = ofLanguage('ts').filter(([, block]) => /\S/.test(withoutNotRun(block)));

  it.each(programs)('runs unchanged, and its calls are stored: %s', async (_name, block) => {
    const { api, code, printed } = await runProgram(block);
    expect([code, printed]).toEqual([0, printed]);
    await eventually(async () => {
      const { body } = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: 'Hello' } });
      return (body.results as unknown as unknown[]).length === 1;
    });
  });

  it('that is in another language is in the list of excluded ones', () => {
    expect(ofLanguage('python').filter(([, block]) => /\S/.test(withoutNotRun(block)))).toEqual([]);
    const known = new Set(['bash', 'html', 'ini', 'json', 'python', 'sh', 'sql', 'toml', 'ts', 'yaml']);
    expect(blocks.filter(({ language }) => !known.has(language))).toEqual([]);
  });
});

describe('a file of a guide', () => {
  it.each(ofLanguage('json'))('is JSON: %s', (_name, { text }) => {
    JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
  });

  it.each(ofLanguage('toml'))('is TOML: %s', (_name, { text }) => {
    expect(Object.keys(parseToml(text)).length).toBeGreaterThan(0);
  });
});
