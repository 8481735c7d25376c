import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Budget } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { BUDGETS_PATH, budgetsKey, budgetsQuery } from '../../queries/costs.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { BudgetDialog } from './budget-dialog.tsx';
import { describeBudget, PERIODS, SCOPES } from './budget-words.ts';

const route = getRouteApi('/inside/budgets');

const COLUMNS: readonly Column<Budget>[] = [
  { name: 'Of', show: ({ scope, scope_id: id }) => (id === null ? SCOPES[scope] : `${SCOPES[scope]} ${id}`) },
  { name: 'Model', show: ({ model_alias: model }) => model ?? 'all' },
  {
    name: 'Period',
    show: ({ period, time_zone: zone }) => (zone === 'UTC' ? PERIODS[period] : `${PERIODS[period]}, ${zone}`),
  },
  {
    name: 'Spent',
    show: ({ spent_amount: spent, limit_amount: limit, percent_used: percent }) => (
      <>
        {formatUsd(spent)} of {formatUsd(limit)}{' '}
        <meter aria-label="Spend as a percentage of the limit" min={0} max={100} value={Math.min(100, percent)} />
      </>
    ),
  },
  {
    name: 'State',
    show: (budget) => {
      const { tone, word } = describeBudget(budget);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  { name: 'Period ends', show: ({ period_end: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function BudgetsScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...budgetsQuery(cursor), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_budgets');
  const columns: readonly Column<Budget>[] = [
    ...COLUMNS,
    {
      name: 'Change',
      show: (budget) => (
        <div className={styles['actions']}>
          <DialogButton label="Edit" disabledReason={refusal}>
            {(close) => <BudgetDialog budget={budget} onClose={close} />}
          </DialogButton>
          <DeleteBudget budget={budget} disabledReason={refusal} />
        </div>
      ),
    },
  ];
  return (
    <ListPage
      name="Budgets"
      what="budgets"
      columns={columns}
      query={query}
      empty="No budgets yet. A budget sets a limit for the cost of model calls in a period. It sends alerts and can refuse calls that would exceed the limit."
      actions={
        <DialogButton label="Add budget" look="primary" disabledReason={refusal}>
          {(close) => <BudgetDialog budget={undefined} onClose={close} />}
        </DialogButton>
      }
    />
  );
}

interface DeleteProps {
  readonly budget: Budget;
  readonly disabledReason: string | undefined;
}

function DeleteBudget({ budget, disabledReason }: DeleteProps) {
  const remove = useChange(() => request<undefined>('DELETE', `${BUDGETS_PATH}/${budget.id}`), budgetsKey);
  return (
    <DialogButton label="Delete" disabledReason={disabledReason}>
      {(close) => (
        <ConfirmChange title="Delete the budget" action="Delete budget" look="danger" change={remove} onClose={close}>
          <p>The budget will no longer limit model calls or send alerts. Past spend is still included in the usage.</p>
        </ConfirmChange>
      )}
    </DialogButton>
  );
}
