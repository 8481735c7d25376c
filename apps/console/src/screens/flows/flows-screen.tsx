import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Flow } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowsQuery } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const route = getRouteApi('/inside/flows');

const COLUMNS: readonly Column<Flow>[] = [
  {
    name: 'Flow',
    show: ({ id, name }) => (
      <Link to="/flows/$flowId" params={{ flowId: id }}>
        {name}
      </Link>
    ),
  },
  {
    name: 'State',
    show: ({ is_enabled: isEnabled }) => (
      <StatusBadge tone={isEnabled ? 'ok' : 'none'}>{isEnabled ? 'Enabled' : 'Disabled'}</StatusBadge>
    ),
  },
  { name: 'Trigger', show: ({ trigger }) => trigger },
  { name: 'Agent', show: ({ agent_type: type }) => type },
  { name: 'Changed', show: ({ updated_at: at }) => <TimeAgo at={at} /> },
];

export function FlowsScreen() {
  const { cursor } = route.useSearch();
  const navigate = useNavigate();
  const refusal = useRefusal('create_flows');
  const query = useQuery({ ...flowsQuery(cursor), placeholderData: keepPreviousData });
  return (
    <Page
      title="Flows"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => void navigate({ to: '/flows/new' })}>
          New flow
        </Button>
      }
    >
      <Loaded what="flows" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>No flow yet. A flow starts an agent when something calls its webhook, or by hand.</p>
            ) : (
              <DataTable
                name="Flows"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {next !== null && (
              <Link to="/flows" search={{ cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
