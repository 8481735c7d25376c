import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

/**
 * Replaces pieces in the definition of a function, in a migration. The grants of the function are preserved.
 * @param name - the name of the function with the types of its arguments
 * @throws if the definition does not contain each piece exactly once; the changes were then written for another
 *   definition
 */
export async function changeFunction(
  db: AnyDatabase,
  name: string,
  changes: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(${name}::regprocedure) as definition
  `.execute(db);
  let definition = rows[0]?.definition ?? '';
  for (const [from, to] of changes) {
    const pieces = definition.split(from);
    if (pieces.length !== 2) throw new Error(`${name} does not contain "${from}" exactly once`);
    definition = pieces.join(to);
  }
  await sql.raw(definition).execute(db);
}
