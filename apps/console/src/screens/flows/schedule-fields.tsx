import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScheduleConfig } from '../../api/answers.ts';
import { toApiError } from '../../api/api-error.ts';
import { previewQuery } from '../../queries/flows.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { readSchedule, showSchedule, type ScheduleValues } from './schedule-draft.ts';

interface Props {
  /** The schedule to change; undefined for a new one. */
  readonly config: ScheduleConfig | undefined;
  readonly errorOf: (field: string) => string | undefined;
}

const KINDS = { cron: 'At set times (cron)', interval: 'At a fixed interval' };
const OVERLAPS = {
  skip: 'Skip the due time',
  queue: 'Wait for the run to end, then start',
  replace: 'Stop the run, then start',
};

/** Fields for the schedule of a flow; shows the next five due times while the user types. */
export function ScheduleFields({ config, errorOf }: Props) {
  const [values, setValues] = useState<ScheduleValues>(() =>
    showSchedule(config, new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const field = (name: string) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
    error: errorOf(`schedule_config.${name}`),
  });
  return (
    <>
      <SelectField label="Due" options={KINDS} {...field('schedule_kind')} />
      {values['schedule_kind'] === 'interval' ? (
        <Field
          label="Minutes between"
          type="number"
          min={1}
          required
          step="any"
          {...field('every_minutes')}
          error={errorOf('schedule_config.interval_seconds')}
        />
      ) : (
        <Field
          label="Cron expression"
          required
          maxLength={200}
          spellCheck={false}
          hint="Minute, hour, day of the month, month, day of the week: 0 6 * * 1-5 means 06:00 from Monday to Friday."
          {...field('cron')}
        />
      )}
      <Field
        label="Time zone"
        required
        maxLength={64}
        spellCheck={false}
        hint="For example Europe/Berlin."
        {...field('time_zone')}
      />
      <SelectField label="While a run is active" options={OVERLAPS} {...field('overlap')} />
      <Field
        label="Maximum random delay of a start, in seconds"
        type="number"
        min={0}
        max={3600}
        {...field('jitter_seconds')}
      />
      <CheckField
        name="catch_up"
        label="After an outage, start the most recent run that was missed"
        checked={values['catch_up'] !== undefined}
      />
      <Preview config={readSchedule(values, config)} />
    </>
  );
}

function Preview({ config }: { readonly config: ScheduleConfig }) {
  const settled = JSON.parse(useSettled(JSON.stringify(config))) as ScheduleConfig;
  const { data, error } = useQuery({ ...previewQuery(settled), placeholderData: keepPreviousData });
  return (
    <output aria-label="Next due times" aria-live="polite">
      {error === null ? <NextDueTimes times={data?.next_due_times ?? []} /> : toApiError(error).message}
    </output>
  );
}

/** Shows the next due times, in the time zone of the schedule. */
export function NextDueTimes({
  times,
}: {
  readonly times: readonly { readonly due_at: string; readonly due_local: string }[];
}) {
  return (
    <ol>
      {times.map(({ due_at: at, due_local: local }) => (
        <li key={at}>
          <time dateTime={at}>{local.replace('T', ' ')}</time>
        </li>
      ))}
    </ol>
  );
}
