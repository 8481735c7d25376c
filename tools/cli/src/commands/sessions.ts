import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { formatJson } from '../output.ts';
import { runExport } from './export-lines.ts';
import { formatContent, formatSession, type ContentItem, type SessionItem } from './format-session.ts';
import { noteNextPage, type Page, type PageOptions } from './pages.ts';
import { omitUndefined, readMoment } from './search-filters.ts';

export const SESSIONS_PATH = '/api/v1/runtime-sessions';

export interface SessionFilterOptions {
  readonly active?: boolean;
  readonly ended?: boolean;
  readonly label?: string;
  readonly principal?: string;
  readonly flow?: string;
  readonly since?: string;
  readonly until?: string;
}

export type SessionsListOptions = PageOptions & SessionFilterOptions;

/** Returns the session filters in the service's format. */
export function readSessionFilters(options: SessionFilterOptions, now: Date) {
  const { active, ended } = options;
  return {
    active: active === true ? true : ended === true ? false : undefined,
    label: options.label,
    runtime_principal_id: options.principal,
    flow_id: options.flow,
    since: readMoment(options.since, '--since', now),
    until: readMoment(options.until, '--until', now),
  };
}

/** Runs `steward sessions list`: prints a page, newest start first. */
export async function runSessionsList(context: CliContext, options: SessionsListOptions): Promise<void> {
  const { limit, cursor } = options;
  const filters = readSessionFilters(options, new Date());
  const page = await read<Page<SessionItem>>(createApiClient(context), SESSIONS_PATH, { ...filters, limit, cursor });
  const { output } = context;
  if (options.json === true) {
    output.line(formatJson(page, 2));
    return;
  }
  for (const session of page.items) for (const line of formatSession(session, output.styles)) output.line(line);
  if (page.items.length === 0) output.note('no matching sessions');
  noteNextPage(context, page);
}

/** Runs `steward sessions show`: prints a session, and a page of its content. */
export async function runSessionsShow(context: CliContext, id: string, options: PageOptions): Promise<void> {
  const client = createApiClient(context);
  const path = `${SESSIONS_PATH}/${encodeURIComponent(id)}`;
  const session = await read<SessionItem>(client, path);
  const { limit, cursor } = options;
  const timeline = await read<Page<ContentItem>>(client, `${path}/timeline`, { limit, cursor });
  const { output } = context;
  if (options.json === true) {
    output.line(formatJson({ session, timeline }, 2));
    return;
  }
  for (const line of formatSession(session, output.styles)) output.line(line);
  for (const item of timeline.items) for (const line of formatContent(item, output.styles)) output.line(line);
  noteNextPage(context, timeline);
}

export interface SessionsExportOptions {
  readonly output?: string;
}

/**
 * Runs `steward sessions export`: exports a session as JSON lines. If written to a file, it contains the original
 * content as far as the user may see it; on standard output it contains no credentials.
 * @throws timed out for an incomplete export
 */
export async function runSessionsExport(
  context: CliContext,
  id: string,
  { output: path }: SessionsExportOptions,
): Promise<void> {
  await runExport(context, `${SESSIONS_PATH}/${encodeURIComponent(id)}/export`, path);
}

async function read<T>(client: ApiClient, path: string, query: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(omitUndefined(query))) given.set(name, String(value));
  const search = given.toString();
  return (await client.call('GET', search === '' ? path : `${path}?${search}`)).body as T;
}
