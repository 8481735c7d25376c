import { pipeline } from 'node:stream/promises';
import { AGENT_KINDS, AppError, type EvidenceReceipt } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { ageReceipt, locateEvidence } from '@steward/flows';
import { StoreError, type StoredObject } from '@steward/storage';
import { noteDenied, noteRead, cutWhenStalled } from '@steward/api';
import { readExecution } from './read-execution.ts';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams } from './flow-schemas.ts';

export function createExecutionEvidenceRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'downloadExecutionEvidence',
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}/evidence',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary: 'Download the evidence of an execution.',
    description:
      'The response is a gzipped tar archive that contains the files under `files/` and a `manifest.json` with the SHA-256 of each file.',
    params: ExecutionParams,
    responses: { 200: { description: 'The archive.', mediaType: 'application/gzip' } },
    audit: { action: 'read', resourceType: 'flow_execution' },
    onRefused: noteDenied(deps, 'evidence'),
    handler: async ({ params, principal, audit }) => {
      const execution = await readExecution(deps, principal.accountId, params.execution_id);
      const stored = execution.evidence_receipt as EvidenceReceipt | null;
      if (stored === null) throw missing('This execution has no captured evidence.');
      const receipt = ageReceipt(stored, execution.finished_at, deps.clock.now());
      if (receipt.status === 'expired')
        throw missing('The evidence of this execution was deleted at the end of its retention.');
      return {
        stream: async (response) => {
          const leave = deps.openRequests.downloads.enter(principal);
          try {
            const archive = await openArchive(deps, execution.account_id, receipt);
            await noteRead(deps, { what: 'evidence', resourceId: execution.id, principal, audit });
            response.writeHead(200, {
              'content-type': 'application/gzip',
              'content-length': archive.sizeBytes,
              'content-disposition': `attachment; filename="evidence-${execution.id}.tar.gz"`,
              'repr-digest': `sha-256=:${Buffer.from(receipt.sha256, 'hex').toString('base64')}:`,
            });
            cutWhenStalled(response);
            // The disconnection of a client is not logged as an internal error; if the store fails, the response is
            // aborted.
            await pipeline(archive.stream, response).catch(() => response.destroy());
          } finally {
            leave();
          }
        },
      };
    },
  });
}

/**
 * Opens the archive in the store that the receipt names, since the setting may have changed in the meantime.
 * @throws not_found, unavailable
 */
async function openArchive(
  { evidenceStores: { current, all } }: FlowDeps,
  accountId: string,
  receipt: EvidenceReceipt,
): Promise<StoredObject> {
  const store = all.find(({ transport }) => transport === receipt.transport) ?? current;
  try {
    const archive = await store.open(locateEvidence(accountId, receipt.artifact_id));
    if (archive === undefined) throw missing('The evidence of this execution is no longer in the evidence store.');
    return archive;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new AppError('unavailable', {
      message: 'The evidence store is not responding. Try again later.',
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}

function missing(message: string): AppError {
  return new AppError('not_found', { message });
}
