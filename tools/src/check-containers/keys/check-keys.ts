import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../../workspace.ts';
import type { Checks } from '../checks.ts';
import { createComposeProject } from '../compose-project.ts';
import { upAndHealthy } from '../compose/start-up.ts';
import { requireProgram } from '../docker.ts';
import { registerVisitor } from '../visitor.ts';
import { startKeyServers } from './key-servers.ts';
import { makeFolder } from '../make-folder.ts';

const TRIES = 20;
const EXAMPLE = resolve(WORKSPACE_ROOT, 'deploy/env/.env.example');

/**
 * Ways in which people fill in the example file: not at all, as described, and with their own values (openssl rand
 * -base64 36, unusual passwords).
 */
const FILLERS: readonly ((name: string) => string)[] = [
  () => '',
  () => randomBytes(32).toString('hex'),
  () => randomBytes(36).toString('base64'),
  (name) =>
    name === 'SECRET_KEY'
      ? randomBytes(36).toString('base64')
      : `'${randomBytes(18).toString('base64')}/@:?# %25 ä$HOME{}'`,
];

function fillExample(attempt: number): string {
  const fill = FILLERS[attempt % FILLERS.length] ?? (() => '');
  return readFileSync(EXAMPLE, 'utf8').replaceAll(/^([A-Z_]+)=$/gm, (_line, name: string) => `${name}=${fill(name)}`);
}

/** Checks that following `.env.example` literally works. */
export async function checkKeys(checks: Checks): Promise<void> {
  await checks.check(
    'keys',
    `.env.example followed to the letter: every login works, ${TRIES} of ${TRIES} times`,
    checkTries,
  );
  for (const [attempt, what] of [
    [2, 'base64'],
    [3, 'odd characters'],
  ] as const) {
    const project = await createComposeProject('steward-check-keys', { envFile: fillExample(attempt) });
    try {
      await checks.check('keys', `a deployment with values of ${what} in .env becomes healthy`, async () => {
        await project.compose('run', '--rm', 'derive-keys');
        const time = await upAndHealthy(project);
        await registerVisitor(project.apiUrl);
        return time;
      });
    } finally {
      await project.remove();
    }
  }
}

async function checkTries(): Promise<string> {
  const folder = makeFolder('steward-check-keys');
  const servers = await startKeyServers(resolve(folder, 'nats-config'));
  try {
    let logins = 0;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const out = resolve(folder, `secrets-${attempt}`);
      const env = resolve(folder, `env-${attempt}`);
      writeFileSync(env, fillExample(attempt));
      await requireProgram(['npm', 'run', '--silent', 'derive-keys', '--', '--out', out, '--env', env], {
        directory: WORKSPACE_ROOT,
      });
      cpSync(resolve(out, 'nats-config'), resolve(folder, 'nats-config'));
      logins += await servers.tryLogins(out);
    }
    return `${logins} logins`;
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
