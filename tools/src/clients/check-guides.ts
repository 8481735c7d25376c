import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bareEnvironment } from '@steward/testing';
import { createApi, requireStatus, type Api } from '../demo/api.ts';
import { registerOwner } from '../e2e/register-owner.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { listGuidePrograms, type GuideProgram } from './guide-programs.ts';
import { lastLine, tell, type Line } from './line.ts';
import { AGENT_TITLE } from './plan.ts';
import { countFound, countOf, eventually, listSessions, readEntries, sumTokens, type Entry } from './read-sessions.ts';
import { runProgram, type Ended } from './run-program.ts';
import { INPUT_TOKENS, type PlannedProvider } from './start-planned-provider.ts';

export interface GuideDeps {
  readonly url: string;
  readonly provider: PlannedProvider;
}

const MODULES = resolve(WORKSPACE_ROOT, 'tools/clients/node_modules');

/** Runs the programs in the guides unchanged, and compares their activity with the stored data. */
export async function checkGuides(
  deps: GuideDeps,
): Promise<readonly (readonly [name: string, lines: readonly Line[]])[]> {
  const results: [string, readonly Line[]][] = [];
  for (const [index, program] of listGuidePrograms(deps.provider.origin).entries())
    results.push([program.name, await checkGuide(deps, program, `guide-${index}`)]);
  return results;
}

async function checkGuide(deps: GuideDeps, program: GuideProgram, username: string): Promise<readonly Line[]> {
  const { api, accessToken } = await registerOwner(createApi(deps.url), username);
  await addModels(api, deps.provider);
  const run = await runGuide(deps.url, program, accessToken);
  const ran = tell('runs and ends', run.code === 0 && run.printed.includes(program.prints ?? ''), lastLine(run));
  if (program.calls === 0) return [ran, ...STORED.map((check) => tell(check, undefined, 'it calls no model'))];
  return [ran, ...(await checkStored(api, program))];
}

const STORED = ['one session', 'its conversation', 'calls', 'words', 'model', 'tokens', 'title', 'search'];

async function checkStored(api: Api, program: GuideProgram): Promise<readonly Line[]> {
  const session = await eventually(async () => (await listSessions(api))[0]);
  await eventually(async () => countOf(await readEntries(api, session?.id), 'gateway_interaction') >= program.calls);
  const entries = await readEntries(api, session?.id);
  const calls = entries.filter(({ kind }) => kind === 'gateway_interaction');
  const text = JSON.stringify(entries);
  const sessions = await listSessions(api);
  const input = calls.reduce((sum, { input_tokens: count }) => sum + (count ?? 0), 0);
  return [
    tell(
      'one session',
      sessions.length === 1,
      `${sessions.length} sessions: ${JSON.stringify(sessions.map(({ session_source_id: id }) => id))}`,
    ),
    tell(
      'its conversation',
      program.conversation === undefined ? undefined : session?.session_source_id === program.conversation,
      String(session?.session_source_id),
    ),
    tell('calls', calls.length === program.calls, `${calls.length} of ${program.calls}`),
    tell('words', text.includes('Hello') && text.includes(AGENT_TITLE), text.slice(0, 600)),
    tell(
      'model',
      program.models.every((model) => text.includes(`"${model}"`)),
      describeModels(calls),
    ),
    tell(
      'tokens',
      input === program.calls * INPUT_TOKENS && sumTokens(calls) === program.calls,
      `${input} and ${sumTokens(calls)}`,
    ),
    tell('title', sessions[0]?.title === 'Hello', String(sessions[0]?.title)),
    tell('search', await eventually(async () => (await countFound(api, AGENT_TITLE)) > 0), 'not found'),
  ];
}

const describeModels = (calls: readonly Entry[]): string => JSON.stringify(calls).slice(0, 400);

async function addModels(api: Api, { origin }: PlannedProvider): Promise<void> {
  for (const [alias, provider, path] of [
    ['fast', 'openai', '/v1'],
    ['careful', 'anthropic', ''],
  ] as const) {
    const body = { alias, provider, base_url: `${origin}${path}`, model_identifier: alias, api_key: 'none' };
    await requireStatus(201, api.call('POST', '/api/v1/ai-models', { body }));
  }
}

/**
 * Runs a program with a separate home directory, and a folder that contains only the packages that the program names.
 */
function runGuide(url: string, { packages, text }: GuideProgram, key: string): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-guide-'));
  for (const [name, target] of Object.entries(packages ?? {})) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(MODULES, target), link);
  }
  const file = packages === undefined ? 'lines.sh' : 'program.mts';
  writeFileSync(
    join(folder, file),
    text.replaceAll(/https:\/\/steward\.example\.com|http:\/\/127\.0\.0\.1:8000/g, url),
  );
  const { PATH = '', ...bare } = bareEnvironment();
  const env = {
    ...bare,
    ...{ HOME: folder, PATH: `${join(MODULES, '.bin')}:${PATH}`, STEWARD_KEY: key, STEWARD_API_KEY: key },
    ...{ OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
  };
  const command = packages === undefined ? (['bash', '-e', file] as const) : ([process.execPath, file] as const);
  return runProgram(command, { cwd: folder, env });
}
