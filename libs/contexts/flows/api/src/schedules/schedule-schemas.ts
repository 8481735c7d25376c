import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_INTERVAL_SECONDS, MAX_JITTER_SECONDS, MIN_INTERVAL_SECONDS, OVERLAPS } from '@steward/flows';
import { literals } from '@steward/api';

const time = (description: string) => Type.String({ format: 'date-time', maxLength: 64, description });

/** In the form that clients set and read. */
export const ScheduleConfigFields = Type.Object(
  {
    cron: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Five fields: minute, hour, day of the month, month, day of the week; for example "0 6 * * 1-5". Where both days are set, either is due. Either this or interval_seconds.',
      }),
    ),
    interval_seconds: Type.Optional(
      Type.Integer({
        minimum: MIN_INTERVAL_SECONDS,
        maximum: MAX_INTERVAL_SECONDS,
        description: 'Between two due times, from starts_at on, or from when the schedule was saved.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'IANA name whose clocks the cron expression goes by, for example Europe/Berlin. Default UTC.',
      }),
    ),
    overlap: Type.Optional(
      literals(
        OVERLAPS,
        'What becomes of a due time while a run of an earlier one is active: it is skipped (default), waits (one at a time), or takes its place.',
      ),
    ),
    catch_up: Type.Optional(
      Type.Boolean({
        description:
          'Whether, of due times that passed while no worker ran, the last one is run late. Default true; else those more than a minute late are missed.',
      }),
    ),
    jitter_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_JITTER_SECONDS,
        description: 'Each due time starts later by up to this, always the same for a due time. Default 0.',
      }),
    ),
    starts_at: Type.Optional(time('No due time is earlier.')),
    ends_at: Type.Optional(time('No due time is later.')),
  },
  {
    additionalProperties: false,
    description: 'When the flow starts; besides by what its trigger is, unless that is manual.',
  },
);

const DueTime = Type.Object({
  due_at: Type.String({ format: 'date-time' }),
  due_local: Type.String({ description: 'The same by the clocks of the time zone.' }),
});

export const NextDueTimes = Type.Object({
  next_due_times: Type.Array(DueTime, { description: 'The next five.' }),
});

const outcome = literals(
  ['started', 'queued', 'skipped', 'missed'] as const,
  'Whether it started a run, waits for the run before it, was left out, or passed while no worker ran.',
);

export const DueTimeAnswer = Type.Object({
  flow_id: Type.String({ format: 'uuid' }),
  due_at: Type.String({ format: 'date-time' }),
  outcome,
  reason: nullable(
    Type.String({
      description: 'still_running, one_is_queued, agents_stopped, disabled, paused, schedule_changed or no_worker.',
    }),
  ),
  execution_id: nullable(Type.String({ format: 'uuid' })),
  decided_at: Type.String({ format: 'date-time' }),
});

export const ScheduleAnswer = Type.Object({
  flow_id: Type.String({ format: 'uuid' }),
  flow_name: Type.String(),
  schedule_config: ScheduleConfigFields,
  state: literals(
    ['active', 'paused', 'disabled', 'over'] as const,
    'Whether it is due again: not while it or its flow is switched off, nor after its last due time.',
  ),
  paused_at: nullable(Type.String({ format: 'date-time' })),
  next_due_times: Type.Array(DueTime, { description: 'The next five; none unless it is active.' }),
  queued_due_at: nullable(Type.String({ format: 'date-time', description: 'Waits for the run before it.' })),
  last_due_at: nullable(Type.String({ format: 'date-time' })),
  last_outcome: nullable(outcome),
  last_execution_id: nullable(Type.String({ format: 'uuid' })),
});
