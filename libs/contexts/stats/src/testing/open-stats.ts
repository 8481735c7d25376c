import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { sql } from 'kysely';
import { readSeries, rollUpFacts, type SeriesName } from '../index.ts';
import type { SeriesRequest } from '../series/operations/read-series.ts';

export type OpenStats = Awaited<ReturnType<typeof openStats>>;

/** Opens a cloned database with the tables of other contexts, read with the gateway's role. */
export async function openStats() {
  const { admin, connectAs, close } = await openClone({ poolSize: 8 });
  const { db } = connectAs(APP_ROLES.apiGateway);
  const write = (text: string, values: readonly unknown[]) => admin.pool.query(text, [...values]);
  return {
    db,
    admin: admin.db,
    write,
    close,
    rollUp: () => rollUpFacts(db),
    read: (accountId: string, name: SeriesName, more: Partial<SeriesRequest> = {}) =>
      readSeries(db, {
        ...{ accountId, name, step: 'hour', timeZone: 'UTC', limit: 50 },
        ...{ from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z'), ...more },
      }),
    /** Records a model call, or replaces an existing record whose usage was assumed. */
    async call(
      accountId: string,
      { at, id = newId(), cost = '0', alias = 'fast', agent = null, source = 'provider' }: Call,
    ) {
      await write(
        `insert into models.usage (account_id, id, occurred_at, model_alias, managed_agent_id, provider, endpoint, status,
           input_tokens, output_tokens, cost_usd, price_source, usage_source, duration_ms, stream)
         values ($1, $2, $3, $4, $5, 'openai', 'responses', 'ok', 100, 5, $6, 'catalogue', $7, 20, true)
         on conflict (account_id, id) do update set cost_usd = excluded.cost_usd, occurred_at = excluded.occurred_at,
           usage_source = excluded.usage_source, model_alias = excluded.model_alias`,
        [accountId, id, at, alias, agent, cost, source],
      );
      return id;
    },
    async waiting(): Promise<number> {
      const { rows } = await sql<{ n: number }>`select count(*) as n from stats.pending`.execute(admin.db);
      return rows[0]?.n ?? 0;
    },
  };
}

export interface Call {
  readonly at: Date | string;
  readonly id?: string;
  readonly cost?: string | null;
  readonly alias?: string | null;
  readonly agent?: string | null;
  readonly source?: string;
}
