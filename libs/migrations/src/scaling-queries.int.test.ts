import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { APP_ROLES } from '@steward/database';
import { newId } from '@steward/crypto';
import { useMigrated } from './testing/use-migrated.ts';

/** Data about the apps in the Helm chart, without the surrounding template code. */
const facts = parse(
  /define "steward\.facts" -\}\}\n(.*?)\{\{- end \}\}/s.exec(
    readFileSync(resolve(import.meta.dirname, '../../../deploy/helm/steward/templates/_names.tpl'), 'utf8'),
  )?.[1] ?? '',
) as Readonly<Record<string, { readonly backlog?: string }>>;
const queries = Object.entries(facts).flatMap(([app, { backlog }]) =>
  backlog === undefined ? [] : [[`steward_${app.replaceAll('-', '_')}`, backlog] as const],
);

describe('the backlog that Kubernetes uses to scale an app', () => {
  const migrated = useMigrated();

  it('is available to three apps, each with its own database role', () => {
    expect(queries.map(([role]) => role).sort()).toEqual(
      [APP_ROLES.searchIndexer, APP_ROLES.webhookDispatcher, APP_ROLES.flowTrigger].sort(),
    );
  });

  it.each(queries)('is one number that %s can read with its own login', async (role, query) => {
    await migrated.admin.query('begin');
    try {
      await migrated.admin.query(`set local role ${role}`);
      const { rows } = await migrated.admin.query<Record<string, string>>(query);
      expect(rows.map((row) => Object.values(row).map(Number))).toEqual([[0]]);
    } finally {
      await migrated.admin.query('rollback');
    }
  });

  it('counts pending and running executions, and reports how long the oldest one has been waiting', async () => {
    const insert = (status: string, age: string): Promise<unknown> =>
      migrated.admin.query(
        `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at,
           finished_at)
         values ($1, $1, $1, 'f', $2, 'manual', '{}', now() - $3::interval, case when $2 = 'SUCCEEDED' then now() end)`,
        [newId(), status, age],
      );
    await insert('PENDING', '1 minute');
    await insert('PENDING', '1 hour');
    await insert('RUNNING', '2 hours');
    await insert('SUCCEEDED', '3 hours');
    const { rows } = await migrated.admin.query<{ waiting: string; running: string; seconds: number }>(
      'select waiting, running, oldest_waiting_seconds as seconds from flows.backlog()',
    );
    expect(rows).toEqual([{ waiting: '2', running: '1', seconds: expect.any(Number) }]);
    expect(Math.floor((rows[0]?.seconds ?? 0) / 3600)).toBe(1);
  });
});
