import type { AnyDatabase } from '@steward/database';
import { Type } from '@sinclair/typebox';
import { AUDIT_RESOURCE_TYPES } from '@steward/contracts';
import { defineRoute, nullable, pageOf, PageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
import { listAuditLog, presentEntry } from '@steward/audit';
import { readTimeBounds } from '@steward/api';

const STATUSES = ['success', 'denied', 'failure'] as const;

const Query = Type.Object(
  {
    ...PageQuery,
    action: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only entries with this action, for example query, create or login.',
      }),
    ),
    resource_type: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Kind of resource the action applied to: ${AUDIT_RESOURCE_TYPES.join(', ')}.`,
      }),
    ),
    status: Type.Optional(Type.String({ enum: [...STATUSES] })),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the range, inclusive.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the range, exclusive.' })),
  },
  { additionalProperties: false },
);

const Entry = Type.Object({
  id: Type.String({ format: 'uuid' }),
  occurred_at: Type.String({ format: 'date-time' }),
  actor: Type.Object({ kind: Type.String(), id: nullable(Type.String()) }),
  source: Type.String(),
  action: Type.String(),
  resource_type: Type.String(),
  resource_id: nullable(Type.String()),
  status: Type.String(),
  details: Type.Unknown(),
});

export function createListAuditLogRoute(deps: { readonly db: AnyDatabase }): Route {
  return defineRoute({
    operationId: 'listAuditEntries',
    method: 'get',
    path: '/api/v1/audit-log',
    permissions: ['view_audit_logs'],
    summary: 'List the audit log, newest first.',
    query: Query,
    responses: { 200: { description: 'A page of entries.', name: 'AuditEntry', schema: pageOf(Entry) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const rows = await listAuditLog(deps.db, {
        accountId,
        action: query.action,
        resourceType: query.resource_type,
        status: query.status as (typeof STATUSES)[number] | undefined,
        ...readTimeBounds(query),
        ...page,
      });
      return { status: 200, body: toIdPage(rows, page.limit, presentEntry) };
    },
  });
}
