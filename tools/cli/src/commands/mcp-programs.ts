import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText } from '../output.ts';
import { describeServer, findServer, readSources, SERVERS_PATH, type Server } from './mcp.ts';
import type { HeaderSource } from './mcp-commands.ts';

export interface NewProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly HeaderSource[];
  readonly allow: readonly string[];
}

/** Runs `steward mcp add-program`. */
export async function runMcpAddProgram(
  context: CliContext,
  { name, command, args, env, allow }: NewProgram,
): Promise<void> {
  const body = {
    name,
    transport: 'stdio',
    command: { command, args, env: readSources(context, env), network_allow: allow },
  };
  const { body: server } = await createApiClient(context).call('POST', SERVERS_PATH, { body });
  context.output.line(describeServer(server as unknown as Server));
}

/** Runs `steward mcp log`. */
export async function runMcpLog(context: CliContext, wanted: string): Promise<void> {
  const client = createApiClient(context);
  const { id } = await findServer(client, wanted);
  const { lines } = (await client.call('GET', `${SERVERS_PATH}/${id}/log`)).body as unknown as {
    lines: readonly string[];
  };
  for (const line of lines) context.output.line(cleanText(line));
  if (lines.length === 0) context.output.note('the program of this server has not printed anything');
}
