import type { FlowSchedule } from '../../api/answers.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const STATES = {
  active: ['ok', 'Active'],
  paused: ['warn', 'Paused'],
  disabled: ['none', 'Flow disabled'],
  over: ['none', 'Over'],
} as const;

/** Shows the state of a schedule, its cron expression or interval, and its time zone. */
export function ScheduleState({ schedule }: { readonly schedule: FlowSchedule }) {
  const [tone, word] = STATES[schedule.state];
  const { cron, interval_seconds: seconds, time_zone: zone = 'UTC' } = schedule.schedule_config;
  return (
    <>
      <StatusBadge tone={tone}>{word}</StatusBadge>{' '}
      <code>{cron ?? (seconds === 60 ? 'every minute' : `every ${(seconds ?? 0) / 60} minutes`)}</code> {zone}
    </>
  );
}
