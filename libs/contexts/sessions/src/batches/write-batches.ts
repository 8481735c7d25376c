import type { Principal } from '@steward/contracts';
import type { Clock } from '@steward/async';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { SessionHead } from '@steward/session-formats';
import { recordAudit, type AuditEntry } from '@steward/audit';
import { closeImportedSession } from '../sessions/operations/close-imported-session.ts';
import { importSessionContent } from '../content/operations/import-session-content.ts';
import { type SessionWriteOptions } from '../sessions/runtime-session.ts';
import { readRuntimePrincipal } from '../sessions/rules/read-runtime-principal.ts';
import type { ContentRenderer } from '../content/rendered-bodies.ts';
import type { SessionBatch } from './gather-batches.ts';
import { toLabels } from './to-content-entry.ts';

export interface BatchWriterDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly options: SessionWriteOptions;
  readonly clock: Clock;
  readonly contentRenderer: ContentRenderer;
  readonly settings: { readonly sessionIdleTimeoutMinutes: number };
}

export interface StoredBatch {
  readonly sessionId: string | undefined;
  readonly created: boolean;
  readonly stored: number;
  /** Number of existing entries that were replaced because their source has rewritten them. */
  readonly replaced: number;
  readonly skipped: number;
  /** Number of stored entries that another session already had. */
  readonly copied: number;
}

export interface BatchWriter {
  readonly store: (batch: SessionBatch) => Promise<StoredBatch>;
  /** Ends sessions that had already ended before they were stored (IMP-6). */
  readonly close: (sessionIds: Iterable<string>) => Promise<void>;
}

export interface BatchWriterOptions {
  readonly principal: Principal;
  readonly traceparent: string;
  readonly endedAt?: Date | undefined;
  /** Labels of the sessions in addition to those of the source. */
  readonly labels?: readonly string[] | undefined;
  /**
   * Returns the audit entry, which is stored in the transaction of the first batch: an import that cannot be recorded
   * stores nothing.
   */
  readonly record?: (first: SessionHead) => AuditEntry;
}

/** Creates a writer that stores each batch in a separate transaction. */
export function createBatchWriter(deps: BatchWriterDeps, options: BatchWriterOptions): BatchWriter {
  const { principal, traceparent, endedAt, record, labels = [] } = options;
  const { accountId, apiKeyId } = principal;
  let isRecorded = record === undefined;
  /** End times of sessions, as stated by the source. */
  const ends = new Map<string, Date>();
  return {
    async store({ head, entries, size }) {
      const { captureContent } = deps.options;
      // Large batches are rendered on the worker thread before the transaction, so that no lock is held during the
      // rendering.
      const rawBody = Buffer.from(size < LARGE_CHARS ? '' : JSON.stringify({ entries }));
      const rendered = await deps.contentRenderer.render(accountId, { kind: 'entries', rawBody, captureContent });
      const input = {
        accountId,
        apiKeyId,
        sessionSourceType: head.sourceType,
        sessionSourceId: head.sourceId,
        ...readRuntimePrincipal(nameAgent(head, principal), principal),
        title: head.title,
        labels: [...toLabels(head), ...labels],
        entries,
        rendered,
        now: deps.clock.now(),
      };
      const done = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const imported = await importSessionContent(trx, hints, input, deps.options);
        if (!isRecorded && record !== undefined) await recordAudit(trx, record(head));
        return imported;
      });
      isRecorded = true;
      if (head.endedAt !== undefined) ends.set(done.session.id, head.endedAt);
      const { session, created, stored, replaced, skipped, copied } = done;
      return { sessionId: session.id, created, stored, replaced, skipped, copied };
    },
    async close(sessionIds) {
      const idleMinutes = deps.settings.sessionIdleTimeoutMinutes;
      for (const sessionId of sessionIds) {
        const input = {
          accountId,
          sessionId,
          endedAt: endedAt ?? ends.get(sessionId),
          idleMinutes,
          now: deps.clock.now(),
        };
        await transact({ ...deps, traceparent }, (trx) => closeImportedSession(trx, input));
      }
    },
  };
}

/** Minimum size, in characters, of a batch that takes longer to render than to transfer to the worker thread. */
const LARGE_CHARS = 64 * 1024;

/**
 * Returns the agent that the source names, as the principal of the content. A key that is bound to an agent stores
 * content for its own agent only: for such a key, the agent that the source names is ignored.
 */
function nameAgent(
  { agent }: SessionHead,
  { runtimePrincipal }: Principal,
): Parameters<typeof readRuntimePrincipal>[0] {
  if (agent === undefined || runtimePrincipal !== undefined) return {};
  return { runtime_principal_type: 'agent', runtime_principal_id: agent.id, runtime_principal_name: agent.name };
}
