import { InvalidArgumentError, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { runMcpConnect, runMcpDisconnect, type ConnectOptions } from './mcp-connect.ts';
import { runMcpAddProgram, runMcpLog } from './mcp-programs.ts';
import { runMcpAccept, runMcpAdd, runMcpRefresh, runMcpServers, runMcpTools } from './mcp.ts';

const SERVER = 'name or id of the server';
const JSON_HELP = 'print the whole response as JSON';

/** Adds `steward mcp …`. */
export function addMcp(program: Command, context: CliContext): void {
  const mcp = program
    .command('mcp')
    .description('manage tool servers and the tools that agents reach through the service');
  mcp
    .command('servers')
    .description('list servers with their state, newest first')
    .option('--json', JSON_HELP)
    .action((options: { json?: boolean }) => runMcpServers(context, options));
  mcp
    .command('add')
    .description('add a server; agents see its tools as NAME__TOOL')
    .argument('<name>', 'name: up to 20 characters of a-z, 0-9 and -')
    .argument('<url>', 'https URL of the server')
    .option('--header-env <header=VARIABLE...>', 'send a header with the value of an environment variable', readHeader)
    .action((name: string, url: string, { headerEnv = [] }: { headerEnv?: readonly HeaderSource[] }) =>
      runMcpAdd(context, { name, url, headers: headerEnv }),
    );
  mcp
    .command('add-program')
    .description(
      'add a program that a flow worker runs as a server, for example: steward mcp add-program files -- npx -y SERVER',
    )
    .argument('<name>', 'name: up to 20 characters of a-z, 0-9 and -')
    .argument('<command>', 'name or path of the program in the sandbox in which it runs')
    .argument('[args...]', 'arguments of the program')
    .option(
      '--env <name=VARIABLE...>',
      'set a variable of the program to the value of one of your environment variables',
      readHeader,
    )
    .option('--allow <host...>', 'host that the program may reach, in the format of a flow’s network_allow')
    .action((name: string, command: string, args: readonly string[], { env = [], allow = [] }: ProgramOptions) =>
      runMcpAddProgram(context, { name, command, args, env, allow }),
    );
  mcp
    .command('log')
    .description('show the last output of a server’s program, and how the program ended')
    .argument('<server>', SERVER)
    .action((server: string) => runMcpLog(context, server));
  mcp
    .command('refresh')
    .description('reload the tools of a server now')
    .argument('<server>', SERVER)
    .action((server: string) => runMcpRefresh(context, server));
  mcp
    .command('connect')
    .description(
      'log in at the authorization server of a tool server (OAuth); agents call the tool server with the access that you grant',
    )
    .argument('<server>', SERVER)
    .option('--client-id <id>', 'client id at the authorization server (default: the service registers itself)')
    .option('--client-secret-env <variable>', 'environment variable that contains the client secret')
    .option('--scope <scope>', 'scopes to request (default: those that the tool server requests, or else supports)')
    .option(
      '--port <port>',
      'port of this machine to which the browser is redirected (default: any free port)',
      readPort,
    )
    .action((server: string, options: ConnectOptions) => runMcpConnect(context, server, options));
  mcp
    .command('disconnect')
    .description('delete the login of a server')
    .argument('<server>', SERVER)
    .action((server: string) => runMcpDisconnect(context, server));
  mcp
    .command('tools')
    .description('list the tools of a server; those that changed since they were accepted are marked')
    .argument('<server>', SERVER)
    .option('--changed', 'only changed tools, with the accepted and the current definition')
    .option('--json', JSON_HELP)
    .action((server: string, options: { changed?: boolean; json?: boolean }) => runMcpTools(context, server, options));
  mcp
    .command('accept')
    .description('accept the current definition of a tool')
    .argument('<server>', SERVER)
    .argument('<tool>', 'name of the tool on its server')
    .action((server: string, tool: string) => runMcpAccept(context, server, tool));
}

interface ProgramOptions {
  readonly env?: readonly HeaderSource[];
  readonly allow?: readonly string[];
}

export interface HeaderSource {
  readonly header: string;
  readonly variable: string;
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError('The value must be a port.');
}

/** Parses `HEADER=VARIABLE`. The value itself would be visible to other users of the machine in the process list. */
function readHeader(text: string, before: readonly HeaderSource[] = []): HeaderSource[] {
  const [, header, variable] = /^([\w-]+)=([A-Za-z_]\w*)$/.exec(text) ?? [];
  if (header === undefined || variable === undefined) {
    throw new InvalidArgumentError(
      'The value must be a name and an environment variable, for example Authorization=TOOLS_AUTH',
    );
  }
  return [...before, { header, variable }];
}
