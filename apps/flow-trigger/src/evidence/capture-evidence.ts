import { resolve } from 'node:path';
import type { Clock } from '@steward/async';
import type { EvidenceReceipt } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { locateEvidence, type EvidenceStores, type ExecutionRow, type RunnableFlow } from '@steward/flows';
import { hashStored } from '@steward/storage';
import type { FileOwner } from '../workspace/open-folder.ts';
import type { ExecutionLog } from '../run/execution-log.ts';
import type { Workspace } from '../workspace/prepare-workspace.ts';
import { packEvidence } from './pack-evidence.ts';

export interface EvidenceOptions {
  readonly stores: EvidenceStores;
  readonly maxBytes: number;
  readonly retentionHours: number;
  /** Aborted when the worker is stopping and no longer waits for uploads; this cancels an unfinished upload. */
  readonly signal?: AbortSignal;
}

export interface CaptureRequest {
  readonly flow: RunnableFlow;
  readonly execution: ExecutionRow;
  readonly workspace: Workspace;
  readonly log: ExecutionLog;
  readonly owner?: FileOwner | undefined;
}

/**
 * Packs and stores the evidence that the flow names, after the last program of the run has ended. Returns undefined if
 * there is no evidence. @throws StoreError
 */
export async function captureEvidence(
  deps: { readonly clock: Clock; readonly evidence: EvidenceOptions },
  { flow, execution, workspace, log, owner }: CaptureRequest,
): Promise<EvidenceReceipt | undefined> {
  const { evidence } = flow;
  if (evidence?.enabled !== true || evidence.paths.length === 0) return undefined;
  const target = resolve(workspace.root, 'evidence.tar.gz');
  const packed = await packEvidence({
    root: workspace.directory,
    paths: evidence.paths,
    // The archive is outside the folders that programs of the run can see, and is removed with the run.
    target,
    maxBytes: deps.evidence.maxBytes,
    executionId: execution.id,
    capturedAt: deps.clock.now(),
    owner,
  });
  for (const { path, reason } of packed.skipped.slice(0, 20))
    await log.write('evidence', `left out "${path}": ${reason.replaceAll('_', ' ')}`, 'warn');
  if (packed.kind === 'nothing') {
    await log.write('evidence', 'no evidence was captured: none of the evidence paths contains a file', 'warn');
    return undefined;
  }
  const { stores, signal } = deps.evidence;
  const { sha256, sizeBytes } = packed;
  const artifactId = newId();
  const key = locateEvidence(execution.account_id, artifactId);
  await stores.current.put({ key, path: target, sizeBytes, sha256, signal });
  // The stored bytes are read again to check that they have the digest in the receipt.
  const stored = await hashStored(stores.current, key, signal).catch(() => undefined);
  await log.write('evidence', `captured ${packed.files} files, ${sizeBytes} bytes, sha256 ${sha256}`);
  return {
    status: 'available',
    transport: stores.current.transport,
    artifact_id: artifactId,
    sha256,
    manifest_sha256: packed.manifestSha256,
    size_bytes: sizeBytes,
    retention_hours: deps.evidence.retentionHours,
    object_lock: false,
    legal_hold: false,
    integrity_verified: stored === sha256,
  };
}
