import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const time = (description: string) => nullable(Type.String({ format: 'date-time' }), description);

export const BackfillAnswer = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the history sweeper is enabled in this deployment.' }),
  backfill_state: Type.String({ enum: ['not_started', 'in_progress', 'complete'] }),
  backfill_complete: Type.Boolean(),
  indexed_from: time('Start of the range in which the search index is complete; null if there are no chunks.'),
  cursor_started_at: time(
    'Position of the backfill, which reads the newest sessions first: the start time of the last session that it has indexed completely or, if only the age limit was extended, the previous age limit. Null if it has no position.',
  ),
  last_pass_at: time('Time at which the backfill last made progress.'),
  stop_reason: nullable(
    Type.String({ enum: ['account_rows', 'pass_rows', 'pass_seconds', 'finished', 'failed'] }),
    'Why the last pass stopped.',
  ),
  completed_at: time('When the backfill was completed; null while it is in progress and if it has never run.'),
  remaining_sessions: count(
    'Number of sessions within the age limit that the backfill has not read yet, counted up to 100,000.',
  ),
  remaining_sessions_is_exact: Type.Boolean({
    description: 'Whether `remaining_sessions` is exact; otherwise it is a lower bound.',
  }),
  sessions_without_chunks: count(
    'Estimated number of remaining sessions without any indexed content, extrapolated from the newest 1,000 remaining sessions.',
  ),
  chunks_per_session: Type.Number({
    minimum: 0,
    description:
      'Estimated average number of chunks per session, based on the newest sessions (at most 50) that `sessions_without_chunks` counts.',
  }),
  estimated_seconds: count('Estimated seconds until the backfill is complete, provided that the sweeper is running.'),
  estimated_completion_at: time('Estimated time of completion; null if the sweeper is off or no sessions remain.'),
});
