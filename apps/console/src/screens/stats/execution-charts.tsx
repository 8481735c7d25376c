import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ExecutionParams } from '../../queries/executions.ts';
import { NARROW, useMedia } from '../../shell/use-media.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { listStretches, RANGES, readRange } from './ranges.ts';
import { SeriesFigure } from './series-figure.tsx';
import styles from './stats.module.css';

/**
 * Charts of the number and the durations of executions: for the flow by which the list is filtered or, without this
 * filter, for all flows, with the number split by result. The charts are collapsed in a narrow window, where the list
 * would otherwise be far below.
 */
export function ExecutionCharts({ params }: { readonly params: ExecutionParams }) {
  const { flow } = params;
  const isNarrow = useMedia(NARROW);
  const [isOpen, setOpen] = useState(!isNarrow);
  const range = readRange(params.range);
  const { current } = useMemo(() => listStretches(range, new Date()), [range]);
  const byResult = flow === undefined ? 'result' : 'flow';
  return (
    <details className={styles['charts']} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Executions over time</summary>
      {isOpen && (
        <>
          <LinkTabs
            label="Time"
            tabs={Object.entries(RANGES).map(([name, words]) => ({
              name: words,
              params: { ...params, cursor: undefined, range: name },
              isCurrent: name === range,
            }))}
          />
          <div className={styles['figuresOf']}>
            <SeriesFigure of="executions" by={byResult} only={flow} stretch={current}>
              {() => <InFull of="executions" range={range} />}
            </SeriesFigure>
            <SeriesFigure of="execution_duration" by="flow" only={flow} stretch={current}>
              {() => <InFull of="execution_duration" range={range} />}
            </SeriesFigure>
          </div>
        </>
      )}
    </details>
  );
}

function InFull({ of, range }: { readonly of: 'executions' | 'execution_duration'; readonly range: string }) {
  return (
    <p className={styles['fine']}>
      <Link to="/charts" search={{ of, range }}>
        {of === 'executions' ? 'Executions in detail' : 'Durations in detail'}
      </Link>
    </p>
  );
}
