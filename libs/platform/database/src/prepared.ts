import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely';
import type { QueryConfig } from 'pg';
import type { DeferredStatement } from './deferring-client.ts';
import type { AnyDatabase, AnyTransaction } from './transact.ts';

/**
 * Returns a statement that is parsed and planned only once per connection, which saves between a third and nine tenths
 * of the time of a look-up of a few rows. Use it only for SQL whose plan is suitable for all values and table sizes,
 * since the server keeps the plan until statistics change.
 *
 * @param name - one name per SQL string; the driver throws if another SQL string uses the same name
 */
export function prepared<Values extends readonly unknown[]>(name: string, text: string, values: Values): QueryConfig {
  return { name, text, values: [...values] };
}

/** Executes a statement of the builder as a prepared statement, on the given connection or transaction. */
export function executePrepared<Row>(
  db: Pick<AnyDatabase, 'executeQuery' | 'getExecutor'>,
  name: string,
  statement: RawBuilder<Row> | CompiledQuery<Row>,
): Promise<QueryResult<Row>> {
  const compiled = 'compile' in statement ? statement.compile(db) : statement;
  // The builder passes `sql` to the driver unchanged, and the driver also accepts an object with a name.
  const named = { name, text: compiled.sql } as unknown as CompiledQuery['sql'];
  return db.executeQuery<Row>({ ...compiled, sql: named } as CompiledQuery<Row>);
}

/**
 * Executes a prepared statement whose result nobody needs: the statement is sent together with the next statement of
 * the transaction, or with the commit. If the deferred statement fails, the next statement or the commit reports the
 * error.
 */
export async function executeDeferred(
  trx: AnyTransaction,
  name: string,
  statement: RawBuilder<unknown>,
): Promise<void> {
  const compiled = statement.compile(trx);
  const deferred: DeferredStatement = { name, text: compiled.sql, isDeferred: true };
  await trx.executeQuery({ ...compiled, sql: deferred as unknown as CompiledQuery['sql'] });
}
