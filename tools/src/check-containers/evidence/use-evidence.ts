import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Api } from '../../demo/api.ts';
import type { ComposeProject } from '../compose-project.ts';
import { registerVisitor, runAgent } from '../visitor.ts';

export interface EvidenceOwner {
  readonly project: ComposeProject;
  readonly api: Api;
  /** Key of the same account, for routes whose response is not JSON. */
  readonly apiKey: string;
}

export interface Archive {
  readonly executionId: string;
  readonly sha256: string;
}

export async function registerOwner(project: ComposeProject): Promise<EvidenceOwner> {
  const api = await registerVisitor(project.apiUrl);
  const { body } = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'check' } });
  return { project, api, apiKey: String(body.key) };
}

/** Runs a flow with evidence, and downloads the evidence through the gateway as the worker packed it. */
export async function keepEvidence(owner: EvidenceOwner, transport: 'local' | 's3'): Promise<Archive> {
  const run = await runAgent(owner.api, 'echo found > report.txt', {
    flow: { evidence: { enabled: true, paths: ['report.txt'] } },
  });
  equal(run.status, 'SUCCEEDED', run.failure);
  const { body } = await owner.api.call('GET', `/api/v1/flows/executions/${run.id}`);
  const receipt = body.evidence_receipt as unknown as Record<string, unknown> | null;
  deepEqual([receipt?.transport, receipt?.integrity_verified], [transport, true], run.log.slice(0, 800));
  const archive = { executionId: run.id, sha256: String(receipt?.sha256) };
  await expectArchive(owner, archive);
  return archive;
}

export async function expectArchive(
  { project, apiKey }: EvidenceOwner,
  { executionId, sha256 }: Archive,
): Promise<void> {
  const response = await fetch(`${project.apiUrl}/api/v1/flows/executions/${executionId}/evidence`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  equal(response.status, 200);
  equal(
    createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex'),
    sha256,
  );
}
