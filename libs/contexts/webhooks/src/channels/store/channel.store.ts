import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import { endpointColumns, toEndpoint, type EndpointRow } from '../../endpoints/store/endpoint.store.ts';
import { tables } from '../../schema.ts';
import type { Channel, ChannelKind, NoticeType } from '../channel.ts';

type ChannelRow = EndpointRow & { channel_kind: ChannelKind };

const isChannel = sql`e.source = 'notice_channel' and e.deleted_at is null`;

function toChannel(row: ChannelRow): Channel {
  const { source: _source, keepsAnswers: _keepsAnswers, eventTypes, ...shared } = toEndpoint(row);
  return { ...shared, kind: row.channel_kind, notices: eventTypes as readonly NoticeType[] };
}

export interface NewChannel {
  readonly id: string;
  readonly accountId: string;
  readonly kind: ChannelKind;
  readonly address: SealedAddress;
  readonly description: string;
  readonly notices: readonly NoticeType[];
}

/**
 * Inserts a channel. The beginning of every response will be stored, because it contains the reason why a service
 * refused a message.
 */
export async function insertChannel(trx: AnyTransaction, channel: NewChannel): Promise<void> {
  await tables(trx)
    .insertInto('webhooks.endpoint')
    .values({
      id: channel.id,
      account_id: channel.accountId,
      source: 'notice_channel',
      source_id: channel.accountId,
      channel_kind: channel.kind,
      url_sealed: channel.address.sealed,
      origin: channel.address.origin,
      description: channel.description,
      event_types: [...channel.notices],
      keeps_answers: true,
    })
    .execute();
}

/** Returns the number of channels, which is exact while the lock of `lockAccount` is held. */
export async function countChannels(trx: AnyTransaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks.endpoint e where e.account_id = ${accountId} and ${isChannel}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

export async function findChannel(db: AnyDatabase, accountId: string, id: string): Promise<Channel | undefined> {
  const { rows } = await sql<ChannelRow>`
    select ${endpointColumns}, e.channel_kind from webhooks.endpoint e
    where e.account_id = ${accountId} and e.id = ${id} and ${isChannel}
  `.execute(db);
  return rows[0] === undefined ? undefined : toChannel(rows[0]);
}

/** Lists channels, newest first; one row more than `limit` shows that there is another page. */
export async function listChannels(db: AnyDatabase, query: IdPage): Promise<Channel[]> {
  const before = query.beforeId === undefined ? sql`` : sql`and e.id < ${query.beforeId}`;
  const { rows } = await sql<ChannelRow>`
    select ${endpointColumns}, e.channel_kind from webhooks.endpoint e
    where e.account_id = ${query.accountId} and ${isChannel} ${before} order by e.id desc limit ${query.limit + 1}
  `.execute(db);
  return rows.map(toChannel);
}

/** Removes the token of a channel. */
export async function deleteToken(trx: AnyTransaction, accountId: string, id: string): Promise<void> {
  await sql`
    delete from webhooks.endpoint_secret where account_id = ${accountId} and endpoint_id = ${id}
  `.execute(trx);
}
