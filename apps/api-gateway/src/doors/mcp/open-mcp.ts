import { createTurns } from '@steward/async';
import { AGENT_KINDS, AppError, refusePermission, type Principal } from '@steward/contracts';
import { defineRoute, parseJsonText, requireJson, type Door, type Route } from '@steward/http';
import type { ToolServerClient } from '@steward/mcp-client';
import type { Component, Logger } from '@steward/process';
import type { GatewaySettings } from '../../config.ts';
import type { SecretBoxes } from '../../secret-boxes.ts';
import type { TrackerClient } from '@steward/slice-trackers';
import { createSessionFinder } from '../model-gateway/capture/session-finder.ts';
import type { OpenRequests } from '../../limits/open-requests.ts';
import { createAnswerMcpError } from './answer-mcp-error.ts';
import { createRunLeases } from './approvals/run-leases.ts';
import type { HoldDeps } from './approvals/wait-for-request.ts';
import { createSearchSessionsTool, type SearchToolDeps } from './builtin/search-sessions.ts';
import { createCallRecords, type RecordDeps } from './calls/call-records.ts';
import { createKeyMetadataRoutes } from './key-metadata.ts';
import { createMcpTools } from './mcp-tools.ts';
import { createMcpService, type McpService } from './serve-mcp.ts';
import { createMcpOffers } from './offers/mcp-offers.ts';
import { createOfferLists } from './offers/offer-lists.ts';
import { createServerTools } from './servers/server-tools.ts';
import { createTrackerTools } from './trackers/tracker-tools.ts';
import type { GovernedTool, ToolSource } from './tool.ts';

export type McpDeps = HoldDeps &
  SearchToolDeps &
  RecordDeps & {
    readonly logger: Logger;
    readonly settings: Pick<GatewaySettings, 'publicUrl'>;
    readonly toolServers: ToolServerClient;
    readonly openRequests: Pick<OpenRequests, 'toolRequests'>;
    readonly trackers: TrackerClient;
    readonly secretBoxes: Pick<SecretBoxes, 'approvedCall' | 'toolServer' | 'tracker'>;
  };

/** As of other routes that take the arguments of a call (LIM-13). */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Connections of the database for sessions that are opened. */
const MAX_OPENING = 2;

/** The door for agents that speak the Model Context Protocol (docs/contract/tool-calls.md). */
export function openMcp(deps: McpDeps): { readonly door: Door; readonly components: readonly Component[] } {
  const { toolServers } = deps;
  const { approvedCall, toolServer: toolServerSecrets, tracker: trackerSecrets } = deps.secretBoxes;
  const leases = createRunLeases(deps);
  const records = createCallRecords(deps);
  const callDeps = {
    ...deps,
    source: joinSources(
      [createSearchSessionsTool(deps)],
      createTrackerTools({ ...deps, trackerSecrets }),
      createServerTools({ ...deps, toolServers, toolServerSecrets }),
    ),
    leases,
    records,
    findSession: createSessionFinder({ ...deps, turns: createTurns(MAX_OPENING) }),
    approvedCalls: approvedCall,
  };
  const tools = createMcpTools(callDeps);
  const offers = createMcpOffers({ ...callDeps, offerLists: createOfferLists(deps) });
  const service = createMcpService({ tools, offers, logger: deps.logger });
  return {
    door: {
      prefix: '/mcp',
      isForeign: true,
      routes: [createMcpRoute(deps, service), ...createKeyMetadataRoutes(deps.settings.publicUrl)],
      answerError: createAnswerMcpError(deps.settings.publicUrl),
      auditSource: 'mcp',
    },
    // Stopped in the reverse order: calls end before what they leave behind is stored.
    components: [records, leases, { name: 'tool calls', stop: () => service.close() }],
  };
}

/** Of the service, of the account's trackers and of its servers: of two that are called the same the first counts. */
function joinSources(own: readonly GovernedTool[], trackers: Pick<ToolSource, 'list'>, servers: ToolSource): ToolSource {
  return {
    ...servers,
    async list(caller) {
      const [ofTrackers, ofServers] = await Promise.all([trackers.list(caller), servers.list(caller)]);
      const names = new Set(ofTrackers.map(({ definition }) => definition.name));
      return [...own, ...ofTrackers, ...ofServers.filter(({ definition }) => !names.has(definition.name))];
    },
  };
}

function createMcpRoute(
  { settings, openRequests }: Pick<McpDeps, 'settings' | 'openRequests'>,
  service: McpService,
): Route {
  const { origin: ownOrigin } = new URL(settings.publicUrl);
  return defineRoute({
    method: 'post',
    path: '/mcp/v1',
    openTo: AGENT_KINDS,
    isAct: true,
    summary: 'List and call tools, read resources and get prompts, by the Model Context Protocol.',
    bodyKind: 'json-later',
    bodyLimitBytes: BODY_LIMIT_BYTES,
    responses: {},
    handler: async ({ principal, headers, readBody, requestId, traceparent, signal }) => {
      requireOwnOrigin(headers.origin, ownOrigin);
      requireCaller(principal);
      requireJson({ headers });
      // Before the body is read, which may be slow and large.
      const leave = openRequests.toolRequests.enter(principal);
      const caller = { principal, requestId, traceparent, headers };
      try {
        const { value: message, text } = parseJsonText(await readBody());
        const result = await service.serve({ message, text, caller, signal });
        if ('source' in result) result.source.once('close', leave);
        else leave();
        return result;
      } catch (error) {
        leave();
        throw error;
      }
    },
  });
}

/** A page of somebody else's that runs in a browser inside the network may not speak for its user. @throws permission_denied */
function requireOwnOrigin(origin: string | undefined, ownOrigin: string): void {
  if (origin === undefined || origin === ownOrigin) return;
  throw new AppError('permission_denied', { message: 'Requests of this origin are not answered.' });
}

/** As for permission-check: whoever may write sessions, and the agent of a running execution. @throws permission_denied */
function requireCaller(principal: Principal): void {
  const permission = 'manage_runtime_sessions';
  if (!principal.permissions.has(permission)) throw refusePermission(principal, permission);
}
