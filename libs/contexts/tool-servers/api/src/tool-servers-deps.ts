import type { Static } from '@sinclair/typebox';
import type { Clock } from '@steward/async';
import { AppError, type HostedCommand, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { readOrigin } from '@steward/egress';
import type { AnswerBody } from '@steward/http';
import type { ToolServerClient, ToolServerLogins } from '@steward/mcp-client';
import type { Logger } from '@steward/process';
import type { SecretBox } from '@steward/crypto';
import { readAllowedDestination } from '@steward/flows';
import {
  describeServerUrlContext,
  readProgramAddress,
  type CataloguedTool,
  type ToolServer,
  type ToolServerPatch,
} from '@steward/tool-servers';
import {
  type SecretBoxes,
  hideAddress,
  readStored,
  refuseHidden,
  showAddress,
  requireProviderTarget,
} from '@steward/api';
import type { ServerAnswer, ToolAnswer, UpdateServerBody } from './server-schemas.ts';

/** Dependencies of refreshes. */
export interface RefreshDeps extends ToolServersDeps {
  readonly toolServers: Pick<ToolServerClient, 'listTools' | 'readJson'>;
  readonly toolServerLogins: ToolServerLogins;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Dependencies of the tool server routes. */
export interface ToolServersDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: {
    readonly toolServerInsecureOrigins: readonly string[];
    readonly toolServerHostUrl: string | undefined;
  };
  readonly secretBoxes: Pick<SecretBoxes, 'toolServer' | 'flowAgent'>;
}

type Body = Static<typeof UpdateServerBody>;

/**
 * Checks the address of the server and resolves its host name, or checks the command of a program; returns the input
 * for saving the server.
 * @throws invalid_base_url
 */
export async function prepareSave(
  deps: ToolServersDeps,
  body: Body,
  principal: Principal,
): Promise<{ readonly patch: ToolServerPatch; readonly insecureOrigins: readonly string[]; readonly now: Date }> {
  const insecureOrigins = deps.settings.toolServerInsecureOrigins.map(readOrigin);
  const { name, url, enabled: isEnabled } = body;
  if (url !== undefined) refuseHidden(url, 'url');
  if (url !== undefined) await requireProviderTarget(url, { insecureOrigins, field: 'url' });
  const headers = body.headers === null ? {} : body.headers;
  const command = readCommand(deps, body, principal);
  return { patch: { name, url, isEnabled, headers, command }, insecureOrigins, now: deps.clock.now() };
}

const SECRET_REFERENCE = /\{\{\s*secrets?\.[^{}]{0,200}\}\}/;

/**
 * Returns the command of a program. Only owners and admins can set it, because a program has the privileges of an
 * execution.
 * @throws invalid_request, permission_denied
 */
function readCommand(
  { settings }: ToolServersDeps,
  { command, transport }: Body,
  { role }: Principal,
): HostedCommand | undefined {
  if (transport === 'streamable_http' && command !== undefined)
    throw new AppError('invalid_request', {
      message: '"command" can be set only with the transport "stdio".',
      detail: { field: 'command' },
    });
  if (command === undefined) return undefined;
  if (role !== 'owner' && role !== 'admin')
    throw new AppError('permission_denied', {
      message: 'Only owners and admins can add and change tool servers that are programs.',
    });
  if (settings.toolServerHostUrl === undefined)
    throw new AppError('invalid_request', {
      message: 'This deployment does not run tool servers that are programs (TOOL_SERVER_HOST_URL is not set).',
      detail: { field: 'transport' },
    });
  const unknown = command.network_allow?.find((text) => readAllowedDestination(text) === undefined);
  if (unknown !== undefined)
    throw new AppError('invalid_request', {
      message: `"command" has an invalid entry in "network_allow": ${unknown} does not have the form host, host:port, *.host or *.`,
      detail: { field: 'command' },
    });
  const texts = [command.command, ...(command.args ?? []), ...Object.values(command.env ?? {})];
  const [reference] = texts.flatMap((text) => SECRET_REFERENCE.exec(text) ?? []);
  if (reference !== undefined)
    throw new AppError('invalid_request', {
      message: `"command" has ${reference}, which only flows support: send the value itself in "env". It is stored encrypted.`,
      detail: { field: 'command' },
    });
  return { args: [], env: {}, network_allow: [], ...command };
}

/**
 * Returns the sent fields for the audit log, without the headers and the path of the address. For a command, the result
 * contains only the program, the number of arguments and the names of the variables.
 */
export function describeServerChange({ headers, url, command, ...rest }: Body): Record<string, unknown> {
  return {
    ...rest,
    ...(command === undefined
      ? {}
      : { command: command.command, args_count: command.args?.length ?? 0, env_names: Object.keys(command.env ?? {}) }),
    ...(url === undefined ? {} : { url: hideAddress(url) }),
    ...(headers === undefined ? {} : { headers_changed: true }),
  };
}

/**
 * Checks that a new server has an address or a command.
 * @throws invalid_request
 */
export function requirePlace({ transport, url, command }: Body): void {
  const isProgram = transport === 'stdio' || command !== undefined;
  if ((isProgram ? command : url) !== undefined) return;
  const field = isProgram ? 'command' : 'url';
  throw new AppError('invalid_request', { message: `"${field}" is needed.`, detail: { field } });
}

export function refuseName(): AppError {
  const message = 'The account already has a tool server with this name.';
  return new AppError('conflict', { message, detail: { field: 'name' } });
}

export interface ServerReader {
  readonly reader: Principal;
  readonly box: Pick<SecretBox, 'open'>;
}

export function presentServer(server: ToolServer, { reader, box }: ServerReader): AnswerBody<typeof ServerAnswer> {
  const url = readStored(server.address, describeServerUrlContext(server), box);
  const program = readProgramAddress(url);
  return {
    id: server.id,
    name: server.name,
    transport: server.transport,
    url: program === undefined ? showAddress(url, reader, 'manage_policies') : `stdio:${program.command}`,
    command: program === undefined || !reader.permissions.has('manage_policies') ? null : presentCommand(program),
    has_headers: server.hasHeaders,
    enabled: server.isEnabled,
    status: server.status,
    last_error: server.lastError,
    oauth: presentLogin(server),
    tools_count: server.toolsCount,
    tools_seen_at: server.toolsSeenAt,
    created_at: server.createdAt,
    updated_at: server.updatedAt,
  };
}

function presentCommand({ command, args, env, network_allow: allow }: HostedCommand) {
  return { command, args: [...args], env_names: Object.keys(env), network_allow: [...allow] };
}

function presentLogin({ login }: ToolServer): AnswerBody<typeof ServerAnswer>['oauth'] {
  if (login === null) return null;
  return {
    issuer: login.issuer,
    scope: login.scope,
    expires_at: login.expiresAt === null ? null : new Date(login.expiresAt),
    connected_by: login.connectedBy,
    connected_at: new Date(login.connectedAt),
    ended: login.hasEnded,
  };
}

export function presentTool(tool: CataloguedTool): AnswerBody<typeof ToolAnswer> {
  return {
    name: tool.definition.name,
    definition: tool.definition,
    definition_hash: tool.hash,
    changed: tool.isChanged,
    accepted_definition: tool.isChanged ? tool.accepted : null,
    first_seen_at: tool.firstSeenAt,
    changed_at: tool.changedAt,
  };
}
