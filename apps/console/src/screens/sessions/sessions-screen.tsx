import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { RuntimeSession } from '../../api/answers.ts';
import { sessionsQuery, type SessionsParams } from '../../queries/sessions.ts';
import type { Column } from '../../ui/data-table.tsx';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { SessionFilters } from './session-filters.tsx';

const route = getRouteApi('/inside/sessions');

const COLUMNS: readonly Column<RuntimeSession>[] = [
  {
    name: 'Session',
    show: ({ id, title, session_source_type: type, session_source_id: source }) => (
      <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
        {title ?? `${type} ${source}`}
      </Link>
    ),
  },
  { name: 'Source', show: (session) => session.session_source_type },
  { name: 'Agent', show: (session) => <AgentLink session={session} /> },
  { name: 'Started', show: (session) => <TimeAgo at={session.started_at} /> },
  { name: 'State', show: (session) => (session.ended_at === null ? 'running' : 'ended') },
];

const STATES = [
  { name: 'All', active: undefined },
  { name: 'Running', active: 'true' },
  { name: 'Ended', active: 'false' },
] as const;

export function SessionsScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...sessionsQuery(params), placeholderData: keepPreviousData });
  return (
    <ListPage
      name="Sessions"
      what="sessions"
      columns={COLUMNS}
      query={query}
      empty={
        isFiltered(params) ? (
          <NoneMatch what="sessions" />
        ) : (
          <>
            No sessions. Agents store sessions through the <a href="/docs/api">API</a>, the model gateway or an import.
            You can also <Link to="/welcome">try demo data</Link>.
          </>
        )
      }
    >
      <LinkTabs
        label="State of sessions"
        tabs={STATES.map(({ name, active }) => ({
          name,
          params: { ...params, active, cursor: undefined },
          isCurrent: params.active === active,
        }))}
      />
      <SessionFilters params={params} onFilter={(search) => void navigate({ search })} />
    </ListPage>
  );
}

/** Shows the agent of a session as a link that also filters the list by this agent. */
function AgentLink({ session }: { readonly session: RuntimeSession }) {
  const { runtime_principal_id: id, runtime_principal_name: name } = session;
  if (id === null) return name ?? '';
  return (
    <Link to="." search={(former: SessionsParams) => ({ ...former, agent: id, cursor: undefined })}>
      {name ?? id}
    </Link>
  );
}
