import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { DeploymentHealth } from '../../api/answers.ts';
import { healthQuery } from '../../queries/deployment.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Beside, Peek } from '../../ui/peek.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { formatDuration } from '../stats/format-measure.ts';
import { listAdvice, QUEUES, type Advice } from './advice.ts';
import styles from './health.module.css';
import { readRunbook } from './runbooks.ts';

const route = getRouteApi('/inside/settings/health');

type Queue = DeploymentHealth['queues'][number];
type Message = DeploymentHealth['messages'][number];
type App = DeploymentHealth['processes'][number];

const count = new Intl.NumberFormat('en');
const bytes = new Intl.NumberFormat('en', { notation: 'compact', style: 'unit', unit: 'byte', unitDisplay: 'narrow' });
const showCount = (number: number | null): string => (number === null ? 'unknown' : count.format(number));
const showAge = (seconds: number | null): string =>
  seconds === null ? 'unknown' : seconds < 1 ? 'none' : formatDuration(seconds * 1000);

const QUEUE_COLUMNS: readonly Column<Queue>[] = [
  { name: 'Queue', show: ({ name }) => QUEUES[name].name },
  { name: 'Processed by', show: ({ app }) => app },
  {
    name: 'State',
    show: ({ waiting, is_late: isLate }) => {
      if (waiting === null) return <StatusBadge tone="none">Unknown</StatusBadge>;
      return <StatusBadge tone={isLate ? 'bad' : 'ok'}>{isLate ? 'Late' : 'In time'}</StatusBadge>;
    },
  },
  {
    name: 'Waiting',
    show: ({ name, waiting }) => `${showCount(waiting)} ${QUEUES[name].counts[waiting === 1 ? 0 : 1]}`,
  },
  { name: 'Running', show: ({ running }) => (running === null ? '' : count.format(running)) },
  {
    name: 'Oldest waits',
    show: ({ name, oldest_waiting_seconds: age }) => (name === 'statistics' ? '' : showAge(age)),
  },
  { name: 'If it grows', isWide: true, show: ({ name }) => <Advised advice={QUEUES[name].advice} /> },
];

const MESSAGE_COLUMNS: readonly Column<Message>[] = [
  { name: 'Message', show: ({ name }) => name },
  { name: 'Read by', show: ({ app }) => app },
  { name: 'Waiting', show: ({ waiting }) => showCount(waiting) },
  { name: 'Oldest waits', show: ({ oldest_waiting_seconds: age }) => showAge(age) },
];

const PROCESS_COLUMNS: readonly Column<App>[] = [
  { name: 'App', show: ({ app }) => app },
  {
    name: 'State',
    show: ({ connections }) => {
      if (connections === null) return <StatusBadge tone="none">Unknown</StatusBadge>;
      return (
        <StatusBadge tone={connections > 0 ? 'ok' : 'bad'}>{connections > 0 ? 'Connected' : 'Not seen'}</StatusBadge>
      );
    },
  },
  { name: 'Connections to the database', show: ({ connections }) => showCount(connections) },
];

/**
 * Shows operators the state of the deployment (queues, processes, messages, database and replica), and the actions to
 * take.
 */
export function HealthScreen() {
  const { runbook } = route.useSearch();
  const query = useQuery(healthQuery());
  return (
    <Page title="Health">
      <Beside peek={runbook !== undefined && <Runbook key={runbook} name={runbook} />}>
        <Loaded what="the health of the deployment" query={query}>
          {(health) => <Figures health={health} />}
        </Loaded>
      </Beside>
    </Page>
  );
}

function Figures({ health }: { readonly health: DeploymentHealth }) {
  const { queues, messages, processes, database, replica, checked_at: at } = health;
  const advice = listAdvice(health);
  return (
    <div className={styles['parts']}>
      {advice.length === 0 ? (
        <Notice tone="ok">All queues are processed in time, and no required app is missing.</Notice>
      ) : (
        advice.map((each) => (
          <Notice key={each.text} tone="warn">
            <Advised advice={each} />
          </Notice>
        ))
      )}
      <p className={styles['fine']}>
        The numbers on this page cover all accounts; they were read <TimeAgo at={at} />.
      </p>
      <h2>Queues</h2>
      <DataTable name="Queues" columns={QUEUE_COLUMNS} rows={queues} keyOf={({ name }) => name} />
      <h2>Apps</h2>
      <DataTable name="Apps" columns={PROCESS_COLUMNS} rows={processes} keyOf={({ app }) => app} />
      <h2>Messages</h2>
      <p className={styles['fine']}>
        Messages only make work start sooner; the work itself is stored in the database.{' '}
        <RunbookLink name="messages-wait" />
      </p>
      <DataTable name="Messages" columns={MESSAGE_COLUMNS} rows={messages} keyOf={({ name }) => name} />
      <h2>Database</h2>
      {database === null ? (
        <p>The database statistics could not be read in time.</p>
      ) : (
        <p>
          The size of the database is {bytes.format(database.size_bytes)}; {count.format(database.connections)} of{' '}
          {count.format(database.max_connections)} connections of the server are in use.{' '}
          <RunbookLink name="full-disk" />
        </p>
      )}
      {replica !== null && (
        <p>
          {replica.lag_seconds === null || replica.lag_bytes === null
            ? 'The replica does not respond.'
            : `The replica is ${formatDuration(replica.lag_seconds * 1000)} and ${bytes.format(replica.lag_bytes)} behind.`}{' '}
          <RunbookLink name="replica-unused" />
        </p>
      )}
    </div>
  );
}

function Advised({ advice: { text, runbook } }: { readonly advice: Advice }) {
  return (
    <>
      {text} <RunbookLink name={runbook} />
    </>
  );
}

function RunbookLink({ name }: { readonly name: Advice['runbook'] }) {
  return (
    <Link to="/settings/health" search={{ runbook: name }} resetScroll={false}>
      Runbook: {name.replaceAll('-', ' ')}
    </Link>
  );
}

function Runbook({ name }: { readonly name: string }) {
  const navigate = route.useNavigate();
  const query = useQuery({
    queryKey: ['nobody', 'runbook', name],
    queryFn: () => readRunbook(name),
    staleTime: Infinity,
    retry: false,
  });
  const close = useCallback(() => void navigate({ search: {}, resetScroll: false }), [navigate]);
  return (
    <Peek title="Runbook" onClose={close}>
      <Loaded what="the runbook" query={query}>
        {(text) => <pre className={styles['runbook']}>{text}</pre>}
      </Loaded>
    </Peek>
  );
}
