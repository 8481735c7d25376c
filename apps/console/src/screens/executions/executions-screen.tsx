import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Execution } from '../../api/answers.ts';
import { executionsQuery } from '../../queries/executions.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
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
  { name: 'Asked for', show: ({ created_at: at }) => <TimeAgo at={at} /> },
  { name: 'Ended', show: ({ finished_at: at }) => (at === null ? '' : <TimeAgo at={at} />) },
  { name: 'Error', isWide: true, show: ({ error_message: message }) => message ?? '' },
];

export function ExecutionsScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...executionsQuery(params), placeholderData: keepPreviousData });
  return (
    <Page title="Executions">
      <ExecutionFilters params={params} onFilter={(search) => void navigate({ search })} />
      <Loaded what="executions" query={query}>
        {({ items, next_cursor: cursor }) => (
          <>
            {items.length === 0 ? (
              <p>
                {params.flow === undefined && params.status === undefined
                  ? 'No flow has run. A flow runs when it is triggered, by its webhook or by hand.'
                  : 'No run fits these filters.'}
              </p>
            ) : (
              <DataTable
                name="Executions"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {cursor !== null && (
              <Link to="/executions" search={{ ...params, cursor }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
