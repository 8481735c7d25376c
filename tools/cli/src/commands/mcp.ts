import { countNoun } from '@steward/text';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import type { Page } from './pages.ts';
import type { HeaderSource } from './mcp-commands.ts';

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly status: string;
  readonly last_error: string | null;
  readonly tools_count: number;
  readonly tools_seen_at: string | null;
}

interface ServerTool {
  readonly name: string;
  readonly definition: { readonly description?: unknown };
  readonly definition_hash: string;
  readonly changed: boolean;
  readonly accepted_definition: unknown;
}

export const SERVERS_PATH = '/api/v1/mcp-servers';
const PAGE_SIZE = 200;
/** Maximum length of a description in a list. */
const MOST_OF_DESCRIPTION = 80;

/** Runs `steward mcp servers`: lists tool servers, newest first. */
export async function runMcpServers(context: CliContext, { json = false }: { readonly json?: boolean }): Promise<void> {
  const { output } = context;
  const servers = await listAll<Server>(createApiClient(context), SERVERS_PATH);
  if (json) return output.line(formatJson(servers, 2));
  for (const server of servers) output.line(describeServer(server));
  if (servers.length === 0) output.note('no tool servers');
}

/** Runs `steward mcp add`. */
export async function runMcpAdd(
  context: CliContext,
  { name, url, headers }: { readonly name: string; readonly url: string; readonly headers: readonly HeaderSource[] },
): Promise<void> {
  const values = readSources(context, headers);
  const sent = headers.length === 0 ? {} : { headers: values };
  const { body } = await createApiClient(context).call('POST', SERVERS_PATH, { body: { name, url, ...sent } });
  context.output.line(describeServer(body as unknown as Server));
}

/**
 * Reads the environment variables with the given names, because values in arguments would be visible in the process
 * list.
 */
export function readSources({ env }: CliContext, sources: readonly HeaderSource[]): Readonly<Record<string, string>> {
  const values = sources.map(({ header, variable }) => {
    const value = env[variable];
    if (value === undefined || value === '') throw refuse(`The environment variable ${variable} is not set.`);
    return [header, value] as const;
  });
  return Object.fromEntries(values);
}

/** Runs `steward mcp refresh`. */
export async function runMcpRefresh(context: CliContext, server: string): Promise<void> {
  const client = createApiClient(context);
  const { id } = await findServer(client, server);
  const { body } = await client.call('POST', `${SERVERS_PATH}/${id}/refresh`);
  context.output.line(describeServer(body as unknown as Server));
}

/** Runs `steward mcp tools`: lists the tools of a server, by name. */
export async function runMcpTools(
  context: CliContext,
  server: string,
  { changed = false, json = false }: { readonly changed?: boolean; readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const client = createApiClient(context);
  const { id } = await findServer(client, server);
  const tools = (await listAll<ServerTool>(client, `${SERVERS_PATH}/${id}/tools`)).filter(
    (tool) => !changed || tool.changed,
  );
  if (json) return output.line(formatJson(tools, 2));
  for (const tool of tools) {
    output.line(describeTool(tool));
    if (!changed) continue;
    output.line(cleanText(`  accepted: ${formatJson(tool.accepted_definition, 2)}`));
    output.line(cleanText(`  now: ${formatJson(tool.definition, 2)}`));
  }
  if (tools.length === 0) output.note(changed ? 'no tool has changed' : 'no tools');
}

/** Runs `steward mcp accept`: accepts only the current description, not later ones. */
export async function runMcpAccept(context: CliContext, server: string, name: string): Promise<void> {
  const client = createApiClient(context);
  const { id } = await findServer(client, server);
  const tools = await listAll<ServerTool>(client, `${SERVERS_PATH}/${id}/tools`);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw refuse(`The server has no tool ${name}.`);
  const path = `${SERVERS_PATH}/${id}/tools/${encodeURIComponent(name)}/accept`;
  const { body } = await client.call('POST', path, { body: { definition_hash: tool.definition_hash } });
  context.output.line(describeTool(body as unknown as ServerTool));
}

export async function findServer(client: ApiClient, wanted: string): Promise<Server> {
  const found = (await listAll<Server>(client, SERVERS_PATH)).find(({ id, name }) => id === wanted || name === wanted);
  if (found === undefined) throw refuse(`There is no tool server ${wanted}.`);
  return found;
}

async function listAll<T>(client: ApiClient, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor === '' ? {} : { cursor }) });
    const page: Page<T> = (await client.call('GET', `${path}?${query.toString()}`)).body as unknown as Page<T>;
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

export function describeServer({ id, name, url, enabled, status, last_error: error, ...tools }: Server): string {
  const seen = tools.tools_seen_at === null ? '' : `, seen ${formatMinute(tools.tools_seen_at)}`;
  const how = `${enabled ? status : 'off'}${error === null ? '' : ` (${error})`}`;
  return cleanText(`${id}  ${name}  ${url}  ${how}  ${countNoun(tools.tools_count, 'tool')}${seen}`);
}

function describeTool({ name, definition: { description }, changed }: ServerTool): string {
  const text = typeof description === 'string' ? description.replaceAll(/\s+/g, ' ') : '';
  const cut = text.length > MOST_OF_DESCRIPTION ? `${text.slice(0, MOST_OF_DESCRIPTION).toWellFormed()}…` : text;
  return cleanText([name, ...(changed ? ['CHANGED'] : []), cut].filter((part) => part !== '').join('  '));
}
