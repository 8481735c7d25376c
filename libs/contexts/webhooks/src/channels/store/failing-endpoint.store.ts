import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import type { EndpointFailure } from '../channel.ts';

export interface FailingEndpoint {
  readonly accountId: string;
  readonly openedAt: Date;
  readonly data: EndpointFailure;
}

/**
 * Returns the endpoints whose breaker changed from closed to open in the last `minutes` minutes. Push subscriptions are
 * excluded, and so are endpoints whose account had no other receiver of notices about failing endpoints at that time.
 * The period has to be longer than a dispatcher needs to restart.
 */
export async function listFailingEndpoints(db: AnyDatabase, minutes: number): Promise<FailingEndpoint[]> {
  const { rows } = await sql<EndpointFailure & { account_id: string; opened_at: Date; open_until: Date | null }>`
    select m.account_id, m.moved_at as opened_at, e.id as endpoint_id, e.source, e.description, e.origin,
      m.consecutive_failures, e.last_response_status as response_status, e.last_error as error,
      e.circuit_open_until as open_until
    from webhooks.breaker_move m join webhooks.endpoint e on e.id = m.endpoint_id and e.deleted_at is null
    where m.moved_at > now() - make_interval(mins => ${minutes}::int)
      and e.source <> 'push_subscription' and m.from_state = 'closed' and m.to_state = 'open'
      and exists (
        select from webhooks.endpoint c
        where c.account_id = m.account_id and c.channel_kind is not null and c.deleted_at is null
          and ${ENDPOINT_FAILING} = any (c.event_types) and c.id <> m.endpoint_id and c.created_at < m.moved_at
      )
    order by m.moved_at
  `.execute(db);
  return rows.map(({ account_id: accountId, opened_at: openedAt, open_until: openUntil, ...facts }) => ({
    accountId,
    openedAt,
    data: { ...facts, paused_until: openUntil?.toISOString() ?? null },
  }));
}

/** Returns the ids of the messages that are already stored. */
export async function findStoredMessages(
  db: AnyDatabase,
  messages: readonly { readonly accountId: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select e.id from webhooks.event e
    join unnest(${messages.map(({ accountId }) => accountId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[])
      m (account_id, id) on e.account_id = m.account_id and e.id = m.id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
