import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const time = (description: string) => nullable(Type.String({ format: 'date-time' }), description);

export const BackfillAnswer = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the history sweeper runs in this deployment.' }),
  backfill_state: Type.String({ enum: ['not_started', 'in_progress', 'complete'] }),
  backfill_complete: Type.Boolean(),
  indexed_from: time('The corpus is complete from here on; null without any chunks.'),
  cursor_started_at: time('Start of the last session that is indexed whole; null before there was one.'),
  last_pass_at: time('When the walk was last advanced.'),
  stop_reason: nullable(
    Type.String({ enum: ['account_rows', 'pass_rows', 'pass_seconds', 'finished', 'failed'] }),
    'Why it stopped then.',
  ),
  completed_at: time('When the walk came through; null while it is under way.'),
  remaining_sessions: count('Sessions within the age bound that are still to be walked; counted up to 100,000.'),
  remaining_sessions_is_exact: Type.Boolean({ description: 'False: there are at least as many.' }),
  sessions_without_chunks: count('Those of which nothing but a title is indexed; from the newest 1,000.'),
  chunks_per_session: Type.Number({ minimum: 0, description: 'What one of these will make; from the newest 50.' }),
  estimated_seconds: count('Until the walk is through, while the sweeper runs.'),
  estimated_completion_at: time('When that will be; null while the sweeper is off.'),
});
