import type { TimelinePart } from '../../queries/sessions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Entry } from './entry.tsx';
import styles from './sessions.module.css';

interface Props {
  readonly parts: readonly TimelinePart[] | undefined;
  readonly error: unknown;
  /** The entry that the address names. */
  readonly at: string | undefined;
  readonly isFetching: boolean;
  /** Loads further entries in this direction; undefined if there are no further entries. */
  readonly onEarlier: (() => void) | undefined;
  readonly onMore: (() => void) | undefined;
}

export function Timeline({ parts, error, at, isFetching, onEarlier, onMore }: Props) {
  const entries = parts?.flatMap(({ items }) => items) ?? [];
  if (parts === undefined) return error === null ? <Loading what="the timeline" /> : <ErrorState error={error} />;
  return (
    <section aria-label="Timeline">
      {entries.length === 0 && <p>No content is stored in this session yet.</p>}
      {parts[0]?.isMissing === true && <p role="status">The linked entry is not in this session.</p>}
      {onEarlier !== undefined && (
        <Button onClick={onEarlier} aria-busy={isFetching}>
          Load earlier
        </Button>
      )}
      <ol className={styles['entries']}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} isMeant={entry.id === at} />
        ))}
      </ol>
      {error !== null && <ErrorState error={error} onRetry={onMore ?? onEarlier} />}
      {onMore !== undefined && error === null && (
        <Button onClick={onMore} aria-busy={isFetching}>
          Load more
        </Button>
      )}
    </section>
  );
}
