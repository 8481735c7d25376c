import type pg from 'pg';

/** For hot paths with single statements: each commits by itself, on any free connection. */
export type StatementPool = Pick<pg.Pool, 'query'>;
