import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { SpaceKey, VectorSpace } from '../vector-space.ts';

interface SpaceRow {
  readonly id: string;
  readonly account_id: string;
  readonly provider: string;
  readonly base_url: string;
  readonly model_identifier: string;
  readonly width: number;
  readonly segment: string | null;
}

const COLUMNS = sql`id, account_id, provider, base_url, model_identifier, width, segment`;

/** Returns the spaces of an account, newest first, without retired spaces. */
export async function listSpaces(db: AnyDatabase, accountId: string): Promise<VectorSpace[]> {
  const { rows } = await sql<SpaceRow>`
    select ${COLUMNS} from search.vector_space where account_id = ${accountId} and retired_at is null
    order by created_at desc, id desc
  `.execute(db);
  return rows.map(readSpace);
}

/**
 * Returns the space with this key, and creates the space if there is none. It is called when vectors are stored, since
 * their dimensions are not known earlier. The newest space is the one that is searched, so creation times are taken
 * from the database clock: the clocks of processes differ.
 */
export async function findOrCreateSpace(trx: AnyTransaction, key: SpaceKey): Promise<VectorSpace> {
  const find = sql<SpaceRow>`
    select ${COLUMNS} from search.vector_space
    where account_id = ${key.accountId} and provider = ${key.provider} and base_url = ${key.baseUrl}
      and model_identifier = ${key.modelIdentifier} and width = ${key.width} and retired_at is null
  `;
  const [found] = (await find.execute(trx)).rows;
  if (found !== undefined) return readSpace(found);
  await sql`
    insert into search.vector_space (id, account_id, provider, base_url, model_identifier, width, created_at)
    values (${newId()}, ${key.accountId}, ${key.provider}, ${key.baseUrl}, ${key.modelIdentifier}, ${key.width},
      clock_timestamp())
    on conflict (account_id, provider, base_url, model_identifier, width) where retired_at is null do nothing
  `.execute(trx);
  const [made] = (await find.execute(trx)).rows;
  if (made === undefined) throw new Error(`a space of ${key.accountId} was retired while it was being created`);
  return readSpace(made);
}

/**
 * Retires the account's other spaces: they are no longer searched and are deleted in batches. Returns the number of
 * retired spaces.
 */
export async function retireFormerSpaces(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly presentSpaceId: string; readonly now: Date },
): Promise<number> {
  const result = await sql`
    update search.vector_space set retired_at = ${key.now}
    where account_id = ${key.accountId} and id <> ${key.presentSpaceId} and retired_at is null
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Retires newer spaces of the same provider, endpoint and model, so that the given space is the current one again. */
export async function retireNewerSpaces(
  trx: AnyTransaction,
  { space, now }: { readonly space: VectorSpace; readonly now: Date },
): Promise<void> {
  const { id, accountId, provider, baseUrl, modelIdentifier } = space;
  await sql`
    update search.vector_space newer set retired_at = ${now} from search.vector_space space
    where space.id = ${id} and newer.account_id = ${accountId} and newer.provider = ${provider}
      and newer.base_url = ${baseUrl} and newer.model_identifier = ${modelIdentifier} and newer.retired_at is null
      and (newer.created_at, newer.id) > (space.created_at, space.id)
  `.execute(trx);
}

function readSpace(row: SpaceRow): VectorSpace {
  return {
    id: row.id,
    accountId: row.account_id,
    provider: row.provider,
    baseUrl: row.base_url,
    modelIdentifier: row.model_identifier,
    width: row.width,
    segment: row.segment,
  };
}
