import { createDueTasks, type Replica } from '@steward/database';
import { readOrigin } from '@steward/egress';
import type { Surface } from '@steward/http';
import { createToolServerClient, createToolServerLogins } from '@steward/mcp-client';
import { createEmbeddingBooking, createAskedModels } from '@steward/model-calls';
import { createConditionTime } from '@steward/tool-calls';
import type { Component, Probes } from '@steward/process';
import { createPolicyReader } from '@steward/policies';
import { toSessionWriteOptions, createNoteHandOver } from '@steward/sessions';
import { createTrackerClient } from '@steward/trackers';
import {
  createAgentActivity,
  createReadAudits,
  createOpenRequests,
  type OpenRequestsDeps,
  readApprovalOptions,
} from '@steward/api';
import type { GatewaySettings } from '../config.ts';
import { openAuthenticate } from '../request-gate.ts';
import { createContentRenderer, openContentObjects } from '@steward/sessions-api';
import { connectSearch, type SearchConnectionDeps } from '@steward/search-api';
import { createApiModules, type ApiDeps } from './api/api-modules.ts';
import { createApprovalWaits } from '@steward/approvals';
import { createHealthModule } from './api/health/module.ts';
import { openMcp, type McpDeps } from './mcp/open-mcp.ts';
import { openModelGateway, type ModelGatewayDeps } from './model-gateway/open-model-gateway.ts';
import { openOpenTelemetry, type OpenTelemetryDeps } from './opentelemetry/open-opentelemetry.ts';

export interface OpenSurfaces {
  readonly surfaces: readonly Surface[];
  readonly components: readonly Component[];
  /**
   * Components that keep requests open until they are stopped. They are stopped before the server, because the server
   * waits for its open requests.
   */
  readonly streams: readonly Component[];
  /** Searches an account that has no content, and writes no audit row; undefined if this process does not search. */
  readonly warmUpSearch: ((accountId: string) => Promise<void>) | undefined;
}

type Rendering = 'contentRenderer' | 'contentObjects' | 'options' | 'notes' | 'openRequests' | 'agentActivity';
type Shared =
  | 'search'
  | 'readAudits'
  | 'findSimilar'
  | 'searchAudits'
  | 'policies'
  | 'conditionTime'
  | 'waits'
  | 'approvals'
  | 'toolServers'
  | 'trackers'
  | 'askedModels'
  | 'toolServerLogins'
  | 'authenticate'
  | 'dueTasks';
/** Dependencies of the API and MCP. */
type AskingDeps = Omit<ApiDeps & McpDeps, Shared> & SearchConnectionDeps;

/**
 * Opens the surfaces of `SERVICE_ROLE` and creates their dependencies. Every process serves its own health endpoints.
 */
export function openSurfaces(
  role: GatewaySettings['serviceRole'],
  given: Omit<AskingDeps, Rendering> &
    Omit<ModelGatewayDeps, Rendering> &
    Omit<OpenTelemetryDeps, Rendering> &
    OpenRequestsDeps &
    Parameters<typeof openContentObjects>[0] & { readonly probes: Probes; readonly replica?: Replica | undefined },
): OpenSurfaces {
  const contentRenderer = createContentRenderer(given);
  const contentObjects = openContentObjects(given);
  const options = toSessionWriteOptions(given.settings, contentObjects);
  const notes = createNoteHandOver({ ...given, options });
  const openRequests = createOpenRequests(given);
  const agentActivity = createAgentActivity(given);
  const deps = { ...given, contentRenderer, contentObjects, options, notes, openRequests, agentActivity };
  const health = createHealthModule(deps);
  const asking = role === 'gateway' ? NOT_ASKING : openApiAndMcp(deps);
  const models = role === 'api' ? { surfaces: [], components: [] } : openModelGateway(deps);
  return {
    surfaces: [
      { prefix: '', auditSource: 'console', routes: [...health.routes, ...asking.routes] },
      ...(role === 'gateway' ? [] : [openOpenTelemetry(deps)]),
      ...asking.surfaces,
      ...models.surfaces,
    ],
    components: [
      ...(given.replica === undefined ? [] : [given.replica.component]),
      notes,
      { name: 'content renderer', stop: () => contentRenderer.close() },
      ...health.components,
      ...asking.components,
      ...models.components,
      createEmbeddingBooking(deps).component,
    ],
    streams: asking.streams,
    warmUpSearch: asking.warmUpSearch,
  };
}

const NOT_ASKING = { routes: [], surfaces: [], components: [], streams: [], warmUpSearch: undefined };

/** Opens the API and MCP, which use the same policies, approvals and searches. */
function openApiAndMcp(given: AskingDeps) {
  const { components, auditDb, warmUp: warmUpSearch, ...search } = connectSearch(given);
  const readAudits = createReadAudits({ ...given, auditDb });
  const waits = createApprovalWaits(given);
  const asked = createAskedModels(given);
  const policies = createPolicyReader();
  const conditionTime = createConditionTime();
  const dueTasks = createDueTasks(given);
  const insecureOrigins = given.settings.toolServerInsecureOrigins.map(readOrigin);
  const { toolServerHostUrl: hostUrl } = given.settings;
  const toolServers = createToolServerClient({
    insecureOrigins: hostUrl === undefined ? insecureOrigins : [...insecureOrigins, hostUrl],
  });
  const trackers = createTrackerClient({ insecureOrigins: given.settings.trackerInsecureOrigins.map(readOrigin) });
  const trackerPools = { name: 'trackers', stop: () => trackers.close() };
  const toolServerLogins = createToolServerLogins({ insecureOrigins });
  const connections = {
    name: 'tool servers',
    stop: async () => {
      await toolServers.close();
      await toolServerLogins.close();
    },
  };
  const deps = {
    ...given,
    ...search,
    readAudits,
    policies,
    conditionTime,
    waits,
    approvals: readApprovalOptions(given),
    toolServers,
    trackers,
    toolServerLogins,
    askedModels: asked.askedModels,
    authenticate: openAuthenticate(given),
    dueTasks,
  };
  const modules = createApiModules(deps);
  const mcp = openMcp(deps);
  return {
    routes: modules.flatMap((module) => module.routes),
    surfaces: [mcp.surface],
    streams: [...modules.flatMap((module) => module.streams ?? []), ...mcp.streams],
    warmUpSearch,
    components: [
      connections,
      trackerPools,
      ...components,
      ...asked.components,
      readAudits,
      ...modules.flatMap((module) => module.components),
      ...mcp.components,
      dueTasks.component,
    ],
  };
}
