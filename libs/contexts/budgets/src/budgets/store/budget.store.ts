import { sql, type RawBuilder } from 'kysely';
import { executePrepared, requireQuota, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { Budget, BudgetScope, BudgetSubject, BudgetTerms, JoinedAgents } from '../budget.ts';
import type { BudgetPeriod } from '../rules/period.ts';

/** Maximum number of budgets per account (LIM-54); all of them are read whenever the ledger changes. */
const MAX_BUDGETS = 200;

interface BudgetRow {
  readonly id: string;
  readonly scope: BudgetScope;
  readonly scope_id: string | null;
  readonly model_alias: string | null;
  readonly period: BudgetPeriod;
  readonly time_zone: string;
  readonly period_start: Date;
  readonly period_end: Date | null;
  readonly limit_amount: string;
  readonly is_hard: boolean;
  readonly refuses_unsized: boolean;
  readonly thresholds_percent: number[];
  readonly is_enabled: boolean;
  readonly arm_generation: number;
  readonly spent: string;
  readonly reserved: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface BudgetKey {
  readonly accountId: string;
  readonly id: string;
}

export interface BudgetList {
  readonly accountId: string;
  /** Time that selects the period for which the ledger is returned. */
  readonly at: Date;
  readonly id?: string | undefined;
  readonly beforeId?: string | undefined;
  /** Maximum number of budgets; undefined: no limit. */
  readonly limit?: number | undefined;
}

/**
 * Returns the SQL for the number of changes that have been made to the budgets of the account whose id is in the given
 * column.
 */
export function selectBudgetsRevision(accountColumn: string): RawBuilder<number> {
  return sql`coalesce((select r.revision from budgets.revision r where r.account_id = ${sql.ref(accountColumn)}), 0)`;
}

/**
 * Lists budgets newest first, with the spend of the period that contains the time `at`; one row more than requested
 * shows whether there is another page.
 */
export async function listBudgets(db: AnyDatabase, list: BudgetList): Promise<Budget[]> {
  const { accountId, at, id = null, beforeId = null, limit } = list;
  const { rows } = await executePrepared(
    db,
    'budgets.list',
    sql<BudgetRow>`
    select budget.id, scope, scope_id, model_alias, budget.period, time_zone, current.period_start,
      budgets.end_of(budget.period, ${at}, time_zone) as period_end, trim_scale(limit_amount)::text as limit_amount, is_hard,
      refuses_unsized, thresholds_percent, is_enabled, arm_generation, coalesce(spent, 0)::text as spent,
      (coalesce(reserved, 0) - budgets.leased(budget.account_id, budget.id, current.period_start))::text as reserved, created_at, updated_at
    from budgets.budget
    cross join lateral budgets.start_of(budget.period, ${at}, time_zone) as current (period_start)
    left join budgets.bucket on bucket.account_id = budget.account_id and bucket.budget_id = budget.id
      and bucket.period_start = current.period_start
    where budget.account_id = ${accountId} and opening_until is null and (${id}::uuid is null or budget.id = ${id})
      and (${beforeId}::uuid is null or budget.id < ${beforeId})
    order by budget.id desc limit ${limit === undefined ? null : limit + 1}
  `,
  );
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    scopeId: row.scope_id,
    modelAlias: row.model_alias,
    period: row.period,
    limitAmount: row.limit_amount,
    isHard: row.is_hard,
    refusesUnsized: row.refuses_unsized,
    thresholdsPercent: row.thresholds_percent,
    isEnabled: row.is_enabled,
    armGeneration: row.arm_generation,
    timeZone: row.time_zone,
    periodStart: row.period_start,
    periodEnd: row.period_end ?? undefined,
    spent: row.spent,
    reserved: row.reserved,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export async function findBudget(
  trx: AnyTransaction,
  { accountId, id }: BudgetKey,
  at: Date,
): Promise<Budget | undefined> {
  const [budget] = await listBudgets(trx, { accountId, id, at });
  return budget;
}

/** Checks the limit on the number of budgets per account. @throws quota_reached */
export async function requireBudgetQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from budgets.budget where account_id = ${accountId}`;
  await requireQuota(trx, { accountId, what: 'budgets', limit: MAX_BUDGETS, rows });
}

/**
 * Maximum time in seconds for adding up earlier spend; after that, the process that creates the budget is considered
 * dead.
 */
const OPENING_SECONDS = 60;

/**
 * Inserts a budget that counts calls, but does not refuse calls, send alerts or appear in lists yet. Returns false if
 * the account has a budget with the same subject.
 */
export async function insertOpening(
  trx: AnyTransaction,
  budget: BudgetKey & BudgetSubject & Omit<BudgetTerms, 'isEnabled'> & { readonly now: Date },
): Promise<boolean> {
  const { scopeId } = budget;
  // The agent may have been merged since the caller read it.
  const byNow = sql`coalesce((
    select merged_into from budgets.merged_agent where account_id = ${budget.accountId} and agent_id = ${scopeId}
  ), ${scopeId})`;
  const subject = budget.scope === 'managed_agent' ? byNow : scopeId;
  const { rows } = await sql`
    insert into budgets.budget (account_id, id, scope, scope_id, model_alias, period, time_zone, limit_amount, is_hard,
      refuses_unsized, thresholds_percent, is_enabled, created_at, updated_at, opening_until)
    values (${budget.accountId}, ${budget.id}, ${budget.scope}, ${subject}, ${budget.modelAlias}, ${budget.period}, ${budget.timeZone},
      ${budget.limitAmount}, ${budget.isHard}, ${budget.refusesUnsized}, ${[...budget.thresholdsPercent]}::integer[], false,
      ${budget.now}, ${budget.now}, clock_timestamp() + make_interval(secs => ${OPENING_SECONDS}))
    on conflict do nothing returning id
  `.execute(trx);
  return rows.length > 0;
}

/**
 * Opens a budget, so that it takes effect. Returns false if the budget has been removed, because its creation was
 * considered abandoned or its agent was merged.
 */
export async function openBudget(
  trx: AnyTransaction,
  { accountId, id }: BudgetKey,
  isEnabled: boolean,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update budgets.budget set opening_until = null, is_enabled = ${isEnabled}
    where account_id = ${accountId} and id = ${id} and opening_until is not null
  `.execute(trx);
  return numAffectedRows === 1n;
}

/** Removes budgets of the account that took too long to open, and the given budget if it has not been opened yet. */
export async function removeUnopened(
  trx: AnyTransaction,
  { accountId, id }: Pick<BudgetKey, 'accountId'> & Partial<BudgetKey>,
): Promise<void> {
  await sql`
    delete from budgets.budget
    where account_id = ${accountId} and (opening_until < clock_timestamp() or opening_until is not null and id = ${id ?? null}::uuid)
  `.execute(trx);
}

/**
 * Removes unopened budgets of two merged agents: the sum that is being computed for such a budget includes the spend of
 * only one of the two agents.
 */
export async function removeUnopenedOfAgents(
  trx: AnyTransaction,
  { accountId, agentId, to }: JoinedAgents,
): Promise<void> {
  await sql`
    delete from budgets.budget where account_id = ${accountId} and scope = 'managed_agent'
      and scope_id = any(${[agentId, to]}::text[]) and opening_until is not null
  `.execute(trx);
}

/** Stores the terms of a budget. @param isRaised - true if the limit was raised: alerts may then be sent again */
export async function updateTerms(
  trx: AnyTransaction,
  { accountId, id }: BudgetKey,
  terms: BudgetTerms & { readonly isRaised: boolean; readonly now: Date },
): Promise<void> {
  await sql`
    update budgets.budget set limit_amount = ${terms.limitAmount}, is_hard = ${terms.isHard}, refuses_unsized = ${terms.refusesUnsized},
      thresholds_percent = ${[...terms.thresholdsPercent]}::integer[], is_enabled = ${terms.isEnabled},
      arm_generation = arm_generation + ${terms.isRaised ? 1 : 0}, updated_at = ${terms.now}
    where account_id = ${accountId} and id = ${id}
  `.execute(trx);
}

/** Removes alerts of a period for thresholds above the spend, so that they may be sent again. */
export async function rearmCrossings(
  trx: AnyTransaction,
  { accountId, id }: BudgetKey,
  { periodStart, spent, limitAmount }: Pick<Budget, 'periodStart' | 'spent' | 'limitAmount'>,
): Promise<void> {
  await sql`
    delete from budgets.crossing where account_id = ${accountId} and budget_id = ${id} and period_start = ${periodStart}
      and ${spent}::numeric * 100 < ${limitAmount}::numeric * threshold_percent
  `.execute(trx);
}

export async function removeBudget(trx: AnyTransaction, { accountId, id }: BudgetKey): Promise<void> {
  await sql`delete from budgets.budget where account_id = ${accountId} and id = ${id}`.execute(trx);
}

/**
 * Moves the budgets of one agent to another. If the other agent already has a budget for the same model and period, its
 * budget is kept and that of the merged agent is deleted.
 */
export async function moveBudgetsOfAgent(trx: AnyTransaction, { accountId, agentId, to }: JoinedAgents): Promise<void> {
  const ofAgent = sql`account_id = ${accountId} and scope = 'managed_agent' and scope_id = ${agentId}`;
  await sql`
    update budgets.budget set scope_id = ${to} where ${ofAgent} and not exists (
      select from budgets.budget own where own.account_id = ${accountId} and own.scope = 'managed_agent'
        and own.scope_id = ${to} and own.period = budget.period and own.model_alias is not distinct from budget.model_alias
    )
  `.execute(trx);
  await sql`delete from budgets.budget where ${ofAgent}`.execute(trx);
}

/**
 * Records that calls of the merged agent, and of agents that were merged into it earlier, belong to the other agent
 * from now on.
 */
export async function followMergedAgent(trx: AnyTransaction, { accountId, agentId, to }: JoinedAgents): Promise<void> {
  await sql`
    update budgets.merged_agent set merged_into = ${to} where account_id = ${accountId} and merged_into = ${agentId}
  `.execute(trx);
  await sql`
    insert into budgets.merged_agent (account_id, agent_id, merged_into) values (${accountId}, ${agentId}, ${to})
  `.execute(trx);
}
