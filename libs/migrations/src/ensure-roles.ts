import { sql, type Kysely } from 'kysely';
import { APP_ROLES } from '@steward/database';

/**
 * Creates missing roles of the apps (roles belong to the whole server and are shared by its databases) and sets the
 * given passwords. A role without a password is created, but cannot log in.
 */
export async function ensureRoles(db: Kysely<unknown>, passwords: Readonly<Record<string, string>>): Promise<void> {
  for (const role of Object.values(APP_ROLES)) {
    // A migration of another database on this server may create the same role at the same moment.
    await sql`
      do ${sql.lit(`begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end`)}
    `.execute(db);
    const password = passwords[role];
    if (password !== undefined) await sql`alter role ${sql.id(role)} login password ${sql.lit(password)}`.execute(db);
  }
}
