import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Execution } from '../../api/answers.ts';
import { lazyScreen } from '../../lazy-screen.ts';
import { executionsQuery } from '../../queries/executions.ts';
import type { Column } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Loading } from '../../ui/loading.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ExecutionFilters } from './execution-filters.tsx';
import { ExecutionState } from './execution-state.tsx';

const route = getRouteApi('/inside/executions');

/** Loaded separately, so that the list does not wait for the charting library. */
const ExecutionCharts = lazyScreen(() => import('../stats/execution-charts.tsx'), 'ExecutionCharts');

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
        isFiltered(params) ? (
          <NoneMatch what="executions" />
        ) : (
          <>
            No executions yet. A flow runs when it is triggered by its webhook, by a tracker, by a schedule or manually.{' '}
            <Link to="/flows">Flows</Link>
          </>
        )
      }
    >
      <Suspense fallback={<Loading what="the charts" />}>
        <ExecutionCharts params={params} />
      </Suspense>
      <ExecutionFilters
        params={params}
        onFilter={(chosen) => void navigate({ search: { ...chosen, range: params.range } })}
      />
    </ListPage>
  );
}
