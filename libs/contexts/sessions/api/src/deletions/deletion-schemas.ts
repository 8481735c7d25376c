import { Type } from '@sinclair/typebox';
import { nullable, type AnswerBody } from '@steward/http';
import type { DeletionJob } from '@steward/sessions';
import { SESSION_FILTERS } from '../runtime-sessions-schemas.ts';

export const RequestDeletionBody = Type.Object(
  {
    filters: Type.Object(SESSION_FILTERS, {
      additionalProperties: false,
      minProperties: 1,
      description: 'Filters that select the sessions, as in the list of sessions. At least one is required.',
    }),
    dry_run: Type.Optional(Type.Boolean({ description: 'True: the sessions are only counted, not deleted.' })),
  },
  { additionalProperties: false },
);

export const DeletionParams = Type.Object({
  deletion_id: Type.String({ format: 'uuid', description: 'Id of the deletion.' }),
});

const time = Type.String({ format: 'date-time' });
const count = (description: string) => Type.Integer({ description });

export const DeletionAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: Type.String({ enum: ['running', 'finished'] }),
  dry_run: Type.Boolean(),
  matched: count('Number of matching sessions found so far.'),
  deleted: count('Number of deleted sessions; 0 for a dry run.'),
  kept: Type.Object(
    {
      legal_hold: count('Sessions under legal hold.'),
      execution_active: count('Sessions of active executions.'),
    },
    { description: 'Numbers of matching sessions that are not deleted, by reason.' },
  ),
  created_at: time,
  finished_at: nullable(time),
});

export function presentDeletion(job: DeletionJob): AnswerBody<typeof DeletionAnswer> {
  return {
    id: job.id,
    status: job.finishedAt === null ? 'running' : 'finished',
    dry_run: job.dryRun,
    matched: job.matched,
    deleted: job.deleted,
    kept: { legal_hold: job.keptLegalHold, execution_active: job.keptExecutionActive },
    created_at: job.createdAt,
    finished_at: job.finishedAt,
  };
}
