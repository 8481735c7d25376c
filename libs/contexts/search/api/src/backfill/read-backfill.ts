import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type AnswerBody, type Route } from '@steward/http';
import { readBackfillState, type BackfillState } from '@steward/backfill';
import { BackfillAnswer } from './backfill-schemas.ts';

export interface BackfillDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: {
    readonly backfillEnabled: boolean;
    readonly backfillIntervalSeconds: number;
    readonly backfillMaxRowsPerPass: number;
    readonly backfillMaxRowsPerAccount: number;
    readonly backfillMaxAgeDays: number;
  };
}

export function createReadBackfillRoute({ db, clock, settings }: BackfillDeps): Route {
  const pace = {
    intervalSeconds: settings.backfillIntervalSeconds,
    maxRowsPerPass: settings.backfillMaxRowsPerPass,
    maxRowsPerAccount: settings.backfillMaxRowsPerAccount,
  };
  return defineRoute({
    operationId: 'readBackfill',
    method: 'get',
    path: '/api/v1/runtime-sessions/settings/backfill',
    permissions: ['view_runtime_sessions'],
    summary: 'Read the progress of the search backfill and its estimated time of completion.',
    responses: { 200: { description: 'State of the backfill.', name: 'BackfillState', schema: BackfillAnswer } },
    handler: async ({ principal: { accountId } }) => {
      const state = await readBackfillState(db, { accountId, maxAgeDays: settings.backfillMaxAgeDays, pace });
      return { status: 200, body: present(state, { enabled: settings.backfillEnabled, now: clock.now() }) };
    },
  });
}

function present(
  state: BackfillState,
  { enabled, now }: { readonly enabled: boolean; readonly now: Date },
): AnswerBody<typeof BackfillAnswer> {
  const { coverage, watermark } = state;
  const finishedAt = new Date(now.getTime() + state.estimatedSeconds * 1000);
  const isEstimated = enabled && state.remainingSessions > 0;
  return {
    enabled,
    backfill_state: coverage.backfillState,
    backfill_complete: coverage.backfillComplete,
    indexed_from: coverage.indexedFrom,
    cursor_started_at: watermark?.cursor?.startedAt ?? null,
    last_pass_at: watermark?.lastPassAt ?? null,
    stop_reason: watermark?.stopReason ?? null,
    completed_at: watermark?.completedAt ?? null,
    remaining_sessions: state.remainingSessions,
    remaining_sessions_is_exact: !state.isLeast,
    sessions_without_chunks: state.sessionsWithoutChunks,
    chunks_per_session: state.chunksPerSession,
    estimated_seconds: state.estimatedSeconds,
    estimated_completion_at: isEstimated ? finishedAt : null,
  };
}
