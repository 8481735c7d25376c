import { useRef, useState } from 'react';
import type { TimelineEntry } from '../../api/answers.ts';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CopyLink } from './copy-link.tsx';
import { describeKind, foldText, listBodies } from './entry-bodies.ts';
import styles from './sessions.module.css';
import { useInView } from './use-in-view.ts';

const CONTENT_ERRORS = {
  unavailable: 'This content is in an object store that is not responding at the moment. Try again later.',
  lost: 'This content was in an object store. It is now missing there, or differs from what was stored.',
} as const;

interface Props {
  readonly entry: TimelineEntry;
  /** Whether the address names this entry, which is then scrolled into view and marked. */
  readonly isMeant: boolean;
}

export function Entry({ entry, isMeant }: Props) {
  const place = useRef<HTMLLIElement>(null);
  useInView(place, isMeant);
  return (
    <li
      ref={place}
      id={entry.id}
      className={isMeant ? styles['meant'] : styles['entry']}
      aria-current={isMeant || undefined}
    >
      <p className={styles['line']}>
        <strong>{describeKind(entry)}</strong> <TimeAgo at={entry.occurred_at} />
        {entry.status !== null && <span className={styles['status']}>{entry.status}</span>}
        <CopyLink entryId={entry.id} />
      </p>
      {entry.content_error !== null ? (
        <p className={styles['fine']}>{CONTENT_ERRORS[entry.content_error]}</p>
      ) : entry.content_captured ? (
        listBodies(entry).map(({ name, text }) => <Body key={name} name={name} text={text} />)
      ) : (
        <p className={styles['fine']}>The request and the response of this call were not stored.</p>
      )}
    </li>
  );
}

function Body({ name, text }: { readonly name: string; readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const folded = foldText(text);
  return (
    <div className={styles['body']}>
      {name !== '' && <h3>{name}</h3>}
      <pre>{isWhole ? text : folded.shown}</pre>
      {folded.hiddenSize !== undefined && (
        <Button onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? 'Show less' : `Show all (${folded.hiddenSize} more)`}
        </Button>
      )}
    </div>
  );
}
