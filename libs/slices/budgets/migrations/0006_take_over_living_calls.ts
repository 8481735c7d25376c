import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A call may be taken over while it is given a sign of life, too: that changes no key of its row, so that the lock which still
 * keeps away from what is being ended is the weakest one. Its deletion waits for the sign, and the sign for nobody. Only who ended
 * a call while it is taken over, which nobody does, could meet it in a deadlock, and would try again.
 */
export const takeOverLivingCalls: Migration = {
  async up(db) {
    await sql`
      do $do$
      declare
        former text := pg_get_functiondef('budgets.reserve(uuid, jsonb, timestamptz, timestamptz)'::regprocedure);
        changed text := replace(former, 'for update skip locked', 'for key share skip locked');
      begin
        if changed = former then raise exception 'budgets.reserve is not the function of 0004'; end if;
        execute changed;
      end $do$
    `.execute(db);
  },
};
