import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { findFlowId } from '../trigger/find-flow.ts';
import { addPageOptions, noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

interface DueTime {
  readonly due_at: string;
  readonly due_local: string;
}

interface Schedule {
  readonly flow_id: string;
  readonly flow_name: string;
  readonly state: string;
  readonly next_due_times: readonly DueTime[];
  readonly last_outcome: string | null;
}

interface PastDue {
  readonly due_at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly execution_id: string | null;
}

interface JsonOption {
  readonly json?: boolean;
}

const RETRIES = 5;

const ACTS = {
  next: 'show the next five due times of a flow',
  pause: 'pause the schedule: it starts no runs until it is resumed',
  resume: 'resume the schedule from the next due time on; no run is started for missed due times',
} as const;

/** Adds `steward flow schedule …`. */
export function addFlowSchedule(flow: Command, context: CliContext): void {
  const schedule = flow.command('schedule').description('manage the schedules of flows');
  const list = schedule
    .command('list')
    .description(
      'list the flows that have a schedule, each with its next due time and the outcome of its last due time',
    );
  addPageOptions(list, 'schedules').action((options: PageOptions) => runList(context, options));
  for (const [act, description] of Object.entries(ACTS))
    schedule
      .command(act)
      .description(description)
      .argument('<flow>', 'name or id of the flow')
      .option('--json', 'print the schedule as JSON')
      .action((name: string, options: JsonOption) => runAct(context, act as keyof typeof ACTS, name, options));
  schedule
    .command('run')
    .description(
      'run a scheduled flow now, even if the schedule is paused or another run is active, and print the id of the execution',
    )
    .argument('<flow>', 'name or id of the flow')
    .action((name: string) => runNow(context, name));
  schedule
    .command('history')
    .description('list the last 100 due times of a flow with their outcomes')
    .argument('<flow>', 'name or id of the flow')
    .option('--json', 'print the whole response as JSON')
    .action((name: string, options: JsonOption) => runHistory(context, name, options));
}

async function runList(context: CliContext, options: PageOptions): Promise<void> {
  const client = createApiClient(context);
  const { body } = await client.call('GET', `/api/v1/schedules?${new URLSearchParams(toPageQuery(options))}`);
  const page = body as unknown as Page<Schedule>;
  const { output } = context;
  if (options.json === true) return output.line(formatJson(page, 2));
  for (const { flow_id: id, flow_name: name, state, next_due_times: next, last_outcome: last } of page.items)
    output.line(cleanText(`${id}  ${name}  ${next[0]?.due_local ?? state}  ${last === null ? '' : `last ${last}`}`));
  if (page.items.length === 0) output.note('no schedules');
  noteNextPage(context, page);
}

async function runAct(context: CliContext, act: keyof typeof ACTS, name: string, options: JsonOption): Promise<void> {
  const client = createApiClient(context);
  const path = `/api/v1/flows/${await findFlowId(client, name)}/schedule`;
  const { body } =
    act === 'next' ? await client.call('GET', path) : await client.call('POST', `${path}/${act}`, { body: {} });
  const schedule = body as unknown as Schedule;
  const { output } = context;
  if (options.json === true) return output.line(formatJson(body, 2));
  for (const { due_local: due } of schedule.next_due_times) output.line(due);
  if (schedule.next_due_times.length === 0) output.note(`no due times: ${schedule.state}`);
}

async function runNow(context: CliContext, name: string): Promise<void> {
  const client = createApiClient(context);
  const path = `/api/v1/flows/${await findFlowId(client, name)}/schedule/run`;
  // Without the key, a repeated request would run the flow twice.
  const { body } = await client.call('POST', path, {
    body: {},
    headers: { 'idempotency-key': randomUUID() },
    retries: RETRIES,
  });
  context.output.line(String(body.execution_id));
}

async function runHistory(context: CliContext, name: string, options: JsonOption): Promise<void> {
  const client = createApiClient(context);
  const { body } = await client.call('GET', `/api/v1/flows/${await findFlowId(client, name)}/schedule/due-times`);
  const { output } = context;
  if (options.json === true) return output.line(formatJson(body, 2));
  const { items } = body as unknown as { readonly items: readonly PastDue[] };
  for (const { due_at: due, outcome, reason, execution_id: execution } of items)
    output.line(`${formatMinute(due)}  ${outcome}  ${execution ?? reason ?? ''}`);
  if (items.length === 0) output.note('no due times so far');
}
