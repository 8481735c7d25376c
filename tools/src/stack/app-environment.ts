import { availableParallelism } from 'node:os';
import { APP_ROLES, type AppRole } from '@steward/database';
import type { AppName } from '../workspace.ts';
import type { StackSecrets } from './stack-files.ts';

const ROLE_OF_APP: Readonly<Record<AppName, AppRole>> = {
  'api-gateway': APP_ROLES.apiGateway,
  'search-indexer': APP_ROLES.searchIndexer,
  'webhook-dispatcher': APP_ROLES.webhookDispatcher,
  'flow-trigger': APP_ROLES.flowTrigger,
  'backfill-sweeper': APP_ROLES.backfillSweeper,
};

export interface AppEnvironmentFacts {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly secrets: StackSecrets;
  readonly apiPort: number;
  readonly healthPort: number;
  readonly workDirectory: string;
  readonly inherited: NodeJS.ProcessEnv;
}

/** Variables of one app: the caller's, overlaid with what the stack decides. Each app logs in under its own database role. */
export function buildAppEnvironment(app: AppName, facts: AppEnvironmentFacts): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(facts.inherited).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('npm_'),
    ),
  );
  const own = {
    NATS_URL: facts.natsUrl,
    DATABASE_URL: urlForRole(facts.databaseUrl, ROLE_OF_APP[app], facts.secrets),
    SECRET_KEY: inherited.SECRET_KEY ?? facts.secrets.secretKey,
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(facts.healthPort),
    FLOW_WORK_DIR: inherited.FLOW_WORK_DIR ?? facts.workDirectory,
    // Postgres has the same processors: more searches at once would only take turns on them, the quick behind the slow.
    SESSION_SEARCH_MAX_CONCURRENT: inherited.SESSION_SEARCH_MAX_CONCURRENT ?? String(availableParallelism() + 1),
    EVIDENCE_DIR: inherited.EVIDENCE_DIR ?? `${facts.workDirectory}-evidence`,
  };
  // The gateway's own /metrics and health stay off the API port and on the loopback address.
  return app === 'api-gateway'
    ? { ...inherited, ...own, HOST: inherited.HOST ?? '127.0.0.1', PORT: String(facts.apiPort) }
    : { ...inherited, ...own };
}

function urlForRole(databaseUrl: string, role: AppRole, secrets: StackSecrets): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = encodeURIComponent(secrets.rolePasswords[role] ?? '');
  return url.href;
}
