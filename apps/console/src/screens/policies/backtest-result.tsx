import { Link } from '@tanstack/react-router';
import { countNoun } from '@steward/text';
import type { Backtest } from '../../api/answers.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import stack from '../../ui/stack.module.css';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { readProgress } from './backtest-progress.ts';
import { DECISIONS } from './decisions.ts';
import styles from './policies.module.css';

type Example = Backtest['changed_examples'][number];
type RuleCounts = NonNullable<Backtest['rules']>[number];
type Verdict = Example['after'];

interface Props {
  readonly backtest: Backtest;
  /** Shows the rule in the editor. */
  readonly onRule: (ruleId: string) => void;
}

/** Shows how a document would have decided recorded calls. */
export function BacktestResult({ backtest, onRule }: Props) {
  const { examined, changed, decisions, decisions_before: before, rules, error, limit } = backtest;
  const isRunning = backtest.finished_at === null;
  return (
    <div className={stack['stack']}>
      {isRunning && (
        <progress className={styles['progress']} aria-label="Progress of the backtest" value={readProgress(backtest)} />
      )}
      <p role="status">
        {isRunning ? 'In progress: ' : ''}
        {countNoun(examined, 'call')}: {decisions.allow} allowed, {decisions.deny} denied, {decisions.require_approval}{' '}
        {decisions.require_approval === 1 ? 'needs' : 'need'} approval; {changed} would be decided differently by this
        document than by {backtest.version === 0 ? 'the default policy' : `version ${backtest.version}`}.
      </p>
      {error !== null && <Notice tone="bad">{error}</Notice>}
      {backtest.status === 'finished' && <Remarks backtest={backtest} limit={limit} />}
      {before !== null && examined > 0 && <Verdicts before={before} after={decisions} />}
      {rules !== null && examined > 0 && <Rules rules={rules} onRule={onRule} />}
      {backtest.changed_examples.length > 0 && (
        <>
          <h3>Decided differently</h3>
          {changed > backtest.changed_examples.length && (
            <p>
              The newest {backtest.changed_examples.length} of {changed} calls:
            </p>
          )}
          <DataTable
            name="Decided differently"
            columns={EXAMPLE_COLUMNS}
            rows={backtest.changed_examples}
            keyOf={({ tool_call_id: id }) => id}
          />
        </>
      )}
    </div>
  );
}

function Remarks({ backtest, limit }: { readonly backtest: Backtest; readonly limit: number }) {
  const { examined, without_arguments: without } = backtest;
  return (
    <>
      {examined === 0 && <p>No tool calls were recorded in this time range.</p>}
      {examined >= limit && <p>Only the newest {limit} calls of this time range were examined.</p>}
      {without > 0 && (
        <p>
          {countNoun(without, 'call was', 'calls were')} recorded without arguments and evaluated with empty arguments.
        </p>
      )}
    </>
  );
}

interface VerdictRow {
  readonly verdict: Verdict;
  readonly before: number;
  readonly after: number;
}

const VERDICT_COLUMNS: readonly Column<VerdictRow>[] = [
  {
    name: 'Decision',
    show: ({ verdict }) => <StatusBadge tone={DECISIONS[verdict][0]}>{DECISIONS[verdict][1]}</StatusBadge>,
  },
  { name: 'Before', show: ({ before }) => before },
  { name: 'After', show: ({ after }) => after },
];

function Verdicts({ before, after }: Readonly<Record<'before' | 'after', Readonly<Record<Verdict, number>>>>) {
  const rows = (['allow', 'require_approval', 'deny'] as const).map((verdict) => ({
    verdict,
    before: before[verdict],
    after: after[verdict],
  }));
  return <DataTable name="Decisions" columns={VERDICT_COLUMNS} rows={rows} keyOf={({ verdict }) => verdict} />;
}

/** Each rule links to its position in the editor. */
function Rules({ rules, onRule }: { readonly rules: readonly RuleCounts[] } & Pick<Props, 'onRule'>) {
  const columns: readonly Column<RuleCounts>[] = [
    {
      name: 'Rule',
      show: ({ rule_id: id }) =>
        id === null ? (
          'Default'
        ) : (
          <Button look="quiet" onClick={() => onRule(id)}>
            {id}
          </Button>
        ),
    },
    { name: 'Before', show: ({ before }) => before },
    { name: 'After', show: ({ after }) => after },
    { name: 'Changed', show: ({ changed }) => changed },
  ];
  return (
    <>
      <h3>Calls by rule</h3>
      <DataTable name="Calls by rule" columns={columns} rows={rules} keyOf={({ rule_id: id }) => id ?? ''} />
    </>
  );
}

/** Labels for the new decision about a call. */
const MARKS: Readonly<Record<Verdict, string>> = {
  allow: 'Newly allowed',
  deny: 'Newly denied',
  require_approval: 'Newly needs approval',
};

const EXAMPLE_COLUMNS: readonly Column<Example>[] = [
  {
    name: 'Call',
    show: ({ runtime_session_id: sessionId, tool_call_id: at, occurred_at: occurredAt, tool_name: tool }) => (
      <>
        <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ at }}>
          {tool}
        </Link>{' '}
        <TimeAgo at={occurredAt} />
      </>
    ),
  },
  {
    name: 'Decision',
    show: ({ before, after }) => (
      <>
        <StatusBadge tone={DECISIONS[after][0]}>{MARKS[after]}</StatusBadge> before:{' '}
        {DECISIONS[before][1].toLowerCase()}
      </>
    ),
  },
  { name: 'By rule', show: ({ rule_id: rule }) => rule ?? 'the default' },
];
