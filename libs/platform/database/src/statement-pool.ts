import type pg from 'pg';

/** A pool for hot paths with single statements: each statement is committed separately, on any free connection. */
export type StatementPool = Pick<pg.Pool, 'query'>;
