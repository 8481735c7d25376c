import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Budget } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { BUDGETS_PATH, budgetsKey, budgetsQuery } from '../../queries/costs.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
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
  { name: 'Period', show: ({ period }) => PERIODS[period] },
  {
    name: 'Spent',
    show: ({ spent_amount: spent, limit_amount: limit, percent_used: percent }) => (
      <>
        {formatUsd(spent)} of {formatUsd(limit)}{' '}
        <meter aria-label="Spent, in percent of the limit" min={0} max={100} value={Math.min(100, percent)} />
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
  { name: 'Begins anew', show: ({ period_end: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function BudgetsScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...budgetsQuery(cursor), placeholderData: keepPreviousData });
  const [edited, setEdited] = useState<Budget | 'new'>();
  const refusal = useRefusal('manage_budgets');
  const columns: readonly Column<Budget>[] = [
    ...COLUMNS,
    {
      name: 'Change',
      show: (budget) => (
        <div className={styles['actions']}>
          <Button disabledReason={refusal} onClick={() => setEdited(budget)}>
            Edit
          </Button>
          <DeleteBudget budget={budget} disabledReason={refusal} />
        </div>
      ),
    },
  ];
  return (
    <Page
      title="Budgets"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setEdited('new')}>
          Add budget
        </Button>
      }
    >
      <Loaded what="budgets" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>No budget yet. One says what calls of models may cost in a period, and refuses those beyond it.</p>
            ) : (
              <DataTable name="Budgets" columns={columns} rows={items} keyOf={({ id }) => id} />
            )}
            {next !== null && (
              <Link to="/budgets" search={{ cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {edited !== undefined && (
        <BudgetDialog budget={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

function DeleteBudget({
  budget,
  disabledReason,
}: {
  readonly budget: Budget;
  readonly disabledReason: string | undefined;
}) {
  const [isAsked, setAsked] = useState(false);
  const remove = useChange(() => request<undefined>('DELETE', `${BUDGETS_PATH}/${budget.id}`), budgetsKey);
  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          title="Delete the budget"
          action="Delete budget"
          look="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          <p>It stops nothing any more; what was spent stays in the usage.</p>
        </Confirm>
      )}
    </>
  );
}
