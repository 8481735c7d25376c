import type pg from 'pg';

/** For the hot paths whose statements stand alone: each commits by itself, on whichever connection is free. */
export type StatementPool = Pick<pg.Pool, 'query'>;
