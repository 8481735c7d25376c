import pg, { type PoolClient } from 'pg';

/**
 * Returns the plan of a statement. A prepared statement is executed as such, since `explain` with its SQL would not
 * show the cached plan.
 */
export async function explainStatement(
  client: PoolClient,
  statement: string | pg.QueryConfig,
  given: unknown[],
): Promise<string> {
  const options = 'explain (analyze, costs off, timing off)';
  const read = ({ rows }: { rows: { 'QUERY PLAN': string }[] }) => rows.map((row) => row['QUERY PLAN']).join('\n');
  if (typeof statement === 'string') return read(await client.query(`${options} ${statement}`, given));
  const { text, values = [] } = statement;
  const literals = values.map((value) =>
    pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value as string | number)),
  );
  await client.query(`prepare kept as ${text}`);
  const plan = read(await client.query(`${options} execute kept (${literals.join(', ')})`));
  await client.query('deallocate kept');
  return plan;
}
