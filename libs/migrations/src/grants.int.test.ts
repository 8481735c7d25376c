import pg from 'pg';
import { APP_ROLES, type AppRole } from '@steward/database';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

/** What a role may do with one table. */
type Privileges = readonly string[];

/** Who touches which schema at all (the design's table of slices). */
const SCHEMAS: Readonly<Record<AppRole, readonly string[]>> = {
  steward_api_gateway: ['backfill', 'flows', 'gateway', 'search', 'webhooks'],
  steward_search_indexer: ['search'],
  steward_webhook_dispatcher: ['webhooks'],
  steward_flow_trigger: ['flows', 'gateway', 'search', 'webhooks'],
  steward_backfill_sweeper: ['backfill', 'gateway', 'search'],
};

/** What must not be granted, whatever else is: the ends of privilege that the design rests on. */
const FORBIDDEN: readonly (readonly [AppRole, string, Privileges])[] = [
  ['steward_api_gateway', 'gateway.audit_log', ['UPDATE', 'DELETE', 'TRUNCATE']],
  ['steward_api_gateway', 'backfill.watermark', ['INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.user_account', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.api_key', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'flows.flow', ['INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'webhooks.endpoint_secret', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'gateway.runtime_session', ['INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'gateway.session_content', ['INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'gateway.user_account', ['SELECT']],
];

describe('database roles', () => {
  let database: TestDatabase;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  it.each(Object.values(APP_ROLES))('%s reaches exactly the schemas of the design', async (role) => {
    const found = await admin.query<{ schema: string }>(
      `select nspname as schema from pg_namespace
       where nspname in ('gateway', 'search', 'webhooks', 'flows', 'backfill') and has_schema_privilege($1, oid, 'usage') order by 1`,
      [role],
    );
    expect(found.rows.map((row) => row.schema)).toEqual(SCHEMAS[role]);
  });

  it.each(FORBIDDEN)('%s may not touch %s by %j', async (role, table, privileges) => {
    for (const privilege of privileges) {
      const found = await admin.query<{ granted: boolean }>('select has_table_privilege($1, $2, $3) as granted', [
        role,
        table,
        privilege,
      ]);
      expect([privilege, found.rows[0]?.granted]).toEqual([privilege, false]);
    }
  });

  it('keeps the webhook secret of a flow from the worker that runs it', async () => {
    const found = await admin.query<{ granted: boolean }>(
      `select has_column_privilege('steward_flow_trigger', 'flows.flow', 'webhook_secret_sealed', 'select') as granted`,
    );
    expect(found.rows[0]?.granted).toBe(false);
  });

  it.each(Object.values(APP_ROLES))('%s can neither create objects nor change the schema', async (role) => {
    const found = await admin.query<{ schema: string }>(
      `select nspname as schema from pg_namespace
       where nspname in ('gateway', 'search', 'webhooks', 'flows', 'backfill', 'public') and has_schema_privilege($1, oid, 'create')`,
      [role],
    );
    expect(found.rows).toEqual([]);
  });

  it('is refused by the server, not only on paper: the dispatcher reading flows', async () => {
    const dispatcher = new pg.Client({ connectionString: database.urlForRole(APP_ROLES.webhookDispatcher) });
    await dispatcher.connect();
    await expect(dispatcher.query('select * from flows.flow')).rejects.toMatchObject({ code: '42501' });
    await expect(dispatcher.query('select * from gateway.user_account')).rejects.toMatchObject({ code: '42501' });
    await dispatcher.end();
  });
});
