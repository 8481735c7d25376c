import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DueTimes, Flow } from '../../api/answers.ts';
import { dueTimesQuery, scheduleQuery } from '../../queries/flows.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { NextDueTimes } from './schedule-fields.tsx';
import { ScheduleState } from './schedule-state.tsx';

type PastDue = DueTimes['items'][number];

const SHOWN = 10;

const COLUMNS: readonly Column<PastDue>[] = [
  { name: 'Was due', show: ({ due_at: at }) => <TimeAgo at={at} /> },
  {
    name: 'Outcome',
    show: ({ outcome, reason, execution_id: run }) =>
      run === null ? (
        `${outcome}: ${(reason ?? '').replaceAll('_', ' ')}`
      ) : (
        <Link to="/executions/$executionId" params={{ executionId: run }}>
          {outcome}
        </Link>
      ),
  },
];

/** The schedule of a flow, the outcomes of its last due times, and actions. */
export function Schedule({ flow }: { readonly flow: Flow }) {
  const query = useQuery(scheduleQuery(flow.id));
  const { data: past } = useQuery(dueTimesQuery(flow.id));
  const rows = past?.items.slice(0, SHOWN) ?? [];
  return (
    <section aria-label="Schedule">
      <h2>Schedule</h2>
      <Loaded what="the schedule" query={query}>
        {(schedule) => (
          <>
            <p>
              <ScheduleState schedule={schedule} />
            </p>
            <NextDueTimes times={schedule.next_due_times} />
            <ScheduleActions schedule={schedule} />
          </>
        )}
      </Loaded>
      {rows.length > 0 && (
        <DataTable name="Latest due times" columns={COLUMNS} rows={rows} keyOf={({ due_at: at }) => at} />
      )}
    </section>
  );
}
