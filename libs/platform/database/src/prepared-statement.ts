import type pg from 'pg';

/** A statement that each connection parses and plans once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A connection that answers nothing (its network path is gone) is given up; the next statement takes another. */
const ANSWER_WITHIN_MS = 10_000;

export type StatementPool = Pick<pg.Pool, 'query'>;

/** For the few hot paths where the builder's text and the server's plan are made anew too often. Commits by itself. */
export async function runPrepared<Row>(pool: StatementPool, statement: PreparedStatement): Promise<Row[]> {
  const config = { ...statement, values: [...statement.values], query_timeout: ANSWER_WITHIN_MS };
  const { rows } = await pool.query(config);
  return rows as Row[];
}
