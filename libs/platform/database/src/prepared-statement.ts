import type pg from 'pg';

/** A statement that each connection parses and plans once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type StatementPool = Pick<pg.Pool, 'query'>;

/** For the few hot paths where the builder's text and the server's plan are made anew too often. Commits by itself. */
export async function runPrepared<Row>(pool: StatementPool, statement: PreparedStatement): Promise<Row[]> {
  const { rows } = await pool.query({ ...statement, values: [...statement.values] });
  return rows as Row[];
}
