import { Link } from '@tanstack/react-router';
import { countNoun } from '@steward/text';
import type { FoundSession, SearchAnswer } from '../../api/answers.ts';
import type { SearchParams } from '../../queries/search.ts';
import { MarkedText } from '../../ui/marked-text.tsx';
import { NextPage } from '../../ui/next-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { FirstSearches } from './first-searches.tsx';
import { countSessions, listReservations } from './describe-answer.ts';
import styles from './search.module.css';

interface Props {
  readonly answer: SearchAnswer;
  readonly params: SearchParams;
  /** Whether these are still the results of the previous search, because the current search has not returned yet. */
  readonly isOld: boolean;
}

export function FoundSessions({ answer, params, isOld }: Props) {
  const { results, next_cursor: cursor } = answer;
  return (
    <section aria-busy={isOld} className={isOld ? styles['old'] : undefined}>
      <p role="status" className={styles['count']}>
        {countSessions(answer)}
      </p>
      {listReservations(answer).map((text) => (
        <Notice key={text} tone="info">
          {text}
        </Notice>
      ))}
      {results.length === 0 && <FirstSearches />}
      {results.length > 0 && (
        <ol aria-label="Sessions found" className={styles['sessions']}>
          {results.map((session) => (
            <li key={session.runtime_session_id}>
              <FoundOne session={session} q={params.q} />
            </li>
          ))}
        </ol>
      )}
      <NextPage cursor={cursor} params={params} className={styles['next']} />
    </section>
  );
}

function FoundOne({ session, q }: { readonly session: FoundSession; readonly q: string | undefined }) {
  const { runtime_session_id: sessionId, snippets } = session;
  const name = session.title ?? `${session.session_source_type} ${session.session_source_id}`;
  return (
    <article className={styles['session']}>
      <h2>
        <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ at: snippets[0]?.source_id, q }}>
          {name}
        </Link>
      </h2>
      <p className={styles['facts']}>
        {session.session_source_type}, last active <TimeAgo at={session.last_activity_at} />
        {session.ended_at === null ? ', running' : ''}, {countNoun(session.matched_chunk_count, 'matching place')}
      </p>
      <ul className={styles['snippets']}>
        {snippets.map(({ document_id: id, chunk_index: index, source_id: at, source_kind: kind, role, text }) => (
          <li key={`${id} ${index}`}>
            <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ at, q }} className={styles['kind']}>
              {role ?? kind.replaceAll('_', ' ')}
            </Link>{' '}
            <MarkedText snippet={text ?? ''} />
          </li>
        ))}
      </ul>
    </article>
  );
}
