import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Agent } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { AGENT_KEYS, agentsQuery } from '../../queries/agents.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Field } from '../../ui/field.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AgentDialog } from './agent-dialog.tsx';
import { AgentState } from './agent-state.tsx';

const route = getRouteApi('/inside/agents');

const STATES = { '': 'Any', active: 'Active', suspended: 'Suspended', retired: 'Retired' };

const COLUMNS: readonly Column<Agent>[] = [
  {
    name: 'Agent',
    show: ({ id, display_name: name }) => (
      <Link to="/agents/$agentId" params={{ agentId: id }}>
        {name}
      </Link>
    ),
  },
  { name: 'Kind', show: ({ agent_kind: kind }) => kind },
  { name: 'State', show: (agent) => <AgentState agent={agent} /> },
  { name: 'Tags', show: ({ tags }) => tags.join(', ') },
  { name: 'Enrolled', show: ({ latest_enrollment: latest }) => latest?.status ?? 'never' },
  { name: 'Last call', show: ({ last_seen_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function AgentsScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...agentsQuery(params), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_agents');
  return (
    <ListPage
      name="Agents"
      what="agents"
      columns={COLUMNS}
      query={query}
      empty={
        isFiltered(params) ? (
          <NoneMatch what="agents" />
        ) : (
          <>
            No agents. Register an agent, or let workstations report their agents. Reported agents are listed under{' '}
            <Link to="/agents/discovered">Discovered agents</Link>.
          </>
        )
      }
      actions={
        <DialogButton label="Register agent" look="primary" disabledReason={refusal}>
          {(close) => <AgentDialog agent={undefined} onClose={close} />}
        </DialogButton>
      }
    >
      <FilterForm keys={AGENT_KEYS} params={params} action="Show" onFilter={(search) => void navigate({ search })}>
        <Field label="Name" name="q" maxLength={120} defaultValue={params.q} />
        <Field label="Kind" name="kind" pattern="[a-z0-9_]{1,64}" defaultValue={params.kind} />
        <Field label="Tag" name="tag" maxLength={64} defaultValue={params.tag} />
        <SelectField label="State" name="state" options={STATES} defaultValue={params.state ?? ''} />
      </FilterForm>
    </ListPage>
  );
}
