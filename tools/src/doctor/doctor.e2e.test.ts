import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { bareEnvironment, createTestDatabase } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { isBelow } from './server-checks.ts';

const run = (databaseUrl: string, ...args: string[]) =>
  spawnSync(process.execPath, [resolve(WORKSPACE_ROOT, 'tools/src/doctor/main.ts'), ...args], {
    env: { ...bareEnvironment(), DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  });

describe('npm run doctor', () => {
  it('reports for each check whether action is needed, and changes nothing', async () => {
    const database = await createTestDatabase();
    try {
      const { status, stdout } = run(database.url);
      expect(status).toBe(0);
      for (const topic of ['pgvector', 'work_mem', 'pending lists', 'statistics of words', 'index chunk_tsv_index']) {
        expect(stdout).toMatch(new RegExp(`^(ok  |TODO)  ${topic}`, 'm'));
      }
      // The extension that was temporarily installed is no longer there.
      expect(stdout).toMatch(/pending lists of the text index +0 pages, 0 entries/);
    } finally {
      await database.drop();
    }
  });

  it('reports which checks a role without superuser or owner privileges cannot perform, and the results of the others', async () => {
    const database = await createTestDatabase();
    try {
      const { status, stdout, stderr } = run(database.urlForRole(APP_ROLES.apiGateway));
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^TODO {2}statistics of words +not known/m);
      expect(stdout).toMatch(/^TODO {2}pending lists of the text index +not known/m);
      expect(stdout).toMatch(/^ok {4}index chunk_tsv_index/m);
    } finally {
      await database.drop();
    }
  });

  it('exits with one line if there is no corpus, and never prints the password', () => {
    const { status, stderr } = run('postgres://app:hunter22@127.0.0.1:1/x');
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).not.toContain('hunter22');
  });

  it('compares versions numerically', () => {
    expect([isBelow('0.8.0', [0, 8, 4]), isBelow('0.8.10', [0, 8, 4]), isBelow('1.0', [0, 8, 4])]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
