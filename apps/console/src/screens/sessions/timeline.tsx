import { useEffect } from 'react';
import type { TimelinePage } from '../../api/answers.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Entry } from './entry.tsx';
import styles from './sessions.module.css';

interface Props {
  readonly pages: readonly TimelinePage[] | undefined;
  readonly error: unknown;
  /** The entry that somebody came for. */
  readonly at: string | undefined;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly onMore: () => void;
}

/** So many pages are read for the entry somebody came for before the rest is left to them. */
const PAGES_FOR_ENTRY = 20;

export function Timeline({ pages, error, at, hasMore, isFetching, onMore }: Props) {
  const entries = pages?.flatMap(({ items }) => items) ?? [];
  const isThere = at === undefined || entries.some(({ id }) => id === at);
  const isLookedFor = pages !== undefined && !isThere && hasMore && pages.length < PAGES_FOR_ENTRY;

  // The service pages from the oldest on: until the entry has come, the next page is asked for.
  useEffect(() => {
    if (isLookedFor && !isFetching && error === null) onMore();
  }, [isLookedFor, isFetching, error, onMore]);

  if (pages === undefined) return error === null ? <Loading what="the timeline" /> : <ErrorState error={error} />;
  return (
    <section aria-label="Timeline">
      {entries.length === 0 && <p>Nothing is stored in this session yet.</p>}
      {!isThere && !hasMore && <p role="status">The entry of this link is not in the session.</p>}
      <ol className={styles['entries']}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} isMeant={entry.id === at} />
        ))}
      </ol>
      {error !== null && <ErrorState error={error} onRetry={onMore} />}
      {hasMore && error === null && (
        <Button onClick={onMore} aria-busy={isFetching}>
          Load more
        </Button>
      )}
    </section>
  );
}
