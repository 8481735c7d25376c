import { InvalidArgumentError, type Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson } from '../output.ts';
import { readInteger } from '../read-integer.ts';
import { readList } from '../read-list.ts';
import { noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

export interface KeyLimitOptions {
  readonly models?: readonly string[];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly tokensPerMinute?: number;
  readonly tokensPerDay?: number;
}

const NAMES = ['calls_per_minute', 'calls_per_day', 'tokens_per_minute', 'tokens_per_day'] as const;

type Counts = { readonly [Name in (typeof NAMES)[number]]: number | null };

interface Key {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly limits: (Counts & { readonly models: readonly string[] | null }) | null;
  readonly limits_used: Counts | null;
}

const PATH = '/api/v1/auth/api-keys';
const MOST = 1_000_000_000;

export function addLimitOptions(command: Command): Command {
  const most = readInteger(0, MOST);
  return command
    .option('--models <aliases>', 'models that the key may call, separated by commas (default: all)', readAliases)
    .option('--calls-per-minute <count>', 'maximum model calls per minute', most)
    .option('--calls-per-day <count>', 'maximum model calls per day (UTC)', most)
    .option('--tokens-per-minute <count>', 'maximum tokens per minute', most)
    .option('--tokens-per-day <count>', 'maximum tokens per day (UTC)', most);
}

/** Builds the limits of the request; null if there are none. */
export function buildLimits(options: KeyLimitOptions): object | null {
  const limits = {
    models: options.models,
    calls_per_minute: options.callsPerMinute,
    calls_per_day: options.callsPerDay,
    tokens_per_minute: options.tokensPerMinute,
    tokens_per_day: options.tokensPerDay,
  };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** Runs `steward keys limit`: sets all limits of a key. */
export async function runKeysLimit(
  context: CliContext,
  id: string,
  { json = false, ...options }: KeyLimitOptions & { readonly json?: boolean },
): Promise<void> {
  const body = { limits: buildLimits(options) };
  const answer = await createApiClient(context).call('PATCH', `${PATH}/${encodeURIComponent(id)}`, { body });
  context.output.line(json ? formatJson(answer.body, 2) : describe(answer.body as unknown as Key));
}

/** Runs `steward keys list`: lists keys, newest first, with the usage of their limits. */
export async function runKeysList(context: CliContext, options: PageOptions): Promise<void> {
  const query = new URLSearchParams(toPageQuery(options));
  const page = (await createApiClient(context).call('GET', `${PATH}?${query.toString()}`)).body as unknown as Page<Key>;
  const { output } = context;
  if (options.json === true) return output.line(formatJson(page, 2));
  for (const key of page.items) output.line(describe(key));
  if (page.items.length === 0) output.note('no keys');
  noteNextPage(context, page);
}

function describe({ id, name, hint, limits, limits_used: used }: Key): string {
  const parts = NAMES.flatMap((what) => {
    const most = limits?.[what] ?? null;
    return most === null ? [] : [`${used?.[what] ?? 0} of ${most} ${what.replaceAll('_', ' ')}`];
  });
  const models = limits?.models ?? null;
  const all = models === null ? parts : [`models ${models.join(', ') || 'none'}`, ...parts];
  return cleanText(`${id}  …${hint}  ${name}  ${all.length === 0 ? 'no limits' : all.join('; ')}`);
}

function readAliases(text: string): string[] {
  const aliases = readList(text);
  if (aliases.length === 0) throw new InvalidArgumentError('The value must be aliases of models, separated by commas.');
  return [...new Set(aliases)];
}
