import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Overview } from '../../api/answers.ts';
import { useSession } from '../../auth/session.ts';
import { overviewQuery } from '../../queries/overview.ts';
import { seriesQuery } from '../../queries/stats.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { formatMeasure } from './format-measure.ts';
import { describeChange, listStretches, RANGES, readRange, type RangeName, type Stretch } from './ranges.ts';
import { CHARTS, listCharts, type ChartName, type ChartOf } from './series-catalogue.ts';
import { SeriesFigure } from './series-figure.tsx';
import styles from './stats.module.css';

const route = getRouteApi('/inside/overview');

/** Charts whose totals are shown as cards, in this order. */
const FIGURES: readonly ChartName[] = [
  ...(['sessions', 'model_calls', 'spend', 'tool_calls', 'approvals', 'deliveries', 'executions'] as const),
];
const DRAWN: readonly (readonly [ChartName, string | undefined])[] = [
  ['spend', 'model'],
  ['sessions', 'source'],
  ['deliveries', 'result'],
  ['delivery_latency', 'endpoint'],
  ['executions', 'result'],
  ['approval_decisions', 'result'],
  ['search_corpus', undefined],
];

/** Overview of the account: items that need attention, and activity compared with the previous period. */
export function OverviewScreen() {
  const params = route.useSearch();
  const session = useSession();
  const offered = listCharts(session.kind === 'signed-in' ? session.user.permissions : []);
  const range = readRange(params.range);
  const stretches = useMemo(() => listStretches(range, new Date()), [range]);
  const figures = FIGURES.filter((name) => offered.includes(name));
  return (
    <Page title="Overview">
      <Waiting />
      <LinkTabs
        label="Time"
        tabs={Object.entries(RANGES).map(([name, words]) => ({
          name: words,
          params: { range: name },
          isCurrent: name === range,
        }))}
      />
      {figures.length > 0 && (
        <ul className={styles['cards']} aria-label={`The last ${RANGES[range]}`}>
          {figures.map((name) => (
            <Card key={name} name={name} range={range} {...stretches} />
          ))}
        </ul>
      )}
      <div className={styles['figuresOf']}>
        {DRAWN.filter(([name]) => offered.includes(name)).map(([name, by]) => (
          <SeriesFigure key={name} of={name} by={by} stretch={stretches.current}>
            {(series) => (
              <p className={styles['fine']}>
                <Link to="/charts" search={{ of: name, by: series.group_by ?? undefined, range }}>
                  {CHARTS[name].title} in detail
                </Link>
              </p>
            )}
          </SeriesFigure>
        ))}
      </div>
    </Page>
  );
}

const NEEDS: readonly {
  readonly of: Exclude<keyof Overview, 'agents_stopped'>;
  readonly to: '/approvals' | '/event-webhooks/dead-letters';
  readonly say: (count: string, isOne: boolean) => string;
}[] = [
  {
    of: 'pending_approvals',
    to: '/approvals',
    say: (count, isOne) => `${count} ${isOne ? 'request waits' : 'requests wait'} for a decision`,
  },
  {
    of: 'dead_deliveries',
    to: '/event-webhooks/dead-letters',
    say: (count, isOne) => `${count} ${isOne ? 'delivery' : 'deliveries'} failed permanently`,
  },
];
/** Maximum number of items that the service counts. */
const MOST = 100;

function Waiting() {
  const query = useQuery(overviewQuery());
  return (
    <section className={styles['waiting']} aria-label="Needs attention now">
      <Loaded what="the items that need attention" query={query}>
        {(overview) => {
          const waiting = NEEDS.filter(({ of }) => (overview[of] ?? 0) > 0);
          if (waiting.length === 0) return <p>Nothing needs attention.</p>;
          return (
            <ul>
              {waiting.map(({ of, to, say }) => {
                const count = overview[of] ?? 0;
                return (
                  <li key={of}>
                    <Link to={to}>{say(count >= MOST ? `${MOST} or more` : String(count), count === 1)}</Link>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

interface CardProps {
  readonly name: ChartName;
  readonly range: RangeName;
  readonly current: Stretch;
  readonly before: Stretch;
}

function Card({ name, range, current, before }: CardProps) {
  const { title, measure, groups }: ChartOf = CHARTS[name];
  const now = useQuery(seriesQuery({ name, ...current })).data?.total.sums;
  const former = useQuery(seriesQuery({ name, ...before })).data?.total.sums;
  const change = describeChange(now?.[measure] ?? 0, former?.[measure] ?? 0);
  return (
    <li>
      <Link to="/charts" search={{ of: name, by: groups[0], range }}>
        {title}
      </Link>
      <strong className={styles['value']}>{now === undefined ? '…' : formatMeasure(measure, now[measure])}</strong>
      <span className={styles['fine']}>
        {change === undefined ? 'none before' : `${change} from the previous period`}
        {(now?.failed ?? 0) > 0 && `, ${formatMeasure('failed', now?.failed)} failed`}
      </span>
    </li>
  );
}
