import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Backtest } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { backtestQuery, startBacktest } from '../../queries/policies.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import stack from '../../ui/stack.module.css';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DECISIONS } from './decisions.ts';

type Example = Backtest['changed_examples'][number];

const DAY_MS = 86_400_000;
const DAYS = { '1': 'a day', '7': 'a week', '30': '30 days' };

const COLUMNS: readonly Column<Example>[] = [
  { name: 'Tool', show: ({ tool_name: tool }) => tool },
  { name: 'Before', show: ({ before }) => DECISIONS[before][1] },
  { name: 'After', show: ({ after }) => DECISIONS[after][1] },
  { name: 'By rule', show: ({ rule_id: rule }) => (rule === null ? 'the default' : <code>{rule}</code>) },
  {
    name: 'Session',
    show: ({ runtime_session_id: sessionId, occurred_at: at }) => (
      <Link to="/sessions/$sessionId" params={{ sessionId }}>
        <TimeAgo at={at} />
      </Link>
    ),
  },
];

/** Tests the edited policy on recorded calls. */
export function Backtests({ text }: { readonly text: string }) {
  const [backtestId, setBacktestId] = useState<string>();
  const refusal = useRefusal('view_runtime_sessions');
  const { error, isBusy, onSubmit } = useForm(async ({ days = '1' }) => {
    const { id } = await startBacktest(text, new Date(Date.now() - Number(days) * DAY_MS));
    setBacktestId(id);
  });
  return (
    <section className={stack['stack']} aria-label="Test against past calls">
      <h2>Test against past calls</h2>
      <form className={stack['stack']} onSubmit={onSubmit}>
        <SelectField label="Calls of the last" name="days" options={DAYS} defaultValue="7" />
        {error !== undefined && <ErrorState error={error} />}
        <div className={stack['actions']}>
          <Button type="submit" disabledReason={refusal} aria-busy={isBusy}>
            Run backtest
          </Button>
        </div>
      </form>
      {backtestId !== undefined && <Outcome backtestId={backtestId} />}
    </section>
  );
}

function Outcome({ backtestId }: { readonly backtestId: string }) {
  const query = useQuery(backtestQuery(backtestId));
  return (
    <Loaded what="the backtest" query={query}>
      {({ status, examined, changed, decisions, changed_examples: examples, error }) => (
        <div className={stack['stack']}>
          <p role="status">
            {status === 'queued' || status === 'running' ? 'In progress: ' : ''}
            {examined} calls: {decisions.allow} allowed, {decisions.deny} denied, {decisions.require_approval} need
            approval; {changed} would be decided differently by this document than by the policy in force.
          </p>
          {error !== null && <p>{error}</p>}
          {examples.length > 0 && (
            <DataTable
              name="Decided differently"
              columns={COLUMNS}
              rows={examples}
              keyOf={({ tool_call_id: id }) => id}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}
