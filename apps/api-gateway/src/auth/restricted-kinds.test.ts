import { listMostPermissions, RESTRICTED_KINDS, type Permission, type RestrictedKind } from '@steward/contracts';
import { listDeclaredRoutes } from '../list-declared-routes.ts';

const routes = listDeclaredRoutes();
const listOpen = (kind: RestrictedKind): string[] =>
  routes
    .filter(({ openTo }) => openTo?.includes(kind))
    .map(({ operationId = '' }) => operationId)
    .toSorted();

const FOR_AGENTS = [
  'checkPermission',
  'downloadExecutionEvidence',
  'endSession',
  'exportSession',
  'importTranscript',
  'listExecutionLogs',
  'listExecutionVulnerabilities',
  'listExecutions',
  'listFlows',
  'listOperatorNotes',
  'listSavedSearches',
  'listSessions',
  'listSimilarSessions',
  'openSession',
  'readDeployment',
  'readExecution',
  'readFlow',
  'readMe',
  'readSavedSearch',
  'readSession',
  'readTimeline',
  'runSavedSearch',
  'searchSessions',
  'storeInteraction',
  'storeToolCall',
  'takePendingNotes',
  'updateSession',
];

/**
 * The list is written out, so that a reviewer sees a changed line when a route is opened to another kind of credential
 * (ACC-45).
 */
describe('routes for credentials that do not act for a person', () => {
  it('include the routes that the token of a run needs', () => {
    expect(listOpen('execution')).toEqual(FOR_AGENTS);
  });

  it('include the same routes for the key of an agent, plus those for importing content and for its own approval requests and key record', () => {
    const own = [
      'cancelApprovalRequest',
      'importSessions',
      'listApiKeys',
      'listApprovalRequests',
      'readApprovalRequest',
      'takeTraces',
    ];
    expect(listOpen('agent_key')).toEqual([...FOR_AGENTS, ...own].toSorted());
  });

  it('include only the salt and the reports for a discovery key (DISC-5)', () => {
    expect(listOpen('discovery_key')).toEqual(['readDiscoverySalt', 'reportDiscovery']);
  });

  it('include only those of the endpoints for a portal link, whose handlers are limited to its group (HOOK-50)', () => {
    expect(listOpen('portal_link')).toEqual([
      'createEndpoint',
      'deleteEndpoint',
      'listDeliveries',
      'listEndpoints',
      'readDelivery',
      'readEndpoint',
      'readEventCatalogue',
      'replayEvent',
      'rotateEndpointSecret',
      'testEndpoint',
      'updateEndpoint',
    ]);
  });

  it.each(RESTRICTED_KINDS)('require no permission that %s can never have', (kind) => {
    const most: readonly Permission[] = listMostPermissions(kind);
    const open = routes.filter(({ openTo }) => openTo?.includes(kind));
    expect(open.flatMap(({ permissions = [] }) => permissions.filter((name) => !most.includes(name)))).toEqual([]);
  });

  it('require no permission that changes what agents may do, except for the endpoints of a portal link', () => {
    const kinds = RESTRICTED_KINDS.filter((kind) => kind !== 'portal_link');
    const all = new Set(kinds.flatMap(listMostPermissions));
    expect([...all].filter((name) => !/^(?:view|search)_/.test(name)).toSorted()).toEqual([
      'manage_runtime_sessions',
      'report_discovery',
    ]);
  });
});
