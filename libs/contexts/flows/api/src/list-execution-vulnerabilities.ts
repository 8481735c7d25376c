import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import {
  decodeNumberCursor,
  defineRoute,
  encodeCursor,
  nullable,
  pageOf,
  PlainPageQuery,
  readLimit,
  toPage,
  type AnswerBody,
  type Route,
} from '@steward/http';
import {
  assessVulnerabilities,
  VULNERABILITY_REASONS,
  vulnerabilityEventId,
  type AssessedVulnerability,
} from '@steward/flows';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams } from './flow-schemas.ts';
import { readExecution } from './read-execution.ts';

const time = Type.String({ format: 'date-time' });

const Vulnerability = Type.Object({
  index: Type.Integer({ description: 'Index of the entry in the result, from 0.' }),
  cve: nullable(Type.String(), 'CVE id; null if the entry has no valid one, or if its `reason` is `beyond_limit`.'),
  reportable: Type.Boolean({
    description: 'Whether the vulnerability meets the conditions for the event `cra.reportable_vulnerability`.',
  }),
  reason: Type.String({
    enum: Object.keys(VULNERABILITY_REASONS),
    description: 'Why the vulnerability is or is not reportable.',
  }),
  message: Type.String({ description: 'The reason as a sentence.' }),
  discovered_at: nullable(time, 'When the vulnerability was discovered; null if the vulnerability is not reportable.'),
  deadlines: nullable(
    Type.Object({ early_warning_24h: time, notification_72h: time, final_report_14d: time }),
    'Reporting deadlines, counted from `discovered_at`; null if the vulnerability is not reportable.',
  ),
  event_id: nullable(
    Type.String({ format: 'uuid' }),
    'Id of the event; null if the vulnerability is not reportable. If no endpoint was subscribed to the type of the event, no event with this id exists.',
  ),
});

export function createExecutionVulnerabilitiesRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'listExecutionVulnerabilities',
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}/vulnerabilities',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary:
      'List the vulnerabilities in the result of an execution, each with the reason why it is reportable or not.',
    description:
      'Entries are in the order of the result. The reasons are not a legal determination. The service reports nothing to authorities; reporting is the responsibility of the manufacturer.',
    params: ExecutionParams,
    query: PlainPageQuery,
    responses: {
      200: { description: 'A page of vulnerabilities.', name: 'Vulnerability', schema: pageOf(Vulnerability) },
    },
    handler: async ({ params, query, principal: { accountId } }) => {
      const execution = await readExecution(deps, accountId, params.execution_id);
      const limit = readLimit(query);
      const from = decodeNumberCursor(query.cursor) ?? 0;
      // Every reader gets the assessment of the unmasked result, because the response contains no text of the result
      // except CVE ids.
      const rows = assessVulnerabilities(execution).slice(from, from + limit + 1);
      return {
        status: 200,
        body: toPage(rows, limit, {
          item: (row) => presentVulnerability(execution.id, row),
          cursor: ({ index }) => encodeCursor('', String(index + 1)),
        }),
      };
    },
  });
}

function presentVulnerability(executionId: string, row: AssessedVulnerability): AnswerBody<typeof Vulnerability> {
  const { index, cve, reason, problem, report } = row;
  const message = problem === undefined ? VULNERABILITY_REASONS[reason] : `The entry cannot be read: ${problem}.`;
  return {
    index,
    cve,
    reportable: report !== undefined,
    reason,
    message,
    discovered_at: report?.discovered_at ?? null,
    deadlines: report?.deadlines ?? null,
    event_id: report === undefined ? null : vulnerabilityEventId(executionId, report.cve),
  };
}
