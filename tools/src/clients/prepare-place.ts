import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bareEnvironment } from '@steward/testing';
import { requireStatus, type Api } from '../demo/api.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { Client, Workplace } from './agents.ts';
import { PASSWORD } from '../e2e/register-owner.ts';
import { runProgram, type Ended, type ProgramOptions } from './run-program.ts';
import type { PlannedProvider } from './start-planned-provider.ts';

export interface PlaceDeps {
  /** API client with the login of the account's owner. */
  readonly api: Api;
  readonly username: string;
  readonly url: string;
  readonly provider: PlannedProvider;
}

/** Prepares a separate home directory with the agent's key and the user's login, enrolled as the guides describe. */
export async function preparePlace({ api, username, url, provider }: PlaceDeps, client: Client): Promise<Workplace> {
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
  const agentId = String(agent['id']);
  const login = ['login', '--url', url, '--username', username];
  await steward({ home, folder }, login, { input: `${PASSWORD}\n` });
  const key = await steward({ home, folder }, ['keys', 'create', '--for-agent', agentId, '--name', client.name]);
  const place = { home, folder, url, key: key.output.trim(), model, agentId };
  client.configure?.(place);
  if (client.enrolls === undefined) return place;
  const args = ['agents', 'enroll', client.enrolls, '--model', model, '--agent-id', agentId];
  await steward(place, args);
  return place;
}

/**
 * Runs a command that must succeed for the checks to begin.
 * @throws the output of the command
 */
async function steward(...[place, args, options]: Parameters<typeof runSteward>): Promise<Ended> {
  const ended = await runSteward(place, args, options);
  if (ended.code !== 0) throw new Error(`steward ${args[0]} ${args[1]}: ${ended.printed}`);
  return ended;
}

/** Runs the command line of the service as a user with this home directory would. */
export function runSteward(
  { home, folder }: Pick<Workplace, 'home' | 'folder'>,
  args: readonly string[],
  { env = {}, input }: Partial<Pick<ProgramOptions, 'env' | 'input'>> = {},
): Promise<Ended> {
  const environment = { ...bareEnvironment(), HOME: home, ...env };
  return runProgram([join(home, 'bin', 'steward'), ...args], {
    ...{ cwd: folder, env: environment },
    ...(input === undefined ? {} : { input }),
  });
}

export function toEnvironment(client: Client, place: Workplace): Record<string, string> {
  const { PATH = '', ...bare } = bareEnvironment();
  const programs = [join(place.home, 'bin'), resolve(WORKSPACE_ROOT, 'tools/clients/node_modules/.bin')];
  return {
    ...bare,
    PATH: [...programs, PATH].join(':'),
    HOME: place.home,
    STEWARD_URL: place.url,
    STEWARD_API_KEY: place.key,
    ...client.environment(place),
  };
}
