import { newId } from '@steward/crypto';
import { createDatabase } from '@steward/database';
import { gatewayMigrations } from '@steward/gateway-schema';
import { createLogger } from '@steward/process';
import { useMigrated } from './testing/use-migrated.ts';

describe('audit rows written before sealing existed (ACC-51)', () => {
  const migrated = useMigrated();

  it('are queued for sealing, once each, even if the step is repeated', async () => {
    const { admin, database } = migrated;
    const accountId = newId();
    const ids = Array.from({ length: 20_001 }, () => newId());
    await admin.query(
      `insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, source, action, resource_type, status, details)
       select id, $1, now(), 'user', 'console', 'update', 'flow', 'success', '{}' from unnest($2::uuid[]) id`,
      [accountId, ids],
    );
    const countQueued = async (): Promise<number> =>
      (await admin.query('select from gateway.audit_unsealed where account_id = $1', [accountId])).rowCount ?? 0;
    await admin.query('delete from gateway.audit_unsealed where audit_id <> $1', [ids[7]]);
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    const owner = createDatabase({ url: database.url, applicationName: 'test', poolSize: 1, logger });
    await gatewayMigrations.migrations['0035_queue_audits']?.up(owner.db);
    expect(await countQueued()).toBe(ids.length);
    await gatewayMigrations.migrations['0035_queue_audits']?.up(owner.db);
    expect(await countQueued()).toBe(ids.length);
    await owner.close();
  });
});
