import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { bareEnvironment, createTestDatabase } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';

describe('npm run backfill', () => {
  it('uses the database given by DATABASE_URL, regardless of which stack is running', async () => {
    const database = await createTestDatabase();
    try {
      const env = { ...bareEnvironment(), DATABASE_URL: database.urlForRole(APP_ROLES.backfillSweeper) };
      const file = resolve(WORKSPACE_ROOT, 'tools/src/backfill/main.ts');
      const id = newId();
      const { status, stderr } = spawnSync(process.execPath, [file, '--account', id], { env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([1, `backfill: the account ${id} does not exist\n`]);
    } finally {
      await database.drop();
    }
  });
});
