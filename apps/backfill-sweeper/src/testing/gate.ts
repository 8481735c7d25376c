import type { Database } from '@steward/database';
import { eventually } from '@steward/testing';

const GATE = 4242;

/**
 * Stops writers of the corpus at an exact step: before a row, before the watermark after the rows, or in the commit.
 * The steps of all writers are counted together.
 */
export interface Gate {
  close(step: number): Promise<void>;
  /** Resolves when a writer waits at the gate. */
  untilReached(): Promise<void>;
  open(): Promise<void>;
  release(): void;
}

export async function buildGate(admin: Database): Promise<Gate> {
  // The lock belongs to a connection, which therefore stays open.
  const keeper = await admin.pool.connect();
  await admin.pool.query(`
    create schema gate;
    create sequence gate.step;
    create table gate.stop (at bigint not null);
    insert into gate.stop values (0);
    create function gate.pass() returns trigger language plpgsql security definer as $$
    begin
      if nextval('gate.step') = (select at from gate.stop) then perform pg_advisory_xact_lock_shared(${GATE}); end if;
      return new;
    end $$;
    grant usage on schema gate to public;
    create trigger gate before insert on search.chunk for each row execute function gate.pass();
    create trigger gate before insert or update on backfill.watermark for each row execute function gate.pass();
    create constraint trigger gate_at_commit after insert or update on backfill.watermark deferrable initially deferred
      for each row execute function gate.pass();
  `);
  return {
    async close(step) {
      await keeper.query('select pg_advisory_lock($1)', [GATE]);
      await keeper.query(`select setval('gate.step', 1, false)`);
      await keeper.query('update gate.stop set at = $1', [step]);
    },
    async untilReached() {
      await eventually(async () => {
        const { rowCount } = await admin.pool.query(
          `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted
             and database = (select oid from pg_database where datname = current_database())`,
          [GATE],
        );
        return (rowCount ?? 0) > 0;
      });
    },
    async open() {
      await keeper.query('update gate.stop set at = 0');
      await keeper.query('select pg_advisory_unlock($1)', [GATE]);
    },
    release: () => keeper.release(),
  };
}
