import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Execution } from '../../api/answers.ts';
import { executionsQuery } from '../../queries/executions.ts';
import type { Column } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ExecutionFilters } from './execution-filters.tsx';
import { ExecutionState } from './execution-state.tsx';

const route = getRouteApi('/inside/executions');

const COLUMNS: readonly Column<Execution>[] = [
  {
    name: 'Flow',
    show: ({ id, flow_name: name }) => (
      <Link to="/executions/$executionId" params={{ executionId: id }}>
        {name}
      </Link>
    ),
  },
  { name: 'State', show: ({ status }) => <ExecutionState status={status} /> },
  { name: 'Started by', show: ({ trigger_type: trigger }) => trigger },
  { name: 'Requested', show: ({ created_at: at }) => <TimeAgo at={at} /> },
  { name: 'Ended', show: ({ finished_at: at }) => (at === null ? '' : <TimeAgo at={at} />) },
  { name: 'Error', isWide: true, show: ({ error_message: message }) => message ?? '' },
];

export function ExecutionsScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...executionsQuery(params), placeholderData: keepPreviousData });
  return (
    <ListPage
      name="Executions"
      what="executions"
      columns={COLUMNS}
      query={query}
      empty={
        params.flow === undefined && params.status === undefined
          ? 'No executions yet. A flow runs when it is triggered by its webhook or manually.'
          : 'No executions match these filters.'
      }
    >
      <ExecutionFilters params={params} onFilter={(search) => void navigate({ search })} />
    </ListPage>
  );
}
