import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { startAppProcess, type AppProcess } from '@steward/testing';
import { useEmbedding } from '../testing/use-embedding.ts';

const SWEEPER = resolve(import.meta.dirname, '../../../backfill-sweeper/src/main.ts');

const tests = useEmbedding();
let sweeper: AppProcess | undefined;
afterEach(async () => {
  await sweeper?.kill();
});

describe('content that the history sweeper writes (CORP-13, PROC-10)', () => {
  it('receives vectors when its messages arrive, if its account has embedding enabled', async () => {
    const accountId = await tests.addAccount(['known before']);
    // From here on only a message notifies the indexer: it polls once an hour.
    await tests.startIndexer({ SESSION_EMBEDDING_RECONCILE_SECONDS: '3600' });
    await tests.untilEmbedded(accountId, 1);
    await tests.untilAtRest(accountId);
    await tests.query(`insert into gateway.account (id, name) values ($1, 'test')`, [accountId]);
    await tests.query(
      `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, title, title_origin,
         started_at, last_activity_at, last_seen_at, created_at, updated_at)
       select $1, id, 'test', id::text, 'old session ' || id, 'client', now(), now(), now(), now(), now() from unnest($2::uuid[]) id`,
      [accountId, [newId(), newId(), newId()]],
    );
    sweeper = await startAppProcess(SWEEPER, {
      DATABASE_URL: tests.indexer.database().urlForRole(APP_ROLES.backfillSweeper),
      NATS_URL: tests.indexer.server().urlFor('backfill-sweeper'),
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: '0',
      SESSION_SEARCH_BACKFILL_ENABLED: 'true',
      SESSION_SEARCH_REMASK_ENABLED: 'false',
    });
    await tests.untilEmbedded(accountId, 4);
    expect(tests.provider.listInputs().filter((text) => text.includes('old session'))).toHaveLength(3);
  });
});
