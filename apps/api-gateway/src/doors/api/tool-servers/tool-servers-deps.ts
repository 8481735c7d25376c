import type { Static } from '@sinclair/typebox';
import type { Clock } from '@steward/async';
import { AppError, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { readOrigin } from '@steward/egress';
import type { AnswerBody } from '@steward/http';
import type { ToolServerClient, ToolServerLogins } from '@steward/mcp-client';
import type { Logger } from '@steward/process';
import type { SecretBox } from '@steward/crypto';
import {
  describeServerUrlContext,
  type CataloguedTool,
  type ToolServer,
  type ToolServerPatch,
} from '@steward/slice-tool-servers';
import type { GatewaySettings } from '../../../config.ts';
import type { SecretBoxes } from '../../../secret-boxes.ts';
import { hideAddress, readStored, refuseHidden, showAddress } from '../hide-address.ts';
import { requireProviderTarget } from '../require-provider-target.ts';
import type { ServerAnswer, ToolAnswer, UpdateServerBody } from './server-schemas.ts';

/** And what asks them for their tools. */
export interface RefreshDeps extends ToolServersDeps {
  readonly toolServers: Pick<ToolServerClient, 'listTools'>;
  readonly toolServerLogins: ToolServerLogins;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** What tool servers are served from. */
export interface ToolServersDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: Pick<GatewaySettings, 'toolServerInsecureOrigins'>;
  readonly secretBoxes: Pick<SecretBoxes, 'toolServer'>;
}

type Body = Static<typeof UpdateServerBody>;

/** What a save takes beside the account, once the name of the address was looked up. @throws invalid_base_url */
export async function prepareSave(
  deps: ToolServersDeps,
  body: Body,
): Promise<{ readonly patch: ToolServerPatch; readonly insecureOrigins: readonly string[]; readonly now: Date }> {
  const insecureOrigins = deps.settings.toolServerInsecureOrigins.map(readOrigin);
  const { name, url, enabled: isEnabled } = body;
  if (url !== undefined) refuseHidden(url, 'url');
  if (url !== undefined) await requireProviderTarget(url, { insecureOrigins, field: 'url' });
  const headers = body.headers === null ? {} : body.headers;
  return { patch: { name, url, isEnabled, headers }, insecureOrigins, now: deps.clock.now() };
}

/** What was sent, without the headers, and without the path of the address. */
export function describeServerChange({ headers, url, ...rest }: Body): Record<string, unknown> {
  return {
    ...rest,
    ...(url === undefined ? {} : { url: hideAddress(url) }),
    ...(headers === undefined ? {} : { headers_changed: true }),
  };
}

export function refuseName(): AppError {
  const message = 'The account has a tool server with this name already.';
  return new AppError('conflict', { message, detail: { field: 'name' } });
}

export interface ServerReader {
  readonly reader: Principal;
  readonly box: Pick<SecretBox, 'open'>;
}

export function presentServer(server: ToolServer, { reader, box }: ServerReader): AnswerBody<typeof ServerAnswer> {
  const url = readStored(server.address, describeServerUrlContext(server), box);
  return {
    id: server.id,
    name: server.name,
    transport: 'streamable_http',
    url: showAddress(url, reader, 'manage_policies'),
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
