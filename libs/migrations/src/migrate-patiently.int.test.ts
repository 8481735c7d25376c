import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, eventually } from '@steward/testing';
import { migratePatiently } from './migrate-patiently.ts';

async function isSomebodyBlocked(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db);
  return rows.length > 0;
}

describe('migrations while apps are running (PROC-17)', () => {
  it('give up quickly on a table in use, so that no statement waits behind them, and retry', async () => {
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

  it('retry a step that Postgres aborted to resolve a deadlock with an app', async () => {
    const database = await createTestDatabase();
    const user = new pg.Client({ connectionString: database.url });
    const pool = new pg.Pool({ connectionString: database.url, max: 2, options: '-c deadlock_timeout=10ms' });
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const lines: string[] = [];
    let others: Promise<unknown> | undefined;
    try {
      await user.connect();
      await user.query('create schema used; create table used.a (id int); create table used.b (id int)');
      await user.query("set deadlock_timeout = '1min'; begin; lock table used.a");
      const up = async (trx: Kysely<unknown>): Promise<void> => {
        await sql`alter table used.b add column note text`.execute(trx);
        if (others === undefined) {
          others = user.query('lock table used.b; commit');
          await eventually(() => isSomebodyBlocked(db));
        }
        await sql`alter table used.a add column note text`.execute(trx);
      };
      const slice = { schema: 'used', migrations: { '0001_add_notes': { up } } };
      const applied = await migratePatiently(db, slice, { log: (line) => void lines.push(line), pauseMs: 10 });
      expect(applied).toEqual(['0001_add_notes']);
      expect(lines).toEqual(['used waits for a table that is in use']);
    } finally {
      await others;
      await db.destroy();
      await user.end();
      await database.drop();
    }
  });

  it('fail on any other error', async () => {
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
