import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { countNoun } from '@steward/text';
import { followLog } from '../../api/follow-log.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { executionPath } from '../../queries/executions.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Steps } from '../../ui/steps.tsx';
import { DownloadLog } from './download-log.tsx';
import styles from './executions.module.css';
import { appendLines, EMPTY_LOG, type LogBlock } from './log-blocks.ts';

/** Maximum distance from the end of a log at which it counts as scrolled to its end. */
const AT_END_PIXELS = 5;

interface Props {
  readonly executionId: string;
  /** Whether the run has ended. */
  readonly isOver: boolean;
}

interface Pause {
  /** Number of lines when the log was paused. */
  readonly at: number;
  /**
   * Whether the user paused the log with the keyboard shortcut. If so, it stays paused until the user resumes it; if
   * the user paused it by scrolling, it also resumes when its end is visible again.
   */
  readonly isHeld: boolean;
}

/**
 * The log of a run, shown while it is written. If the user has scrolled away from the end, the view stays in place, and
 * the number of new lines is shown.
 */
export function LogView({ executionId, isOver }: Props) {
  const [log, setLog] = useState(EMPTY_LOG);
  const [isConnected, setConnected] = useState(true);
  const [error, setError] = useState<unknown>();
  const [pause, setPause] = useState<Pause>();
  const place = useRef<HTMLDivElement>(null);

  // The stream lasts as long as the log is shown.
  useEffect(() => {
    const leave = new AbortController();
    const listener = {
      onLines: (lines: Parameters<typeof appendLines>[1]) => setLog((before) => appendLines(before, lines)),
      onConnected: setConnected,
    };
    followLog(`${executionPath(executionId)}/logs`, listener, leave.signal).catch((thrown: unknown) =>
      setError(thrown),
    );
    return () => leave.abort();
  }, [executionId]);

  // The scroll position is not managed by React.
  useEffect(() => {
    const frame = place.current;
    if (frame !== null && pause === undefined) frame.scrollTop = frame.scrollHeight;
  }, [log, pause]);

  useShortcuts(
    useMemo(
      () => ({ p: () => setPause((before) => (before === undefined ? { at: log.count, isHeld: true } : undefined)) }),
      [log.count],
    ),
  );

  function noteScroll(): void {
    const frame = place.current;
    if (frame === null) return;
    const isAtEnd = frame.scrollHeight - frame.scrollTop - frame.clientHeight <= AT_END_PIXELS;
    // The scroll event also occurs, with a delay, when this component scrolls to the end. It must not end a pause that
    // the user began with the keyboard shortcut in the meantime.
    if (isAtEnd) setPause((before) => (before?.isHeld === true ? before : undefined));
    else setPause((before) => before ?? { at: log.count, isHeld: false });
  }

  return (
    <section className={styles['log']} aria-label="Log">
      {log.steps.length > 0 && (
        <Steps name="Steps of the run" steps={log.steps} at={isOver ? undefined : log.steps.length - 1} />
      )}
      <div
        ref={place}
        className={styles['lines']}
        role="log"
        aria-label="Live log"
        // A scrollable element has to be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={noteScroll}
      >
        {log.dropped > 0 && (
          <p>The session of the run contains {countNoun(log.dropped, 'earlier line')} not shown here.</p>
        )}
        {log.count === 0 && <p>No lines yet.</p>}
        {log.blocks.map((block) => (
          <Lines key={block.number} block={block} />
        ))}
      </div>
      {!isConnected && (
        <p role="status">The connection was interrupted. When it is restored, the log continues where it stopped.</p>
      )}
      {error !== undefined && <ErrorState error={error} />}
      <DownloadLog executionId={executionId} />
      {pause !== undefined && (
        <Button onClick={() => setPause(undefined)}>
          {log.count === pause.at ? 'Follow' : `Follow (${countNoun(log.count - pause.at, 'new line')})`}
        </Button>
      )}
    </section>
  );
}

const Lines = memo(function Lines({ block }: { readonly block: LogBlock }) {
  return <pre className={styles['block']}>{block.lines.map(({ text }) => `${text}\n`).join('')}</pre>;
});
