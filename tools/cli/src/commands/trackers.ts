import { createApiClient, type ApiClient } from '../api/api-client.ts';
import { listAll } from '../api/list-all.ts';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { readSecret } from '../read-secret.ts';

export interface TrackerOptions {
  readonly tokenEnv?: string;
  readonly baseUrl?: string;
  readonly username?: string;
  readonly repository?: readonly string[];
}

interface Tracker {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly base_url: string;
  readonly repositories: readonly string[];
}

interface Trial {
  readonly ok: boolean;
  readonly login: string | null;
  readonly name: string | null;
  readonly scopes: readonly string[] | null;
  readonly expires_at: string | null;
  readonly repository: {
    readonly name: string;
    readonly may_read: boolean;
    readonly may_write: boolean;
    readonly may_manage_hooks: boolean | null;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const PATH = '/api/v1/trackers';
const DEFAULT_VARIABLE = 'STEWARD_TRACKER_TOKEN';

/** Runs `steward trackers list`: lists trackers, newest first. */
export async function runTrackersList(
  context: CliContext,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const trackers = await listAll<Tracker>(createApiClient(context), PATH);
  if (json) return output.line(formatJson(trackers, 2));
  for (const tracker of trackers) output.line(describe(tracker));
  if (trackers.length === 0) output.note('no trackers');
}

/** Runs `steward trackers create`. */
export async function runTrackersCreate(
  context: CliContext,
  name: string,
  options: TrackerOptions & { readonly kind: string },
): Promise<void> {
  const token = readSecret(context, options.tokenEnv ?? DEFAULT_VARIABLE);
  const body = { name, kind: options.kind, token, ...readFields(options) };
  const answer = await createApiClient(context).call('POST', PATH, { body });
  context.output.line(describe(answer.body as unknown as Tracker));
}

/** Runs `steward trackers update`. */
export async function runTrackersUpdate(context: CliContext, tracker: string, options: TrackerOptions): Promise<void> {
  const { tokenEnv } = options;
  const token = tokenEnv === undefined ? {} : { token: readSecret(context, tokenEnv) };
  const client = createApiClient(context);
  const { id } = await findTracker(client, tracker);
  const { body } = await client.call('PATCH', `${PATH}/${id}`, { body: { ...readFields(options), ...token } });
  context.output.line(describe(body as unknown as Tracker));
}

/** Runs `steward trackers test`. */
export async function runTrackersTest(
  context: CliContext,
  tracker: string,
  { repository, json = false }: { readonly repository?: string; readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const client = createApiClient(context);
  const { id } = await findTracker(client, tracker);
  const sent = repository === undefined ? {} : { repository };
  const trial = (await client.call('POST', `${PATH}/${id}/test`, { body: sent })).body as unknown as Trial;
  if (!trial.ok) context.setExitCode(EXIT.failed);
  if (json) return output.line(formatJson(trial, 2));
  for (const line of describeTrial(trial)) output.line(cleanText(line));
}

/** Runs `steward trackers delete`. */
export async function runTrackersDelete(context: CliContext, tracker: string): Promise<void> {
  const client = createApiClient(context);
  const { id, name } = await findTracker(client, tracker);
  await client.call('DELETE', `${PATH}/${id}`);
  context.output.note(cleanText(`deleted ${name}`));
}

/**
 * Finds a tracker by name or id.
 * @throws refused
 */
export async function findTracker(client: ApiClient, given: string): Promise<Tracker> {
  const trackers = await listAll<Tracker>(client, PATH);
  const found = trackers.find(({ id, name }) => id === given || name === given);
  if (found === undefined) throw refuse(`There is no tracker "${cleanText(given)}".`);
  return found;
}

function readFields({ baseUrl, username, repository }: TrackerOptions): Record<string, unknown> {
  return {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(username === undefined ? {} : { username }),
    ...(repository === undefined ? {} : { repositories: repository }),
  };
}

function describe({ id, name, kind, base_url: url, repositories }: Tracker): string {
  const scope = repositories.length === 0 ? 'all repositories' : repositories.join(', ');
  return cleanText(`${id}  ${name}  ${kind}  ${url}  ${scope}`);
}

function describeTrial({ ok, login, name, scopes, expires_at: expires, repository, error }: Trial): string[] {
  if (!ok) return [`refused (${error?.code ?? ''}): ${error?.message ?? ''}`];
  const who = name === null || name === '' ? (login ?? '') : `${login ?? ''} (${name})`;
  const say = (may: boolean | null): string => (may === null ? 'unknown' : may ? 'yes' : 'no');
  return [
    `token of ${who}`,
    ...(scopes === null ? [] : [`may: ${scopes.join(', ')}`]),
    ...(expires === null ? [] : [`until ${expires}`]),
    ...(repository === null
      ? []
      : [
          `${repository.name}: read ${say(repository.may_read)}, write ${say(repository.may_write)}, webhooks ${say(repository.may_manage_hooks)}`,
        ]),
  ];
}
