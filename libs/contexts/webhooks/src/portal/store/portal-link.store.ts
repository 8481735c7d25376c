import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import type { PortalLink } from '../portal-link.ts';

interface PortalLinkRow {
  id: string;
  group_name: string;
  event_types: string[];
  frame_origins: string[];
  created_at: Date;
  expires_at: Date;
}

const columns = sql`id, group_name, event_types, frame_origins, created_at, expires_at`;

function toLink(row: PortalLinkRow): PortalLink {
  return {
    id: row.id,
    group: row.group_name,
    eventTypes: row.event_types,
    frameOrigins: row.frame_origins,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export interface NewPortalLink {
  readonly id: string;
  readonly accountId: string;
  readonly tokenHash: Buffer;
  readonly group: string;
  readonly eventTypes: readonly string[];
  readonly frameOrigins: readonly string[];
  readonly madeByUserId: string;
  readonly madeByKeyId: string | undefined;
  readonly expiresAt: Date;
}

export async function insertPortalLink(trx: AnyTransaction, link: NewPortalLink): Promise<PortalLink> {
  const { rows } = await sql<PortalLinkRow>`
    insert into webhooks.portal_link (
      id, account_id, token_hash, group_name, event_types, frame_origins, created_by_user_id, created_by_key_id, expires_at
    ) values (
      ${link.id}, ${link.accountId}, ${link.tokenHash}, ${link.group}, ${[...link.eventTypes]}::text[],
      ${[...link.frameOrigins]}::text[], ${link.madeByUserId}, ${link.madeByKeyId ?? null}, ${link.expiresAt}
    ) returning ${columns}
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the portal link just inserted is missing');
  return toLink(row);
}

/** Returns the number of links that have not expired. The number is exact while the lock of `lockAccount` is held. */
export async function countPortalLinks(trx: AnyTransaction, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks.portal_link where account_id = ${accountId} and expires_at > ${now}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Lists links that have not expired, newest first; one row more than `limit` shows that there is another page. */
export async function listPortalLinks(db: AnyDatabase, query: IdPage & { readonly now: Date }): Promise<PortalLink[]> {
  const before = query.beforeId === undefined ? sql`` : sql`and id < ${query.beforeId}`;
  const { rows } = await sql<PortalLinkRow>`
    select ${columns} from webhooks.portal_link
    where account_id = ${query.accountId} and expires_at > ${query.now} ${before}
    order by id desc limit ${query.limit + 1}
  `.execute(db);
  return rows.map(toLink);
}

/** Deletes a link, even if it has expired, and returns whether it existed. */
export async function deletePortalLink(trx: AnyTransaction, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from webhooks.portal_link where account_id = ${accountId} and id = ${id} returning id
  `.execute(trx);
  return rows.length > 0;
}

/** A link with its scope, the hash of its token, and the user (and the API key, if any) that created it. */
export interface PortalCredential {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly group: string;
  readonly eventTypes: string[];
  readonly madeByUserId: string;
  readonly madeByKeyId: string | undefined;
}

/** Returns the credentials of the links that have one of these tokens and have not expired. */
export async function findPortalCredentials(
  db: AnyDatabase,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<PortalCredential[]> {
  const { rows } = await executePrepared(
    db,
    'webhooks.portal-links',
    sql<Omit<PortalCredential, 'madeByKeyId'> & { madeByKeyId: string | null }>`
    select id, token_hash as "tokenHash", account_id as "accountId", group_name as "group",
      event_types as "eventTypes", created_by_user_id as "madeByUserId", created_by_key_id as "madeByKeyId"
    from webhooks.portal_link
    where token_hash = any((select ${tokenHashes}::bytea[])::bytea[]) and expires_at > ${now}
  `,
  );
  return rows.map((row) => ({ ...row, madeByKeyId: row.madeByKeyId ?? undefined }));
}

/**
 * Returns the origins of pages that may contain the portal of this link; undefined if the link does not exist or has
 * expired.
 */
export async function findFrameOrigins(db: AnyDatabase, id: string, now: Date): Promise<string[] | undefined> {
  const { rows } = await sql<{ frame_origins: string[] }>`
    select frame_origins from webhooks.portal_link where id = ${id} and expires_at > ${now}
  `.execute(db);
  return rows[0]?.frame_origins;
}

export async function deleteEndedPortalLinks(db: AnyDatabase): Promise<void> {
  await sql`delete from webhooks.portal_link where expires_at < now()`.execute(db);
}
