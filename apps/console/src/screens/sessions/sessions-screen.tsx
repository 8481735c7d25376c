import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { RuntimeSession } from '../../api/answers.ts';
import { sessionsQuery } from '../../queries/sessions.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NextPage } from '../../ui/next-page.tsx';
import { Page } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import styles from './sessions.module.css';

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
  { name: 'Agent', show: (session) => session.runtime_principal_name ?? session.runtime_principal_id ?? '' },
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
  const query = useQuery({ ...sessionsQuery(params), placeholderData: keepPreviousData });
  return (
    <Page title="Sessions">
      <nav aria-label="State of sessions" className={styles['states']}>
        {STATES.map(({ name, active }) => (
          <Link
            key={name}
            to="/sessions"
            search={{ ...params, active, cursor: undefined }}
            aria-current={params.active === active ? 'true' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Loaded what="sessions" query={query}>
        {({ items, next_cursor: cursor }) => (
          <>
            {items.length === 0 && (
              <p>
                No sessions. Agents store them through the <a href="/docs/api">API</a>, or{' '}
                <Link to="/welcome">try demo data</Link>.
              </p>
            )}
            {items.length > 0 && (
              <DataTable
                name="Sessions"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isFetching}
              />
            )}
            <NextPage cursor={cursor} className={styles['next']} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
