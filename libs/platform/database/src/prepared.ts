import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely';
import type { QueryConfig } from 'pg';
import type { AnyDatabase } from './transact.ts';

/**
 * A statement that is parsed and planned once per connection: a third to nine tenths of what a look-up of a few rows costs.
 * Only for a text whose plan suits any values and any size of its tables: the server keeps the plan until statistics change.
 *
 * @param name - One text has one name; the driver throws when another text comes under it.
 */
export function prepared<Values extends readonly unknown[]>(name: string, text: string, values: Values): QueryConfig {
  return { name, text, values: [...values] };
}

/** The same of a statement of the builder, on the connection or transaction given. */
export function executePrepared<Row>(
  db: Pick<AnyDatabase, 'executeQuery' | 'getExecutor'>,
  name: string,
  statement: RawBuilder<Row> | CompiledQuery<Row>,
): Promise<QueryResult<Row>> {
  const compiled = 'compile' in statement ? statement.compile(db) : statement;
  // The builder hands its text to the driver as it is, and the driver takes a named one in its place.
  const named = { name, text: compiled.sql } as unknown as CompiledQuery['sql'];
  return db.executeQuery<Row>({ ...compiled, sql: named } as CompiledQuery<Row>);
}
