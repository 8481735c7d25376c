import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_INTERVAL_SECONDS, MAX_JITTER_SECONDS, MIN_INTERVAL_SECONDS, OVERLAPS } from '@steward/flows';
import { literals } from '@steward/api';

const time = (description: string) => Type.String({ format: 'date-time', maxLength: 64, description });

/** A schedule, as clients set and read it. */
export const ScheduleConfigFields = Type.Object(
  {
    cron: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Five fields: minute, hour, day of the month, month, day of the week; for example "0 6 * * 1-5". If both the day of the month and the day of the week are set, it is enough for one of them to match. Set either this or interval_seconds.',
      }),
    ),
    interval_seconds: Type.Optional(
      Type.Integer({
        minimum: MIN_INTERVAL_SECONDS,
        maximum: MAX_INTERVAL_SECONDS,
        description:
          'Seconds between two due times. The first due time is starts_at or, if starts_at is omitted, one interval after the schedule was saved.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'IANA time zone of the cron expression, for example Europe/Berlin. Default UTC.',
      }),
    ),
    overlap: Type.Optional(
      literals(
        OVERLAPS,
        'Handling of a due time while an earlier run is active: skip it (default), queue it (at most one due time waits), or replace the active run.',
      ),
    ),
    catch_up: Type.Optional(
      Type.Boolean({
        description:
          'Whether the latest due time that passed while no worker was running starts a run as soon as a worker is running again. Default true. If false, due times that are more than a minute late start no run.',
      }),
    ),
    jitter_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_JITTER_SECONDS,
        description:
          'Maximum random delay of a due time, in seconds; the delay of a given due time never changes. Default 0.',
      }),
    ),
    starts_at: Type.Optional(time('Earliest due time.')),
    ends_at: Type.Optional(time('Latest due time.')),
  },
  {
    additionalProperties: false,
    title: 'ScheduleConfig',
    description: 'Schedule on which the flow starts, in addition to its trigger.',
  },
);

const DueTime = Type.Object({
  due_at: Type.String({ format: 'date-time' }),
  due_local: Type.String({ description: 'The due time in the time zone of the schedule.' }),
});

export const NextDueTimes = Type.Object({
  next_due_times: Type.Array(DueTime, { description: 'The next due times, at most five.' }),
});

const outcome = literals(
  ['started', 'queued', 'skipped', 'missed'] as const,
  'Outcome of the due time: its run was started, was queued to start after the previous run, was skipped, or was missed because no worker was running.',
);

export const DueTimeAnswer = Type.Object({
  flow_id: Type.String({ format: 'uuid' }),
  due_at: Type.String({ format: 'date-time' }),
  outcome,
  reason: nullable(
    Type.String({
      description:
        'Reason for the outcome: still_running, one_is_queued, agents_stopped, disabled, paused, schedule_changed or no_worker.',
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
    'State of the schedule. Only an active schedule has further due times; `over` means that the last due time of the schedule has passed.',
  ),
  paused_at: nullable(Type.String({ format: 'date-time' })),
  next_due_times: Type.Array(DueTime, {
    description: 'The next due times, at most five; empty unless the schedule is active.',
  }),
  queued_due_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'Due time of the run that is waiting for the previous run to end; null if no run is waiting.',
    }),
  ),
  last_due_at: nullable(Type.String({ format: 'date-time' })),
  last_outcome: nullable(outcome),
  last_execution_id: nullable(Type.String({ format: 'uuid' })),
});
