import pg from 'pg';
import { newId } from '@steward/crypto';
import { migrateAll } from './migrate-all.ts';
import { useMigrated } from './testing/use-migrated.ts';

/**
 * Tests the setup that CloudNativePG creates for the Helm chart: the extensions were created by a superuser, and the
 * owner may create roles.
 */
describe('a database owner without superuser privileges', () => {
  const migrated = useMigrated();
  const name = `plain_owner_${newId().replaceAll('-', '')}`;

  const connect = async (user?: string): Promise<pg.Client> => {
    const url = new URL(migrated.database.url);
    url.pathname = `/${name}`;
    if (user !== undefined) [url.username, url.password] = [user, 'p'];
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return client;
  };

  beforeAll(async () => {
    await migrated.admin.query(`create role ${name} login createrole password 'p'`);
    await migrated.admin.query(`create database ${name} owner ${name}`);
    const superuser = await connect();
    for (const extension of ['vector', 'btree_gin']) await superuser.query(`create extension ${extension}`);
    await superuser.end();
  });
  // The connection used by the describe block is closed last.
  afterEach(async () => {
    await migrated.admin.query(`drop database ${name} with (force)`);
    await migrated.admin.query(`drop role ${name}`);
  });

  it('can migrate the database to the current version', async () => {
    const url = new URL(migrated.database.url);
    [url.pathname, url.username, url.password] = [`/${name}`, name, 'p'];
    await migrateAll({ databaseUrl: url.href, log: () => undefined });
    const owner = await connect(name);
    const { rows } = await owner.query<{ waiting: string }>('select waiting from flows.backlog()');
    await owner.end();
    expect(rows).toEqual([{ waiting: '0' }]);
  });
});
