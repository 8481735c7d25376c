import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { FlowSchedule, SchedulePage } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { schedulesQuery } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleState } from './schedule-state.tsx';

const route = getRouteApi('/inside/schedules');

const COLUMNS: readonly Column<FlowSchedule>[] = [
  {
    name: 'Flow',
    show: ({ flow_id: flowId, flow_name: name }) => (
      <Link to="/flows/$flowId" params={{ flowId }}>
        {name}
      </Link>
    ),
  },
  { name: 'Schedule', show: (schedule) => <ScheduleState schedule={schedule} /> },
  {
    name: 'Next due',
    show: ({ next_due_times: [next] }) =>
      next === undefined ? '' : <time dateTime={next.due_at}>{next.due_local.replace('T', ' ')}</time>,
  },
  { name: 'Last', show: ({ last_outcome: last }) => last ?? '' },
  { name: 'Actions', show: (schedule) => <ScheduleActions schedule={schedule} /> },
];

/** Adds the id of the flow to each row as `id`, because the list identifies rows by this field. */
const nameRows = ({ items, ...page }: SchedulePage) => ({
  ...page,
  items: items.map((schedule) => ({ ...schedule, id: schedule.flow_id })),
});

export function SchedulesScreen() {
  const { cursor } = route.useSearch();
  const navigate = useNavigate();
  const refusal = useRefusal('create_flows');
  const query = useQuery({ ...schedulesQuery(cursor), placeholderData: keepPreviousData, select: nameRows });
  return (
    <ListPage
      name="Schedules"
      what="schedules"
      columns={COLUMNS}
      query={query}
      empty={
        <>
          No schedules yet. <Link to="/flows/new">Create a flow with a schedule</Link>, or add a schedule to a{' '}
          <Link to="/flows">flow</Link>.
        </>
      }
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => void navigate({ to: '/flows/new' })}>
          New flow
        </Button>
      }
    />
  );
}
