import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import { BEFORE_ALL } from '../../embedding/store/embedding-work.store.ts';
import { VECTOR_INDEX } from '../rules/retrieval.ts';
import { nameSegment } from './chunk-vector.store.ts';

/** Returns the spaces without a segment whose write count is higher than this number. */
export async function listWrittenSpaces(
  db: AnyDatabase,
  moreThan: number,
): Promise<{ readonly id: string; readonly width: number; readonly written: number }[]> {
  const { rows } = await sql<{ id: string; width: number; written: number }>`
    select id, width, written from search.vector_space
    where segment is null and retired_at is null and written > ${moreThan}
  `.execute(db);
  return rows;
}

/**
 * Counts the vectors of a space in the shared table, and sets the write count of the space to this number plus the
 * writes made during the count. Returns the new write count.
 */
export async function countVectors(db: AnyDatabase, spaceId: string): Promise<number> {
  const { rows } = await sql<{ written: number }>`
    with counted as (
      select written as seen, (select count(*) from search.chunk_vector where space_id = ${spaceId}) as present
      from search.vector_space where id = ${spaceId}
    )
    update search.vector_space set written = written + present - seen from counted
    where id = ${spaceId} returning written
  `.execute(db);
  return rows[0]?.written ?? 0;
}

/**
 * Creates a table with an index for the space, unless it has one. Returns whether the space has such a table now; no
 * table is created if another transaction keeps the space locked.
 */
export async function makeSegment(db: AnyDatabase, spaceId: string): Promise<boolean> {
  await sql`select search.make_segment(${spaceId}, ${VECTOR_INDEX.links}, ${VECTOR_INDEX.candidates})`.execute(db);
  const { rows } = await sql`select from search.vector_space where id = ${spaceId} and segment is null`.execute(db);
  return rows.length === 0;
}

export interface MovingSpace {
  readonly id: string;
  readonly segment: string;
}

/**
 * Returns the spaces whose vectors have to be moved out of the shared table, and their segments. Spaces in `known` are
 * returned without checking whether the shared table still has vectors of them.
 */
export async function listMovingSpaces(db: AnyDatabase, known: readonly string[]): Promise<MovingSpace[]> {
  const { rows } = await sql<MovingSpace>`
    select id, segment from search.vector_space space
    where segment is not null and retired_at is null
      and (id = any (${known}::uuid[]) or exists (select from search.chunk_vector where space_id = space.id))
  `.execute(db);
  return rows;
}

export interface MovedVectors {
  /** Number of vectors moved out of the shared table. */
  readonly moved: number;
  /** Id of the last moved vector; undefined if none was moved. */
  readonly lastId: string | undefined;
}

/** Moves the next vectors, ordered by id, into their segment; those whose deletion is in progress are skipped. */
export async function moveVectors(
  db: AnyDatabase,
  { after = BEFORE_ALL, ...space }: MovingSpace & { readonly after?: string | undefined; readonly limit: number },
): Promise<MovedVectors> {
  const { rows } = await sql<{ moved: number; last_id: string | null }>`
    with gone as (
      delete from search.chunk_vector where space_id = ${space.id} and chunk_id = any (array(
        select chunk_id from search.chunk_vector where space_id = ${space.id} and chunk_id > ${after}
        order by chunk_id limit ${space.limit} for update skip locked
      )) returning *
    ), moved as (
      insert into ${nameSegment(space.segment)} select * from gone on conflict do nothing
    )
    select count(*)::int as moved, (array_agg(chunk_id order by chunk_id desc))[1] as last_id from gone
  `.execute(db);
  return { moved: rows[0]?.moved ?? 0, lastId: rows[0]?.last_id ?? undefined };
}

export async function listRetiredSpaces(db: AnyDatabase): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from search.vector_space where retired_at is not null order by retired_at
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes up to `limit` of a space's vectors from the shared table. Returns the number of deleted vectors. */
export async function deleteVectors(db: AnyDatabase, spaceId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from search.chunk_vector where space_id = ${spaceId} and chunk_id = any (array(
      select chunk_id from search.chunk_vector where space_id = ${spaceId} order by chunk_id limit ${limit}
    ))
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Drops a retired space and its segment, unless the shared table still contains vectors of it. */
export async function dropSpace(db: AnyDatabase, spaceId: string): Promise<boolean> {
  const { rows } = await sql<{ dropped: boolean }>`select search.drop_space(${spaceId}) as dropped`.execute(db);
  return rows[0]?.dropped ?? false;
}
