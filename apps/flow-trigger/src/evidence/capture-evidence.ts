import type { EvidenceReceipt } from '@steward/contracts';
import type { Clock } from '@steward/runtime';
import { newId } from '@steward/runtime';
import { locateEvidence, type ExecutionRow, type RunnableFlow } from '@steward/slice-flows';
import type { ExecutionLog } from '../execution-log.ts';
import type { Workspace } from '../steps/prepare-workspace.ts';
import { packEvidence } from './pack-evidence.ts';

export interface EvidenceOptions {
  readonly directory: string;
  readonly maxBytes: number;
  readonly retentionHours: number;
}

export interface CaptureRequest {
  readonly flow: RunnableFlow;
  readonly execution: ExecutionRow;
  readonly workspace: Workspace;
  readonly log: ExecutionLog;
}

/** Packs what the flow names as evidence, after the last program of the run ended. Undefined when there was none. */
export async function captureEvidence(
  deps: { readonly clock: Clock; readonly evidence: EvidenceOptions },
  { flow, execution, workspace, log }: CaptureRequest,
): Promise<EvidenceReceipt | undefined> {
  const { evidence } = flow;
  if (evidence?.enabled !== true || evidence.paths.length === 0) return undefined;
  const artifactId = newId();
  const packed = await packEvidence({
    root: workspace.directory,
    paths: evidence.paths,
    target: locateEvidence(deps.evidence.directory, execution.account_id, artifactId),
    maxBytes: deps.evidence.maxBytes,
    executionId: execution.id,
    capturedAt: deps.clock.now(),
  });
  for (const { path, reason } of packed.skipped.slice(0, 20))
    await log.write('evidence', `left out "${path}": ${reason.replaceAll('_', ' ')}`, 'warn');
  if (packed.kind === 'nothing') {
    await log.write('evidence', 'no evidence was captured: none of its paths holds a file', 'warn');
    return undefined;
  }
  await log.write('evidence', `captured ${packed.files} files, ${packed.sizeBytes} bytes, sha256 ${packed.sha256}`);
  return {
    status: 'available',
    transport: 'local',
    artifact_id: artifactId,
    sha256: packed.sha256,
    manifest_sha256: packed.manifestSha256,
    size_bytes: packed.sizeBytes,
    retention_hours: deps.evidence.retentionHours,
    object_lock: false,
    legal_hold: false,
    integrity_verified: packed.verified,
  };
}
