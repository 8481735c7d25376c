import type { Edition } from '@steward/contracts';
import { createTurns } from '@steward/async';
import type { Surface } from '@steward/http';
import type { ToolServerClient, ToolServerLogins } from '@steward/mcp-client';
import type { Component, Logger } from '@steward/process';
import type { TokenSigner } from '@steward/identity';
import { type SecretBoxes, createFindKind, type OpenRequests } from '@steward/api';
import type { TrackerClient } from '@steward/trackers';
import { createSessionFinder } from '@steward/sessions';
import { openAuthenticate } from '../../request-gate.ts';
import { createAnswerMcpError } from './answer-mcp-error.ts';
import { createRunLeases } from './approvals/run-leases.ts';
import type { HoldDeps } from './approvals/wait-for-request.ts';
import { createSearchSessionsTool, type SearchToolDeps } from './builtin/search-sessions.ts';
import { createCallRecords, type RecordDeps } from './calls/call-records.ts';
import { createKeyMetadataRoutes } from './key-metadata.ts';
import { createMcpTools } from './mcp-tools.ts';
import { createMcpRoutes } from './mcp-routes.ts';
import { createMcpService } from './serve-mcp.ts';
import { createListenerJudge } from './streams/listener-judge.ts';
import { createSubscriptions, openStream } from './streams/open-stream.ts';
import { createServerListeners } from './streams/server-listeners.ts';
import { createMcpOffers } from './offers/mcp-offers.ts';
import { createOfferLists } from './offers/offer-lists.ts';
import { createServerTools } from './servers/server-tools.ts';
import { createTrackerTools } from './trackers/tracker-tools.ts';
import type { GovernedTool, ToolSource } from './tool.ts';

export type McpDeps = HoldDeps &
  SearchToolDeps &
  RecordDeps & {
    readonly logger: Logger;
    readonly settings: {
      readonly edition: Edition;
      readonly publicUrl: string;
      readonly toolServerHostUrl: string | undefined;
    };
    readonly signer: TokenSigner;
    readonly toolServers: ToolServerClient;
    readonly toolServerLogins: ToolServerLogins;
    readonly openRequests: Pick<OpenRequests, 'toolRequests' | 'toolStreams'>;
    readonly trackers: TrackerClient;
    readonly secretBoxes: Pick<SecretBoxes, 'approvedCall' | 'toolServer' | 'tracker' | 'flowAgent'>;
  };

/** Maximum number of database connections for opening sessions. */
const MAX_OPENING = 2;

/** Opens the MCP surface for agents (docs/contract/tool-calls.md). */
export function openMcp(deps: McpDeps): {
  readonly surface: Surface;
  readonly components: readonly Component[];
  /** Components that keep requests open until they are stopped. */
  readonly streams: readonly Component[];
} {
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
    findKind: createFindKind(deps.db),
    approvedCalls: approvedCall,
  };
  const tools = createMcpTools(callDeps);
  const offerLists = createOfferLists(deps);
  const offers = createMcpOffers({ ...callDeps, offerLists });
  const listeners = createServerListeners();
  const judge = createListenerJudge(openAuthenticate(deps), offers);
  const feed = { db: deps.db, offerLists, listeners, judge };
  const subscriptions = createSubscriptions(deps);
  const ending = new AbortController();
  const service = createMcpService({ tools, offers, subscriptions, feed, logger: deps.logger });
  return {
    surface: {
      prefix: '/mcp',
      isForeign: true,
      routes: [
        ...createMcpRoutes(deps, {
          service,
          openStream: (caller, signal) => openStream(feed, caller, AbortSignal.any([signal, ending.signal])),
        }),
        ...createKeyMetadataRoutes(deps.settings.publicUrl),
      ],
      answerError: createAnswerMcpError(deps.settings.publicUrl),
      auditSource: 'mcp',
    },
    streams: [
      {
        name: 'streams of changes',
        stop: async () => {
          ending.abort();
          await service.endStreams();
        },
      },
    ],
    // The components are stopped in reverse order, so that all calls have ended when the component that records them
    // stops.
    components: [
      records,
      leases,
      { name: 'streams of tool servers', stop: () => listeners.close() },
      { name: 'tool calls', stop: () => service.close() },
    ],
  };
}

/**
 * Joins the tools of the service, of the account's trackers and of its servers: if a tool of a server has the same name
 * as a tool of a tracker, the tool of the tracker is used.
 */
function joinSources(
  own: readonly GovernedTool[],
  trackers: Pick<ToolSource, 'list'>,
  servers: ToolSource,
): ToolSource {
  return {
    ...servers,
    async list(caller) {
      const [ofTrackers, ofServers] = await Promise.all([trackers.list(caller), servers.list(caller)]);
      const names = new Set(ofTrackers.map(({ definition }) => definition.name));
      return [...own, ...ofTrackers, ...ofServers.filter(({ definition }) => !names.has(definition.name))];
    },
  };
}
