import { Type } from '@sinclair/typebox';
import {
  countUnsealed,
  findPruned,
  findSealDigest,
  readSeals,
  renderEnd,
  renderSeal,
  renderStart,
  sealAudits,
  type ExportStart,
} from '@steward/audit';
import { sendLines, type OpenRequests } from '@steward/api';
import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';

export interface ExportAuditLogDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly openRequests: Pick<OpenRequests, 'exports'>;
}

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description:
          'Number of a seal that has already been exported; only later seals are exported. Default: all seals that retention has not removed are exported.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Creates the route GET /api/v1/audit-log/export: entries and seals of the account's audit log, one per line. */
export function createExportAuditLogRoute(deps: ExportAuditLogDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/audit-log/export',
    operationId: 'exportAuditLog',
    permissions: ['view_audit_logs'],
    summary: 'Download the audit log with its seals, oldest first.',
    description:
      'The response consists of JSON lines. The first line is `{"record": "log", "account_id", "after", "digest"}`, with `"removed": {"seals", "entries"}` if retention removed all seals before the exported ones. For each seal, its entries `{"record": "entry", ...}` follow, and then the seal `{"record": "seal", "number", "entries", "previous_digest", "digest", "sealed_at"}`. The last line is `{"record": "end", "seals": n, "entries": n, "unsealed": n, "unknown": n}`; a response without this line is incomplete. The digest of a seal is computed from the digest of the previous seal: for each entry in order, the next digest is the SHA-256 of 64 bytes, namely the current digest followed by the SHA-256 of the entry as canonical JSON (RFC 8785).',
    query: Query,
    responses: { 200: { description: 'The audit log as JSON lines.', mediaType: 'application/x-ndjson' } },
    handler: async ({ query, principal, signal }) => {
      const { accountId } = principal;
      const start = await findStart(deps.db, accountId, query.after ?? 0);
      return {
        stream: async (response) => {
          const leave = deps.openRequests.exports.enter(principal);
          try {
            await sealAudits(deps.db, { now: deps.clock.now(), accountId, signal });
            response.writeHead(200, {
              'content-type': 'application/x-ndjson',
              'content-disposition': 'attachment; filename="audit-log.ndjson"',
            });
            await sendLines(response, writeLines(deps.db, start), signal);
          } finally {
            leave();
          }
        },
      };
    },
  });
}

/**
 * Returns the seal after which the export begins. @throws invalid_request if there is no such seal, or it has been
 * removed
 */
async function findStart(db: AnyDatabase, accountId: string, after: number): Promise<ExportStart> {
  const pruned = await findPruned(db, accountId);
  if (pruned !== undefined && (after === 0 || after === pruned.number)) {
    const { number, digest, entries } = pruned;
    return { accountId, number, digest, removed: { seals: number, entries } };
  }
  const digest = await findSealDigest(db, { accountId, number: after });
  if (digest === undefined)
    throw new AppError('invalid_request', {
      message:
        pruned !== undefined && after < pruned.number
          ? `Seal ${after} of the audit log was removed by retention, like all seals up to ${pruned.number}.`
          : `The audit log has no seal ${after}.`,
      detail: { field: 'after' },
    });
  return { accountId, number: after, digest };
}

async function* writeLines(db: AnyDatabase, start: ExportStart): AsyncGenerator<string> {
  const { accountId, number: after } = start;
  yield renderStart(start);
  let seals = 0;
  let entries = 0;
  for await (const sealed of readSeals(db, { accountId, after })) {
    yield renderSeal(sealed);
    seals += 1;
    entries += sealed.rows.length;
  }
  yield renderEnd({ seals, entries, ...(await countUnsealed(db, accountId)) });
}
