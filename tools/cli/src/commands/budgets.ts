import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

export interface BudgetsSetOptions {
  readonly period: string;
  readonly apiKeyId?: string;
  readonly flow?: string;
  readonly model?: string;
  readonly soft?: boolean;
  readonly unsizedCalls?: string;
  readonly threshold?: readonly number[];
  readonly timeZone?: string;
  readonly json?: boolean;
}

interface Subject {
  readonly scope: string;
  readonly scope_id: string | null;
  readonly model_alias: string | null;
  readonly period: string;
}

interface Budget extends Subject {
  readonly time_zone: string;
  readonly id: string;
  readonly limit_amount: number;
  readonly hard: boolean;
  readonly enabled: boolean;
  readonly period_end: string | null;
  readonly spent_amount: number;
  readonly reserved_amount: number;
  readonly percent_used: number;
}

const PATH = '/api/v1/budgets';
const PAGE_SIZE = 200;

/** Runs `steward budgets list`: lists budgets, newest first, with the spending of each. */
export async function runBudgetsList(context: CliContext, options: PageOptions): Promise<void> {
  const page = await readPage(context, new URLSearchParams(toPageQuery(options)));
  const { output } = context;
  if (options.json === true) return output.line(formatJson(page, 2));
  for (const budget of page.items) output.line(describe(budget));
  if (page.items.length === 0) output.note('no budgets');
  noteNextPage(context, page);
}

/** Runs `steward budgets set`: creates a budget, or changes the limit of the existing budget with the same target. */
export async function runBudgetsSet(
  context: CliContext,
  limitAmount: number,
  { json = false, ...options }: BudgetsSetOptions,
): Promise<void> {
  const subject = readSubject(options);
  const terms = {
    limit_amount: limitAmount,
    ...(options.soft === undefined ? {} : { hard: !options.soft }),
    ...(options.unsizedCalls === undefined ? {} : { unsized_calls: options.unsizedCalls }),
    ...(options.threshold === undefined ? {} : { thresholds_percent: options.threshold }),
  };
  const client = createApiClient(context);
  const found = await findBudget(context, subject);
  const { timeZone } = options;
  requireSameZone(found, timeZone);
  const place = timeZone === undefined ? {} : { time_zone: timeZone };
  const { body } =
    found === undefined
      ? await client.call('POST', PATH, { body: { ...subject, ...place, ...terms } })
      : await client.call('PATCH', `${PATH}/${found.id}`, { body: terms });
  context.output.line(json ? formatJson(body, 2) : describe(body as unknown as Budget));
}

/** Checks that the time zone of an existing budget stays the same, because the target of a budget cannot be changed. */
function requireSameZone(found: Budget | undefined, timeZone: string | undefined): void {
  if (found === undefined || timeZone === undefined || found.time_zone === timeZone) return;
  const message = `The budget ${found.id} already has this scope, model and period, with the time zone ${found.time_zone}: delete it before you create one with ${timeZone}.`;
  throw refuse(message);
}

function readSubject({ apiKeyId, flow, model, period }: BudgetsSetOptions): Subject {
  const of = { scope_id: apiKeyId ?? flow ?? null, model_alias: model ?? null, period };
  if (apiKeyId !== undefined) return { scope: 'api_key', ...of };
  return { scope: flow === undefined ? 'account' : 'flow', ...of };
}

async function findBudget(context: CliContext, subject: Subject): Promise<Budget | undefined> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<Budget> = await readPage(
      context,
      new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor === '' ? {} : { cursor }) }),
    );
    const names = ['scope', 'scope_id', 'model_alias', 'period'] as const;
    const found = page.items.find((budget) => names.every((name) => budget[name] === subject[name]));
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  }
  return undefined;
}

async function readPage(context: CliContext, query: URLSearchParams): Promise<Page<Budget>> {
  const { body } = await createApiClient(context).call('GET', `${PATH}?${query.toString()}`);
  return body as unknown as Page<Budget>;
}

function describe(budget: Budget): string {
  const { id, scope, scope_id: scopeId, model_alias: model, period_end: end, time_zone: zone } = budget;
  const period = zone === 'UTC' ? budget.period : `${budget.period} in ${zone}`;
  const whose = `${scope}${scopeId === null ? '' : ` ${scopeId}`}${model === null ? '' : `, ${model}`}`;
  const held = budget.reserved_amount > 0 ? `, ${budget.reserved_amount} reserved` : '';
  const spent = `${budget.spent_amount} of ${budget.limit_amount} USD (${budget.percent_used} %${held})`;
  const kind = budget.enabled ? (budget.hard ? '' : '  soft') : '  off';
  const until = end === null ? '' : `  until ${formatMinute(end)}`;
  return cleanText(`${id}  ${period}  ${whose}  ${spent}${kind}${until}`);
}
