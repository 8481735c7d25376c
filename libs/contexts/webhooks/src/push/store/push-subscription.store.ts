import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { NoticeType } from '../../channels/channel.ts';
import { tables } from '../../schema.ts';
import type { PushSubscription } from '../push-subscription.ts';

export interface NewSubscription {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly loginId: string;
  readonly address: SealedAddress;
  readonly description: string;
  readonly notices: readonly NoticeType[];
}

export async function insertSubscription(trx: AnyTransaction, subscription: NewSubscription): Promise<void> {
  const { id, accountId, userId, loginId, address } = subscription;
  await tables(trx)
    .insertInto('webhooks.endpoint')
    .values({
      id,
      account_id: accountId,
      source: 'push_subscription',
      source_id: loginId,
      channel_kind: 'web_push',
      url_sealed: address.sealed,
      origin: address.origin,
      description: subscription.description,
      event_types: [...subscription.notices],
    })
    .execute();
  await sql`
    insert into webhooks.push_subscription (endpoint_id, account_id, user_id, login_id)
    values (${id}, ${accountId}, ${userId}, ${loginId})
  `.execute(trx);
}

export interface StoredSubscription extends PushSubscription {
  readonly accountId: string;
  readonly sealed: Buffer;
}

/**
 * Returns the subscriptions of a person, newest first, except those whose login has ended; none if the person has been
 * deactivated.
 */
export async function listSubscriptions(db: AnyDatabase, userId: string): Promise<StoredSubscription[]> {
  const { rows } = await sql<StoredSubscription>`
    select e.id, s.account_id as "accountId", s.login_id as "loginId", e.url_sealed as sealed, e.description, e.origin,
      e.event_types as notices, e.last_delivery_status as "lastDeliveryStatus", e.last_delivery_at as "lastDeliveryAt",
      e.last_error as "lastError", e.created_at as "createdAt"
    from webhooks.push_subscription s join webhooks.endpoint e on e.id = s.endpoint_id and e.deleted_at is null
    where s.user_id = ${userId} and webhooks.push_reader(s.endpoint_id) is not null
    order by e.id desc
  `.execute(db);
  return rows;
}

export async function deleteSubscriptionRow(trx: AnyTransaction, id: string): Promise<void> {
  await sql`delete from webhooks.push_subscription where endpoint_id = ${id}`.execute(trx);
  await sql`delete from webhooks.endpoint_secret where endpoint_id = ${id}`.execute(trx);
}

/**
 * Returns the permissions of the person to whom the subscription belongs, which determine what the person may read;
 * undefined if the login of the subscription has ended, or if the person has been deactivated.
 */
export async function findPushReader(db: AnyDatabase, id: string): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ permissions: string[] | null }>`
    select webhooks.push_reader(${id}) as permissions
  `.execute(db);
  return rows[0]?.permissions ?? undefined;
}

/**
 * Number of consecutive failures after which a subscription ends: by default, ten failures open its breaker, and one
 * probe follows every 15 minutes. There is a maximum because the messages that wait for the subscription count towards
 * the limit of the account’s pending deliveries.
 */
const MAX_FAILURES = 20;

/**
 * Returns subscriptions that have ended: the push service no longer knows them (404 or 410, RFC 8030) or has not
 * accepted a message for hours, their login has ended, or the person has been deactivated.
 */
export async function listEndedSubscriptions(
  db: AnyDatabase,
  limit: number,
): Promise<{ readonly id: string; readonly accountId: string }[]> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select s.endpoint_id as id, s.account_id as "accountId"
    from webhooks.push_subscription s join webhooks.endpoint e on e.id = s.endpoint_id
    where e.last_response_status in (404, 410) or e.consecutive_failures >= ${MAX_FAILURES}
      or webhooks.push_reader(s.endpoint_id) is null
    limit ${limit}
  `.execute(db);
  return rows;
}
