import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase } from '@steward/testing';
import { migratePatiently } from './migrate-patiently.ts';

describe('migrations while apps are running (PROC-17)', () => {
  it('give up quickly on a table in use, so that nobody waits behind them, and retry', async () => {
    const database = await createTestDatabase();
    const user = new pg.Client({ connectionString: database.url });
    const pool = new pg.Pool({ connectionString: database.url, max: 2, lock_timeout: 50 });
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const lines: string[] = [];
    try {
      await user.connect();
      await user.query('create schema used; create table used.t (id int); begin; select * from used.t');
      const up = (trx: Kysely<unknown>) =>
        sql`alter table used.t add column note text`.execute(trx).then(() => undefined);
      const applied = migratePatiently(
        db,
        { schema: 'used', migrations: { '0001_add_note': { up } } },
        {
          log: (line) => {
            if (lines.length === 0) void user.query('commit');
            lines.push(line);
          },
          pauseMs: 10,
        },
      );
      expect(await applied).toEqual(['0001_add_note']);
      expect(lines[0]).toBe('used waits for a table that is in use');
    } finally {
      await db.destroy();
      await user.end();
      await database.drop();
    }
  });

  it('fail with every other error', async () => {
    const database = await createTestDatabase();
    const db = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url }) }),
    });
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    try {
      await sql`create schema broken`.execute(db);
      const up = (trx: Kysely<unknown>) => sql`select * from nowhere`.execute(trx).then(() => undefined);
      const slice = { schema: 'broken', migrations: { '0001_break': { up } } };
      await expect(migratePatiently(db, slice, { log, pauseMs: 10 })).rejects.toThrow(/broken\/0001_break failed/);
      expect(lines).toEqual([]);
    } finally {
      await db.destroy();
      await database.drop();
    }
  });
});
