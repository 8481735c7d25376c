import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { findAgent } from '@steward/agents';
import { isTimeZone, knowsTimeZone, type BudgetSubject, type BudgetTerms } from '@steward/budgets';
import { findFlow } from '@steward/flows';
import { findApiKey } from '@steward/identity';
import type { CreateBudgetBody, UpdateBudgetBody } from './budget-schemas.ts';

const DECIMALS = 6;

/**
 * Reads the subject of a budget. @throws unknown_agent if the account has no such agent or the agent is retired,
 * invalid_request for other invalid values
 */
export async function readSubject(
  db: AnyDatabase,
  accountId: string,
  body: Static<typeof CreateBudgetBody>,
): Promise<BudgetSubject> {
  const { scope, period, time_zone: timeZone = 'UTC' } = body;
  const scopeId = body.scope_id ?? null;
  if ((scope === 'account') !== (scopeId === null)) {
    throw refuse(
      'scope_id',
      scope === 'account'
        ? 'A budget with scope "account" has no "scope_id".'
        : 'Set "scope_id" to the key, flow or agent.',
    );
  }
  if (!isTimeZone(timeZone) || (timeZone !== 'UTC' && !(await knowsTimeZone(db, timeZone))))
    throw refuse('time_zone', `There is no time zone "${timeZone}": send an IANA name, such as Europe/Berlin.`);
  if (scopeId !== null) await requireScope(db, accountId, { scope, scopeId });
  return { scope, scopeId, modelAlias: body.model_alias ?? null, period, timeZone };
}

async function requireScope(
  db: AnyDatabase,
  accountId: string,
  { scope, scopeId }: { readonly scope: BudgetSubject['scope']; readonly scopeId: string },
): Promise<void> {
  if (scope === 'managed_agent') {
    const agent = await findAgent(db, { accountId, id: scopeId });
    if (agent === undefined || agent.lifecycleState === 'retired')
      throw new AppError('unknown_agent', { detail: { field: 'scope_id' } });
    return;
  }
  const found =
    scope === 'flow' ? await findFlow(db, accountId, scopeId) : await findApiKey(db, { accountId }, scopeId);
  if (found === undefined) throw refuse('scope_id', 'The account has no flow or API key with this id.');
}

/** Reads those terms of the budget that were sent. @throws invalid_request */
export function readTerms(body: Static<typeof UpdateBudgetBody>): Partial<BudgetTerms> {
  return {
    ...(body.limit_amount === undefined ? {} : { limitAmount: readAmount(body.limit_amount) }),
    ...(body.hard === undefined ? {} : { isHard: body.hard }),
    ...(body.unsized_calls === undefined ? {} : { refusesUnsized: body.unsized_calls === 'refuse' }),
    ...(body.thresholds_percent === undefined
      ? {}
      : { thresholdsPercent: [...body.thresholds_percent].sort((a, b) => a - b) }),
    ...(body.enabled === undefined ? {} : { isEnabled: body.enabled }),
  };
}

/** Returns an amount as a decimal string, without rounding. @throws invalid_request if it has more than six decimals */
function readAmount(amount: number): string {
  const text = amount.toFixed(DECIMALS);
  if (Number(text) !== amount) throw refuse('limit_amount', `An amount can have at most ${DECIMALS} decimals.`);
  return text;
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, detail: { field } });
}
