import pg from 'pg';
import { APP_ROLES, type AppRole } from '@steward/database';
import { useMigrated } from './testing/use-migrated.ts';

/** Privileges of a role on one table. */
type Privileges = readonly string[];

/** The schemas to which each role has any access (the design's table of contexts). */
const SCHEMAS: Readonly<Record<AppRole, readonly string[]>> = {
  steward_api_gateway: [
    'agents',
    'approvals',
    'backfill',
    'budgets',
    'flows',
    'gateway',
    'models',
    'policies',
    'search',
    'stats',
    'tool_servers',
    'trackers',
    'webhooks',
  ],
  steward_search_indexer: ['search'],
  steward_webhook_dispatcher: ['webhooks'],
  steward_flow_trigger: ['flows', 'gateway', 'search', 'webhooks'],
  steward_backfill_sweeper: ['approvals', 'backfill', 'gateway', 'search', 'webhooks'],
};

/** Privileges that must never be granted: the design relies on these limits. */
const FORBIDDEN: readonly (readonly [AppRole, string, Privileges])[] = [
  ['steward_api_gateway', 'gateway.audit_log', ['UPDATE', 'DELETE', 'TRUNCATE']],
  ['steward_api_gateway', 'gateway.audit_read_count', ['DELETE', 'TRUNCATE']],
  ['steward_api_gateway', 'models.usage', ['DELETE', 'TRUNCATE']],
  ['steward_api_gateway', 'backfill.watermark', ['INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.user_account', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.api_key', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'flows.flow', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'flows.execution', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'flows.execution_workspace_file', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'flows.idempotency_key', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.execution_token', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.audit_log', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'gateway.session_content', ['SELECT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'search.chunk', ['SELECT', 'UPDATE']],
  ['steward_flow_trigger', 'webhooks.endpoint', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_flow_trigger', 'webhooks.endpoint_secret', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_search_indexer', 'search.chunk', ['SELECT', 'INSERT', 'UPDATE']],
  ['steward_backfill_sweeper', 'gateway.runtime_session', ['INSERT', 'UPDATE']],
  ['steward_backfill_sweeper', 'gateway.session_content', ['INSERT', 'UPDATE']],
  ['steward_backfill_sweeper', 'gateway.operator_note', ['SELECT', 'INSERT', 'UPDATE']],
  ['steward_backfill_sweeper', 'gateway.audit_log', ['SELECT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'webhooks.event', ['SELECT', 'INSERT', 'DELETE']],
  ['steward_backfill_sweeper', 'webhooks.endpoint', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'webhooks.endpoint_secret', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'webhooks.delivery', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'approvals.approval_request', ['SELECT', 'INSERT', 'DELETE']],
  ['steward_backfill_sweeper', 'approvals.approval_workflow', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
  ['steward_backfill_sweeper', 'gateway.user_account', ['SELECT']],
];

/** SQL condition for the schemas of the product, including new ones. */
const IS_OURS = `nspname !~ '^pg_' and nspname not in ('information_schema', 'public')`;

describe('database roles', () => {
  const migrated = useMigrated();

  it.each(Object.values(APP_ROLES))('%s can access exactly the schemas defined by the design', async (role) => {
    const found = await migrated.admin.query<{ schema: string }>(
      `select nspname as schema from pg_namespace
       where ${IS_OURS} and has_schema_privilege($1, oid, 'usage') order by 1`,
      [role],
    );
    expect(found.rows.map((row) => row.schema)).toEqual(SCHEMAS[role]);
  });

  it.each(FORBIDDEN)('%s cannot access %s by %j', async (role, table, privileges) => {
    for (const privilege of privileges) {
      const found = await migrated.admin.query<{ granted: boolean }>(
        'select has_table_privilege($1, $2, $3) as granted',
        [role, table, privilege],
      );
      expect([privilege, found.rows[0]?.granted]).toEqual([privilege, false]);
    }
  });

  it.each(['flows.flow', 'flows.execution', 'gateway.execution_token', 'gateway.user_account', 'gateway.api_key'])(
    'give the worker no access to any column of %s: it uses functions that check its lease',
    async (table) => {
      const found = await migrated.admin.query<{ granted: boolean }>(
        `select has_any_column_privilege('steward_flow_trigger', $1, 'select, insert, update') as granted`,
        [table],
      );
      expect(found.rows[0]?.granted).toBe(false);
    },
  );

  it('restrict the worker by a row-level policy in every granted table', async () => {
    const found = await migrated.admin.query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${IS_OURS} and c.relkind in ('r', 'p', 'v', 'm')
         and (has_any_column_privilege('steward_flow_trigger', c.oid, 'select, insert, update')
           or has_table_privilege('steward_flow_trigger', c.oid, 'delete, truncate'))
         and c.relname <> 'schema_migration'
         and not (c.relrowsecurity and exists (
           select from pg_policy p where p.polrelid = c.oid and not p.polpermissive
             and 'steward_flow_trigger'::regrole = any (p.polroles)))`,
    );
    expect(found.rows).toEqual([]);
  });

  it("allow only granted roles to execute functions with the owner's privileges, whose search path is fixed", async () => {
    const found = await migrated.admin.query<{ name: string; config: string[] | null; open: boolean }>(
      `select p.oid::regprocedure::text as name, p.proconfig as config, has_function_privilege('public', p.oid, 'execute') as open
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and ${IS_OURS}`,
    );
    expect(found.rows.length).toBeGreaterThan(10);
    for (const { name, config, open } of found.rows) {
      expect([name, open]).toEqual([name, false]);
      expect([name, config?.[0]]).toEqual([name, expect.stringMatching(/^search_path=pg_catalog(, pg_temp)?$/)]);
    }
  });

  it.each(Object.values(APP_ROLES))('%s can neither create objects nor change the schema', async (role) => {
    const found = await migrated.admin.query<{ schema: string }>(
      `select nspname as schema from pg_namespace
       where (${IS_OURS} or nspname = 'public') and has_schema_privilege($1, oid, 'create')`,
      [role],
    );
    expect(found.rows).toEqual([]);
  });

  it('are enforced by the server: the dispatcher cannot read flows', async () => {
    const dispatcher = new pg.Client({ connectionString: migrated.database.urlForRole(APP_ROLES.webhookDispatcher) });
    await dispatcher.connect();
    await expect(dispatcher.query('select * from flows.flow')).rejects.toMatchObject({ code: '42501' });
    await expect(dispatcher.query('select * from gateway.user_account')).rejects.toMatchObject({ code: '42501' });
    await dispatcher.end();
  });
});
