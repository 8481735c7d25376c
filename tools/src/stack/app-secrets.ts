import { DERIVED_KEY_VARIABLES, deriveKeys } from '@steward/crypto';
import { APP_ROLES, type AppRole } from '@steward/database';
import { APP_SETTINGS } from '../app-settings.ts';
import { readSecret } from '../read-secret.ts';
import type { AppName } from '../workspace.ts';
import type { StackSecrets } from './stack-files.ts';

const ROLE_OF_APP: Readonly<Record<AppName, AppRole>> = {
  'api-gateway': APP_ROLES.apiGateway,
  'search-indexer': APP_ROLES.searchIndexer,
  'webhook-dispatcher': APP_ROLES.webhookDispatcher,
  'flow-trigger': APP_ROLES.flowTrigger,
  'backfill-sweeper': APP_ROLES.backfillSweeper,
};

export interface AppSecretFacts {
  readonly databaseUrl: string;
  /** URL of Postgres itself, if `databaseUrl` is that of a pooler. */
  readonly directDatabaseUrl?: string | undefined;
  /** Returns the URL of the broker, which includes the login of the app. */
  readonly natsUrl: (app: AppName) => string;
  readonly secrets: StackSecrets;
  readonly inherited: NodeJS.ProcessEnv;
}

/**
 * Lists the secrets that one app reads, keyed by variable: those of the stack (the app's login and keys), and those of
 * the caller. An app gets only secrets that its settings declare.
 */
export function listAppSecrets(app: AppName, facts: AppSecretFacts): Record<string, string> {
  const decided: Readonly<Record<string, string | undefined>> = {
    DATABASE_URL: urlForRole(facts.databaseUrl, ROLE_OF_APP[app], facts.secrets),
    ...(facts.directDatabaseUrl === undefined
      ? {}
      : { DATABASE_DIRECT_URL: urlForRole(facts.directDatabaseUrl, ROLE_OF_APP[app], facts.secrets) }),
    NATS_URL: facts.natsUrl(app),
    ...listKeys(facts),
  };
  const secrets: Record<string, string> = {};
  for (const { variable, secret } of Object.values(APP_SETTINGS[app])) {
    if (!secret) continue;
    const value = variable in decided ? decided[variable] : readSecret(facts.inherited, variable);
    if (value !== undefined) secrets[variable] = value;
  }
  return secrets;
}

/** Lists SECRET_KEY and the keys derived from it; a key given by the caller takes precedence over that of the stack. */
function listKeys({ inherited, secrets }: AppSecretFacts): Record<string, string | undefined> {
  const current = readSecret(inherited, 'SECRET_KEY') ?? secrets.secretKey;
  const previous = readSecret(inherited, 'SECRET_KEY_PREVIOUS')?.split(/[\s,]+/) ?? secrets.previousSecretKeys ?? [];
  const keys: Record<string, string | undefined> = { SECRET_KEY: current, SECRET_KEY_PREVIOUS: joinKeys(previous) };
  for (const [variable, purpose] of Object.entries(DERIVED_KEY_VARIABLES)) {
    keys[variable] = joinKeys(deriveKeys([current], purpose));
    keys[`${variable}_PREVIOUS`] = joinKeys(deriveKeys(previous, purpose));
  }
  return keys;
}

function joinKeys(keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : keys.join('\n');
}

function urlForRole(databaseUrl: string, role: AppRole, secrets: StackSecrets): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = encodeURIComponent(secrets.rolePasswords[role] ?? '');
  return url.href;
}
