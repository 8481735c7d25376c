import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { EvidenceReceipt } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { ageReceipt, locateEvidence } from '@steward/slice-flows';
import { readExecution } from './execution-read.ts';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams } from './flow-schemas.ts';

export function createExecutionEvidenceRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}/evidence',
    auth: 'bearer',
    permissions: ['view_flows'],
    tag: 'flow executions',
    summary: 'Download the evidence of an execution.',
    description: 'A gzipped tar: the files under `files/`, and `manifest.json` with the sha256 of each.',
    params: ExecutionParams,
    responses: { 200: { description: 'The archive.', mediaType: 'application/gzip' } },
    handler: async ({ params, principal }) => {
      const execution = await readExecution(deps, principal.accountId, params.execution_id);
      const stored = execution.evidence_receipt as EvidenceReceipt | null;
      if (stored === null) throw missing('This execution captured no evidence.');
      const receipt = ageReceipt(stored, execution.finished_at, deps.clock.now());
      if (receipt.status === 'expired') throw missing('The evidence of this execution is past its retention.');
      const path = locateEvidence(deps.settings.evidenceDirectory, execution.account_id, receipt.artifact_id);
      const file = await stat(path).catch(() => undefined);
      if (file === undefined) throw missing('The evidence of this execution is not in the evidence store any more.');
      return {
        stream: async (response) => {
          response.writeHead(200, {
            'content-type': 'application/gzip',
            'content-length': file.size,
            'content-disposition': `attachment; filename="evidence-${execution.id}.tar.gz"`,
            'repr-digest': `sha-256=:${Buffer.from(receipt.sha256, 'hex').toString('base64')}:`,
          });
          // A client that goes away in the middle is no failure of ours.
          await pipeline(createReadStream(path), response).catch(() => response.destroy());
        },
      };
    },
  });
}

function missing(message: string): AppError {
  return new AppError('not_found', { message });
}
