import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { cleanLabels, replaceSessionLabels } from '@steward/search';
import { toStorableText } from '@steward/text';
import type { RuntimeSession, SessionWriteOptions, TitleOrigin } from '../runtime-session.ts';
import { nonBlank } from '../rules/non-blank.ts';
import { toRuntimeSession } from '../store/find-session.store.ts';
import { upsertSession } from '../store/runtime-session.store.ts';
import { noteMovedSession } from '../../content/store/unindexed-content.store.ts';
import { writeSessionSummary } from './write-session-summary.ts';

type Text = string | null | undefined;

/**
 * Fields of a session. Account, source type and source id identify the session; other fields that are null or missing
 * stay unchanged.
 */
export interface UpsertRuntimeSessionInput {
  readonly accountId: string;
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference?: Text;
  readonly runtimePrincipalType?: Text;
  readonly runtimePrincipalId?: Text;
  readonly runtimePrincipalName?: Text;
  /** True if the caller's key is bound to the principal; used only for a new session. */
  readonly principalVerified?: boolean;
  readonly flowId?: Text;
  readonly executionId?: Text;
  readonly apiKeyId?: Text;
  readonly title?: Text;
  /** True if the title comes from the agent; a title set by a client is then kept. */
  readonly isImported?: boolean;
  readonly summary?: Text;
  /** Labels, each as `key:value`; an empty list removes them. */
  readonly labels?: readonly string[] | null | undefined;
  /**
   * Start of the session. By default, an existing session keeps its start, and a new one starts at `startedBy` or now.
   */
  readonly startedAt?: Date | undefined;
  /** Latest possible start: if an existing session starts later, its start is set to this time. */
  readonly startedBy?: Date | undefined;
  readonly now: Date;
}

/**
 * Opens a session, or updates the existing one of its source (SESS-1). An ended session is not reopened. Two concurrent
 * calls create one row: both return this row, but only one of them returns `created` as true.
 */
export async function upsertRuntimeSession(
  trx: AnyTransaction,
  hints: HintSink,
  input: UpsertRuntimeSessionInput,
  options: SessionWriteOptions,
): Promise<{ session: RuntimeSession; created: boolean }> {
  const { now } = input;
  const startedAt = input.startedAt ?? input.startedBy ?? now;
  const title = nonBlank(input.title);
  const summary = nonBlank(input.summary);
  const labels = input.labels ? cleanLabels(input.labels) : undefined;
  const { row, created, formerStart } = await upsertSession(trx, {
    start: input.startedAt !== undefined ? 'replaced' : input.startedBy !== undefined ? 'earliest' : 'kept',
    row: {
      account_id: input.accountId,
      id: newId(),
      session_source_type: toStorableText(input.sessionSourceType),
      session_source_id: toStorableText(input.sessionSourceId),
      session_reference: nonBlank(input.sessionReference),
      runtime_principal_type: nonBlank(input.runtimePrincipalType),
      runtime_principal_id: nonBlank(input.runtimePrincipalId),
      runtime_principal_name: nonBlank(input.runtimePrincipalName),
      principal_verified: input.principalVerified ?? false,
      flow_id: input.flowId ?? null,
      execution_id: input.executionId ?? null,
      api_key_id: input.apiKeyId ?? null,
      title,
      title_origin: title === null ? null : nameOrigin(input),
      summary,
      labels,
      started_at: startedAt,
      last_activity_at: startedAt < now ? startedAt : now,
      last_seen_at: now,
      created_at: now,
      updated_at: now,
    },
  });
  const session = toRuntimeSession(row);
  // A walk over existing content, which reads the sessions with the newest start first, may already have passed the
  // session's new position.
  if (session.startedAt > formerStart) await noteMovedSession(trx, session);
  if (labels !== undefined)
    await replaceSessionLabels(trx, { accountId: session.accountId, sessionId: session.id, labels });
  if (changesSummary(input, session)) await writeSessionSummary(trx, hints, [session], options);
  return { session, created };
}

function nameOrigin({ isImported = false }: UpsertRuntimeSessionInput): TitleOrigin {
  return isImported ? 'imported' : 'client';
}

/**
 * Returns whether the session has a title or summary, and the text, time or filter values of their chunk may have
 * changed.
 */
function changesSummary(input: UpsertRuntimeSessionInput, { title, summary }: RuntimeSession): boolean {
  const { runtimePrincipalId, flowId, apiKeyId, startedAt, startedBy } = input;
  const given = [input.title, input.summary, runtimePrincipalId, flowId, apiKeyId, startedAt, startedBy];
  return (title !== null || summary !== null) && given.some((value) => value !== undefined && value !== null);
}
