import { migrateAll } from '@steward/migrations';
import { loadSettings, setting, SettingsError } from '@steward/runtime';

/** `npm run migrate`: brings the database of DATABASE_URL to this build. Safe to run by several processes at once. */
const migrateSettings = {
  databaseUrl: setting.serverUrl('DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    description: 'Database to migrate, as a role that may create schemas, extensions and roles.',
  }),
  rolePasswords: setting.text('DATABASE_ROLE_PASSWORDS', {
    secret: true,
    description: 'JSON object role -> password; the roles named may log in afterwards.',
  }),
} as const;

try {
  const settings = loadSettings(migrateSettings, process.env);
  const passwords = JSON.parse(settings.rolePasswords ?? '{}') as Record<string, string>;
  await migrateAll({
    databaseUrl: settings.databaseUrl,
    rolePasswords: passwords,
    log: (line) => console.log(line),
  });
  console.log('the database is up to date');
} catch (error) {
  const lines = error instanceof SettingsError ? error.problems : [describe(error)];
  for (const line of lines) console.error(`migrate: ${line}`);
  process.exitCode = 1;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
