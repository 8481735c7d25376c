import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentsQuery, type AgentParams } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useForm } from '../../ui/use-form.ts';
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
  const query = useQuery({ ...agentsQuery(params), placeholderData: keepPreviousData });
  const [isAdding, setAdding] = useState(false);
  const refusal = useRefusal('manage_agents');
  return (
    <Page
      title="Agents"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setAdding(true)}>
          Register agent
        </Button>
      }
    >
      <AgentFilters key={JSON.stringify(params)} params={params} />
      <Loaded what="agents" query={query}>
        {({ items, next_cursor: cursor }) => (
          <>
            {items.length === 0 ? (
              <p>No agent here. Register one, or let workstations tell which they have.</p>
            ) : (
              <DataTable
                name="Agents"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {cursor !== null && (
              <Link to="/agents" search={{ ...params, cursor }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {isAdding && <AgentDialog agent={undefined} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AgentFilters({ params }: { readonly params: AgentParams }) {
  const navigate = useNavigate();
  const { onSubmit } = useForm(({ q, kind, state, tag }) =>
    navigate({ to: '/agents', search: { q, kind, state, tag } }),
  );
  return (
    <Filters onSubmit={onSubmit}>
      <Field label="Name" name="q" maxLength={120} defaultValue={params.q} />
      <Field label="Kind" name="kind" pattern="[a-z0-9_]{1,64}" defaultValue={params.kind} />
      <Field label="Tag" name="tag" maxLength={64} defaultValue={params.tag} />
      <SelectField label="State" name="state" options={STATES} defaultValue={params.state ?? ''} />
      <Button type="submit">Show</Button>
    </Filters>
  );
}
