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

/** Written out, so that opening a route to a kind of credential is a line that a reviewer reads (ACC-45). */
describe('routes for credentials that act for something other than a person', () => {
  it('is for the token of a run what its agent works with', () => {
    expect(listOpen('execution')).toEqual(FOR_AGENTS);
  });

  it('is for the key of an agent that, what it has collected, its own requests and itself', () => {
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

  it('is for a key of discovery the salt and the reports (DISC-5)', () => {
    expect(listOpen('discovery_key')).toEqual(['readDiscoverySalt', 'reportDiscovery']);
  });

  it.each(RESTRICTED_KINDS)('needs no permission that %s can never have', (kind) => {
    const most: readonly Permission[] = listMostPermissions(kind);
    const open = routes.filter(({ openTo }) => openTo?.includes(kind));
    expect(open.flatMap(({ permissions = [] }) => permissions.filter((name) => !most.includes(name)))).toEqual([]);
  });

  it('holds no permission that changes what agents may do', () => {
    const all = new Set(RESTRICTED_KINDS.flatMap(listMostPermissions));
    expect([...all].filter((name) => !/^(?:view|search)_/.test(name)).toSorted()).toEqual([
      'manage_runtime_sessions',
      'report_discovery',
    ]);
  });
});
