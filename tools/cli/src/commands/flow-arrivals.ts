import type { Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { findFlowId } from '../trigger/find-flow.ts';
import { addPageOptions, noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

interface Arrival {
  readonly id: string;
  readonly received_at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly source: { readonly name: string; readonly event: string | null; readonly action: string | null };
  readonly execution_id: string | null;
}

/** Adds `steward flow arrivals` and `steward flow send-again`. */
export function addFlowArrivals(flow: Command, context: CliContext): void {
  const list = flow
    .command('arrivals')
    .description('list the last 100 requests for a flow that has a source, and why some of them were ignored')
    .argument('<flow>', 'name or id of the flow');
  addPageOptions(list, 'arrivals').action((name: string, options: PageOptions) =>
    runFlowArrivals(context, name, options),
  );
  flow
    .command('send-again')
    .description(
      'process an arrival again with the current settings of the flow, and print the id of the started execution',
    )
    .argument('<flow>', 'name or id of the flow')
    .argument('<arrival>', 'id of the arrival')
    .action((name: string, arrival: string) => runFlowSendAgain(context, name, arrival));
}

async function runFlowArrivals(context: CliContext, name: string, options: PageOptions): Promise<void> {
  const client = createApiClient(context);
  const id = await findFlowId(client, name);
  const query = new URLSearchParams(toPageQuery(options));
  const { body } = await client.call('GET', `/api/v1/flows/${id}/arrivals?${query}`);
  const page = body as unknown as Page<Arrival>;
  const { output } = context;
  if (options.json === true) return output.line(formatJson(page, 2));
  for (const arrival of page.items) output.line(describe(arrival));
  if (page.items.length === 0) output.note('no arrivals');
  noteNextPage(context, page);
}

async function runFlowSendAgain(context: CliContext, name: string, arrival: string): Promise<void> {
  const client = createApiClient(context);
  const path = `/api/v1/flows/${await findFlowId(client, name)}/arrivals/${encodeURIComponent(arrival)}/send-again`;
  const { body } = await client.call('POST', path, { body: {} });
  requireStarted(body);
  context.output.line(String(body.execution_id));
}

/**
 * Checks that a trigger started an execution.
 * @throws refused with the reason of a trigger that the flow ignored: nothing runs
 */
export function requireStarted({ status, reason }: Readonly<Record<string, unknown>>): void {
  if (status === 'ignored')
    throw refuse(`No execution was started; the flow ignored the trigger: ${cleanText(String(reason))}`);
}

function describe({ id, received_at: at, outcome, reason, source, execution_id: execution }: Arrival): string {
  const event = [source.name, source.event, source.action].filter((part) => part !== null).join(' ');
  return cleanText(`${id}  ${formatMinute(at)}  ${event}  ${outcome}  ${execution ?? reason ?? ''}`);
}
