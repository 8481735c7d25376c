import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SourceKind } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { isKept } from '../../deletion/store/deleted-session.store.ts';
import type { SourceKey } from './chunk.store.ts';

export interface NewSighting extends SourceKey {
  readonly fingerprint: Buffer;
  readonly runtimeSessionId: string;
  readonly ruleId: string;
  readonly occurredAt: Date;
}

/** A source that contained a credential. */
export interface CredentialSighting {
  readonly runtimeSessionId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly ruleId: string;
  readonly occurredAt: Date;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

const KEY_BYTES = 32;

/** Returns the key for fingerprints of an account's credentials; undefined if no credential was seen yet. */
export async function findCredentialKey(db: AnyDatabase, accountId: string): Promise<Buffer | undefined> {
  const found = await sql<{ key: Buffer }>`
    select key from search.credential_key where account_id = ${accountId}
  `.execute(db);
  return found.rows[0]?.key;
}

/**
 * Returns the key, and creates it for an account without one. If two writers are concurrent, both get the key that was
 * created first.
 */
export async function createCredentialKey(trx: AnyTransaction, accountId: string): Promise<Buffer> {
  await sql`
    insert into search.credential_key (account_id, key) values (${accountId}, ${randomBytes(KEY_BYTES)})
    on conflict (account_id) do nothing
  `.execute(trx);
  const key = await findCredentialKey(trx, accountId);
  if (key === undefined) throw new Error('the key of an account is missing after it was created');
  return key;
}

export async function upsertSightings(trx: AnyTransaction, sightings: readonly NewSighting[]): Promise<void> {
  if (sightings.length === 0) return;
  const column = <Key extends keyof NewSighting>(key: Key): NewSighting[Key][] => sightings.map((each) => each[key]);
  await sql`
    insert into search.credential_sighting (account_id, fingerprint, runtime_session_id, source_kind, source_id, rule_id, occurred_at)
    select * from unnest(${column('accountId')}::uuid[], ${column('fingerprint')}::bytea[],
      ${column('runtimeSessionId')}::uuid[], ${column('sourceKind')}::text[], ${column('sourceId')}::text[],
      ${column('ruleId')}::text[], ${column('occurredAt')}::timestamptz[])
    order by 1, 2, 4, 5
    on conflict (account_id, fingerprint, source_kind, source_id) do update set
      occurred_at = excluded.occurred_at, last_seen_at = now()
  `.execute(trx);
}

/** Deletes sightings of credentials that the sources rewritten in this transaction no longer contain. */
export async function deleteStaleSightings(trx: AnyTransaction, keys: readonly SourceKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from search.credential_sighting seen using unnest(${keys.map((key) => key.accountId)}::uuid[],
      ${keys.map((key) => key.sourceKind)}::text[], ${keys.map((key) => key.sourceId)}::text[])
      as written (account_id, source_kind, source_id)
    where seen.account_id = written.account_id and seen.source_kind = written.source_kind
      and seen.source_id = written.source_id and seen.last_seen_at < now()
  `.execute(trx);
}

export interface SightingPlace {
  readonly occurredAt: Date;
  readonly sourceKind: string;
  readonly sourceId: string;
}

/** Returns the sightings newest first; a source that contains several of the fingerprints is listed once. */
export async function listSightings(
  db: AnyDatabase,
  query: {
    readonly accountId: string;
    readonly fingerprints: readonly Buffer[];
    readonly after: SightingPlace | undefined;
    readonly limit: number;
  },
): Promise<CredentialSighting[]> {
  const { accountId, fingerprints, after, limit } = query;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(occurred_at, source_kind, source_id) < (${after.occurredAt}::timestamptz, ${after.sourceKind}, ${after.sourceId})`;
  const found = await sql<CredentialSighting>`
    select distinct on (occurred_at, source_kind, source_id) runtime_session_id as "runtimeSessionId",
      source_kind as "sourceKind", source_id as "sourceId", rule_id as "ruleId", occurred_at as "occurredAt",
      first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
    from search.credential_sighting
    where account_id = ${accountId} and fingerprint = any (${[...fingerprints]}::bytea[]) and ${isBehind}
      and ${isKept(accountId)}
    order by occurred_at desc, source_kind desc, source_id desc limit ${limit}
  `.execute(db);
  return found.rows;
}
