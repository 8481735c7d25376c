import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { Claim, ContentKey } from './content-claim.store.ts';
import { findContentKey } from './content-key.store.ts';

export interface MovableBody {
  readonly sessionId: string;
  readonly revision: number;
  /** Size of the body according to its row; readers rely on this size. */
  readonly bodyBytes: number;
  /** Body as stored, byte by byte. */
  readonly text: string;
}

/** Returns a body that is in the database. */
export async function findMovableBody(
  db: AnyDatabase,
  { accountId, id }: ContentKey,
): Promise<MovableBody | undefined> {
  const { rows } = await sql<MovableBody>`
    select runtime_session_id as "sessionId", revision, content_size_bytes as "bodyBytes", content::text as text
    from gateway.session_content
    where account_id = ${accountId} and id = ${id} and content is not null
  `.execute(db);
  return rows[0];
}

/**
 * Replaces a body with the key of its object, unless the content was changed or deleted since the body was read, or the
 * claim has ended: a process that was suspended must not store the key of an object that another process may have
 * removed in the meantime. Returns whether the body was replaced.
 */
export async function replaceByObject(
  db: AnyDatabase,
  { accountId, id, claimedUntil }: Claim,
  object: {
    readonly revision: number;
    readonly key: string;
    readonly objectBytes: number;
    readonly sha256: Buffer;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update gateway.session_content set
      content = null, content_object = ${object.key}, content_object_bytes = ${object.objectBytes},
      content_sha256 = ${object.sha256}
    where account_id = ${accountId} and id = ${id} and revision = ${object.revision} and content is not null
      and exists (
        select from gateway.content_claim k
        where k.account_id = ${accountId} and k.content_id = ${id} and k.claimed_until = ${claimedUntil}::timestamptz
          and k.claimed_until > clock_timestamp()
      )
  `.execute(db);
  return numAffectedRows === 1n;
}

/** Returns those of the given keys that no row names, and that no process is about to name. */
export async function listUnnamedObjects(
  db: AnyDatabase,
  objects: readonly (ContentKey & { readonly key: string })[],
): Promise<readonly string[]> {
  if (objects.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select object.key
    from unnest(
      ${objects.map(({ accountId }) => accountId)}::uuid[], ${objects.map(({ id }) => id)}::uuid[],
      ${objects.map(({ key }) => key)}::text[]
    ) object (account_id, id, key)
    where not exists (
      select from gateway.session_content c
      where c.account_id = object.account_id and c.id = object.id and c.content_object = object.key
    ) and not exists (
      select from gateway.content_claim k
      where k.account_id = object.account_id and k.content_id = object.id and k.claimed_until > clock_timestamp()
    )
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Returns whether a session has bodies that are in the object store. */
export async function hasObjects(
  db: AnyDatabase,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<boolean> {
  // An account gets a key before its first body is moved, so the content of most accounts need not be searched.
  if ((await findContentKey(db, accountId)) === undefined) return false;
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from gateway.session_content
      where account_id = ${accountId} and runtime_session_id = ${sessionId} and content_object is not null
    ) as found
  `.execute(db);
  return rows[0]?.found === true;
}
