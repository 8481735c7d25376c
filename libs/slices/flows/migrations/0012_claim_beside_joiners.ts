import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A claim changes no key of its row: what only keeps the row from being deleted (a trigger that joins it, a row that refers to
 * it) is no reason to pass it over, which would leave it waiting until somebody looks again.
 */
export const claimBesideJoiners: Migration = {
  async up(db) {
    await sql`
      do $do$
      declare
        former text := pg_get_functiondef(
          'flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[])'::regprocedure);
        changed text := replace(former, 'for update skip locked', 'for no key update skip locked');
      begin
        if changed = former then raise exception 'flows.claim_execution is not the function of 0011'; end if;
        execute changed;
      end $do$
    `.execute(db);
  },
};
