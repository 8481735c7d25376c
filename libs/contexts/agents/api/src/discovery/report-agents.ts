import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { reportAgents } from '@steward/agents';
import type { DiscoveryDeps } from './discovery-deps.ts';
import { ReportAnswer, ReportBody } from './discovery-schemas.ts';

export function createReportAgentsRoute(deps: DiscoveryDeps): Route {
  const { settings, clock } = deps;
  return defineRoute({
    operationId: 'reportDiscovery',
    method: 'post',
    path: '/api/v1/agents/discovery-reports',
    openTo: ['discovery_key'],
    permissions: ['report_discovery'],
    summary:
      'Report the agents of a workstation. The workstation and the paths of configuration files are sent only as hashes. For each new agent, `agent.discovered` is emitted once.',
    body: ReportBody,
    bodyExample: {
      workstation_fingerprint: 'a3f1'.repeat(16),
      os_family: 'linux',
      agents: [{ agent_kind: 'codex', config_path_hash: '7b20'.repeat(16), mcp_server_count: 1, enrolled: false }],
    },
    responses: {
      200: { description: 'Numbers of new and known candidates.', name: 'TakenReports', schema: ReportAnswer },
    },
    unaudited: 'An event records the reports of a candidate.',
    handler: async ({ body, principal: { accountId }, traceparent }) => {
      if (!settings.agentDiscoveryEnabled) throw new AppError('discovery_disabled');
      const report = {
        accountId,
        workstationFingerprint: body.workstation_fingerprint,
        osFamily: body.os_family,
        agents: body.agents.map((agent) => ({
          agentKind: agent.agent_kind,
          agentVersion: agent.agent_version ?? null,
          configPathHash: agent.config_path_hash,
          mcpServerCount: agent.mcp_server_count,
          isEnrolled: agent.enrolled ?? false,
        })),
        now: clock.now(),
      };
      const options = { maxPendingPerAccount: settings.webhookMaxPendingPerAccount };
      const outcome = await transact({ ...deps, traceparent }, (trx, hints) =>
        reportAgents(trx, hints, report, options),
      );
      if (outcome.kind === 'disabled') throw new AppError('discovery_disabled');
      return { status: 200, body: { created: outcome.created, updated: outcome.updated } };
    },
  });
}
