import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Flow } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowsQuery } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
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
    <ListPage
      name="Flows"
      what="flows"
      columns={COLUMNS}
      query={query}
      empty="No flows yet. A flow starts an agent when its webhook is called, on events from its tracker, when its schedule is due, or when a user starts the flow."
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => void navigate({ to: '/flows/new' })}>
          New flow
        </Button>
      }
    />
  );
}
