import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isLoopbackHost, loadSettings } from '@steward/process';
import { embeddingSettings } from '@steward/search';
import { APP_SETTINGS } from '../app-settings.ts';
import { DEFAULT_PORT, MODEL } from '../../embedding-server/model.ts';
import type { AppName } from '../workspace.ts';
import { listAppSecrets, type AppSecretFacts } from './app-secrets.ts';
import { writeSecretFiles } from './write-secret-files.ts';

export interface AppEnvironmentFacts extends AppSecretFacts {
  readonly apiPort: number;
  readonly healthPort: number;
  readonly workDirectory: string;
  readonly evidenceDirectory: string;
  /** Gets a folder per app with the files of its secrets. */
  readonly secretDirectory: string;
}

/** Where `npm run fake-provider` and the demo have a provider of models. */
export const FAKE_PROVIDER_ORIGIN = 'http://127.0.0.1:4010';
/** Where the demo has a server of tools. */
export const DEMO_TOOLS_ORIGIN = 'http://127.0.0.1:4011';

/** What programs need of the machine, none of it secret. */
const MACHINE_VARIABLES =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|NODE_(?!AUTH_TOKEN)\w+|SSL_CERT_\w+|MALLOC_\w+|UV_\w+|DOCKER_(?!AUTH_CONFIG)\w+)$/;

const PLAIN_SETTINGS: ReadonlySet<string> = new Set(
  Object.values(APP_SETTINGS).flatMap((settings) =>
    Object.values(settings).flatMap(({ variable, secret }) => (secret ? [] : [variable])),
  ),
);

/**
 * Variables of one app: the caller's settings, overlaid with what the stack decides. Secrets go into files, whatever way they
 * came, and nothing else of the caller's environment is passed on: an agent may be able to read its worker's.
 */
export function buildAppEnvironment(app: AppName, facts: AppEnvironmentFacts): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(facts.inherited).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (PLAIN_SETTINGS.has(entry[0]) || MACHINE_VARIABLES.test(entry[0])),
    ),
  );
  const own = {
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(facts.healthPort),
    FLOW_WORK_DIR: inherited.FLOW_WORK_DIR ?? facts.workDirectory,
    // Postgres has the same processors: more searches at once would only take turns on them, the quick behind the slow.
    SESSION_SEARCH_MAX_CONCURRENT: inherited.SESSION_SEARCH_MAX_CONCURRENT ?? String(availableParallelism() + 1),
    EVIDENCE_DIR: inherited.EVIDENCE_DIR ?? facts.evidenceDirectory,
    ...allowEmbeddingServer(inherited),
    ...writeSecretFiles(resolve(facts.secretDirectory, app), listAppSecrets(app, facts)),
  };
  const host = inherited.HOST ?? '127.0.0.1';
  const gateway = {
    HOST: host,
    PORT: String(facts.apiPort),
    // Whoever reaches the loopback address is at this machine; anywhere else the gateway's own, careful default counts.
    ...(isLoopbackHost(host) ? { REGISTRATION_ENABLED: inherited.REGISTRATION_ENABLED ?? 'true' } : {}),
    ...(isLoopbackHost(host) ? allowDemoServers(inherited) : {}),
    PUBLIC_URL: inherited.PUBLIC_URL ?? `http://127.0.0.1:${facts.apiPort}`,
  };
  if (app === 'flow-trigger') {
    return {
      ...inherited,
      ...own,
      FLOW_HIDE_PATHS: listHiddenPaths(inherited, facts),
      // The built-in agent calls its models there.
      FLOW_AGENT_API_URL: inherited.FLOW_AGENT_API_URL ?? `http://127.0.0.1:${facts.apiPort}`,
      // Who presses Ctrl-C waits for it.
      FLOW_STOP_GRACE_SECONDS: inherited.FLOW_STOP_GRACE_SECONDS ?? '3',
    };
  }
  // The gateway's own /metrics and health stay off the API port and on the loopback address.
  return app === 'api-gateway' ? { ...inherited, ...own, ...gateway } : { ...inherited, ...own };
}

/** The same holds for the fake provider and the tools of the demo: who reaches this API is at this machine anyway. */
function allowDemoServers(inherited: Readonly<Record<string, string>>): Record<string, string> {
  const { MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: models = FAKE_PROVIDER_ORIGIN } = inherited;
  const { MCP_ALLOW_INSECURE_URLS: tools = DEMO_TOOLS_ORIGIN } = inherited;
  return { MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: models, MCP_ALLOW_INSECURE_URLS: tools };
}

/**
 * `npm run embedding-server` may be called, costs nothing and gets time: it shares the processors with everything else. Only
 * where whoever reaches the API is at this machine.
 */
function allowEmbeddingServer(inherited: Readonly<Record<string, string>>): Record<string, string> {
  if (!isLoopbackHost(inherited.HOST ?? '127.0.0.1')) return {};
  const { embeddingPrices } = loadSettings(embeddingSettings, {});
  const defaults = {
    SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: `http://127.0.0.1:${DEFAULT_PORT}`,
    SESSION_EMBEDDING_PRICE_PER_MTOK_USD: JSON.stringify({ ...embeddingPrices, [MODEL]: 0 }),
    SESSION_EMBEDDING_BATCH_SIZE: '8',
    SESSION_EMBEDDING_TIMEOUT_SECONDS: '120',
    SESSION_EMBEDDING_QUERY_TIMEOUT_MS: '5000',
  };
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, inherited[name] ?? value]));
}

/** What agents must not see of the stack: everything it keeps, also where the servers' user may not enter the folder. */
function listHiddenPaths(inherited: Readonly<Record<string, string>>, facts: AppEnvironmentFacts): string {
  const given = inherited.FLOW_HIDE_PATHS === undefined ? [] : [inherited.FLOW_HIDE_PATHS];
  return [...given, dirname(facts.secretDirectory), '/var/lib/steward-local'].join(',');
}
