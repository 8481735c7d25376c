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
  /** Folder that will contain one folder per app, with the files of the app's secrets. */
  readonly secretDirectory: string;
}

/** Origin of the model provider of `npm run fake-provider` and the demo. */
export const FAKE_PROVIDER_ORIGIN = 'http://127.0.0.1:4010';
/** Origin of the demo's tool server. */
export const DEMO_TOOLS_ORIGIN = 'http://127.0.0.1:4011';

/** Environment variables of the machine that programs need; none of them is secret. */
const MACHINE_VARIABLES =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|NODE_(?!AUTH_TOKEN)\w+|SSL_CERT_\w+|MALLOC_\w+|UV_\w+|DOCKER_(?!AUTH_CONFIG)\w+)$/;

const PLAIN_SETTINGS: ReadonlySet<string> = new Set(
  Object.values(APP_SETTINGS).flatMap((settings) =>
    Object.values(settings).flatMap(({ variable, secret }) => (secret ? [] : [variable])),
  ),
);

/**
 * Builds the environment variables of one app: the caller's settings, overridden by the stack's. Secrets go into files,
 * whatever their source, and nothing else from the caller's environment is passed on, because an agent may be able to
 * read the environment of its worker.
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
    // Postgres shares the processors with the apps: more simultaneous searches would only compete for them, and slow
    // searches would delay fast ones.
    SESSION_SEARCH_MAX_CONCURRENT: inherited.SESSION_SEARCH_MAX_CONCURRENT ?? String(availableParallelism() + 1),
    EVIDENCE_DIR: inherited.EVIDENCE_DIR ?? facts.evidenceDirectory,
    ...allowEmbeddingServer(inherited),
    ...writeSecretFiles(resolve(facts.secretDirectory, app), listAppSecrets(app, facts)),
  };
  const host = inherited.HOST ?? '127.0.0.1';
  const site = { PUBLIC_URL: inherited.PUBLIC_URL ?? `http://127.0.0.1:${facts.apiPort}` };
  const gateway = {
    ...site,
    HOST: host,
    PORT: String(facts.apiPort),
    // If the host is a loopback address, all clients are on this machine; otherwise the gateway's own restrictive
    // default applies.
    ...(isLoopbackHost(host) ? { REGISTRATION_ENABLED: inherited.REGISTRATION_ENABLED ?? 'true' } : {}),
    ...(isLoopbackHost(host) ? allowDemoServers(inherited) : {}),
  };
  if (app === 'flow-trigger') {
    return {
      ...inherited,
      ...own,
      FLOW_HIDE_PATHS: listHiddenPaths(inherited, facts),
      // This is the address at which the built-in agent calls its models.
      FLOW_AGENT_API_URL: inherited.FLOW_AGENT_API_URL ?? `http://127.0.0.1:${facts.apiPort}`,
      // A user who presses Ctrl-C waits for the shutdown.
      FLOW_STOP_GRACE_SECONDS: inherited.FLOW_STOP_GRACE_SECONDS ?? '3',
    };
  }
  if (app === 'webhook-dispatcher') return { ...inherited, ...own, ...site };
  // The gateway's own /metrics and health endpoints are not on the API port, but on a loopback address.
  return app === 'api-gateway' ? { ...inherited, ...own, ...gateway } : { ...inherited, ...own };
}

/**
 * Returns settings that allow the fake provider and the tools of the demo as well: all clients of this API are on this
 * machine.
 */
function allowDemoServers(inherited: Readonly<Record<string, string>>): Record<string, string> {
  const { MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: models = FAKE_PROVIDER_ORIGIN } = inherited;
  const { MCP_ALLOW_INSECURE_URLS: tools = DEMO_TOOLS_ORIGIN } = inherited;
  return { MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: models, MCP_ALLOW_INSECURE_URLS: tools };
}

/**
 * Returns settings that allow calls to `npm run embedding-server`, free of charge and with a long timeout, because it
 * shares the processors with everything else. Applies only if all clients of the API are on this machine.
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

/**
 * Lists the paths of the stack that agents must not see: all of its data, even if it is outside this folder because the
 * servers' user may not enter the folder.
 */
function listHiddenPaths(inherited: Readonly<Record<string, string>>, facts: AppEnvironmentFacts): string {
  const given = inherited.FLOW_HIDE_PATHS === undefined ? [] : [inherited.FLOW_HIDE_PATHS];
  return [...given, dirname(facts.secretDirectory), '/var/lib/steward-local'].join(',');
}
