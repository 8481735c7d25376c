import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const FUNCTIONS = [
  'flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[])',
  'flows.lease_lost(uuid)',
] as const;

/**
 * Who takes an execution changes no key of its row: what only keeps the row from being deleted (a trigger that joins it) is no
 * reason to pass it over, which would leave it waiting until somebody looks again.
 */
export const claimBesideJoiners: Migration = {
  async up(db) {
    for (const name of FUNCTIONS)
      await sql`
        do ${sql.raw(`$do$
        declare
          former text := pg_get_functiondef('${name}'::regprocedure);
          changed text := replace(former, 'for update skip locked', 'for no key update skip locked');
        begin
          if changed = former then raise exception '${name} is not the function of the migrations before'; end if;
          execute changed;
        end $do$`)}
      `.execute(db);
  },
};
