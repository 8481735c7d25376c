import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { RuntimeSession } from '../../api/answers.ts';
import { sessionQuery, timelineQuery } from '../../queries/sessions.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { FindIn } from './find-in.tsx';
import { HitSteps } from './hit-steps.tsx';
import { Notes } from './notes.tsx';
import { SessionActions } from './session-actions.tsx';
import styles from './sessions.module.css';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/inside/sessions/$sessionId');

export function SessionScreen() {
  const { sessionId } = route.useParams();
  const { at, q, kind } = route.useSearch();
  const session = useQuery(sessionQuery(sessionId));
  // A hit in the title or the summary refers to the session itself, not to an entry.
  const timeline = useInfiniteQuery(timelineQuery(sessionId, { at: at === sessionId ? undefined : at, kind }));
  if (session.error !== null)
    return (
      <Page title="Session">
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      </Page>
    );
  if (session.data === undefined)
    return (
      <Page title="Session">
        <Loading what="the session" />
      </Page>
    );
  return (
    <Page
      title={session.data.title ?? `${session.data.session_source_type} ${session.data.session_source_id}`}
      actions={
        q === undefined ? undefined : (
          <>
            <HitSteps sessionId={sessionId} at={at} q={q} />
            <Link to="/search" search={{ q }}>
              Back to the search
            </Link>
          </>
        )
      }
    >
      <Facts session={session.data} />
      <SessionActions session={session.data} />
      <Notes sessionId={sessionId} />
      <FindIn sessionId={sessionId} kind={kind} />
      <Timeline
        parts={timeline.data?.pages}
        error={timeline.error}
        at={at}
        isFetching={timeline.isFetching}
        onEarlier={timeline.hasPreviousPage ? () => void timeline.fetchPreviousPage() : undefined}
        onMore={timeline.hasNextPage ? () => void timeline.fetchNextPage() : undefined}
      />
    </Page>
  );
}

function Facts({ session }: { readonly session: RuntimeSession }) {
  const agent = session.runtime_principal_name ?? session.runtime_principal_id;
  const facts = {
    Source: `${session.session_source_type} ${session.session_source_id}`,
    Agent: agent === null ? 'unnamed' : session.principal_verified ? agent : `${agent} (not verified)`,
    Started: <TimeAgo at={session.started_at} />,
    State:
      session.ended_at === null ? 'running' : `ended: ${session.end_reason?.replaceAll('_', ' ') ?? 'no reason given'}`,
    ...(session.labels.length === 0 ? {} : { Labels: session.labels.join(', ') }),
    ...(session.summary === null ? {} : { Summary: session.summary }),
  };
  return (
    <dl className={styles['facts']}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
