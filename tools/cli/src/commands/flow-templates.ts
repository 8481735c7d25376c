import type { Command } from 'commander';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { findFlowId } from '../trigger/find-flow.ts';
import { findTracker } from './trackers.ts';

interface Template {
  readonly name: string;
  readonly description: string;
  readonly to_set: readonly string[];
  readonly variants: readonly {
    readonly tracker_kind: string | null;
    readonly flow: Readonly<Record<string, unknown>>;
  }[];
}

interface FlowTracker {
  readonly repository: string;
  readonly registration: { readonly state: string; readonly reason: string | null };
}

/** Adds `steward flow templates` and `steward flow register`. */
export function addFlowTemplates(flow: Command, context: CliContext): void {
  flow
    .command('templates')
    .description('list flow templates')
    .option('--json', 'print them as JSON')
    .action((options: { json?: boolean }) => runFlowTemplates(context, options));
  flow
    .command('register')
    .description('register the webhook of a flow at its tracker again, and print the outcome')
    .argument('<flow>', 'name or id of the flow')
    .action((name: string) => runFlowRegister(context, name));
}

export interface TrackedOptions {
  readonly template?: string;
  readonly tracker?: string;
  readonly repository?: string;
}

/**
 * Returns the initial fields of a new flow, and the tracker that starts it.
 * @throws refused
 */
export async function readTracked(
  client: ApiClient,
  { template, tracker, repository }: TrackedOptions,
): Promise<{ readonly base: Readonly<Record<string, unknown>>; readonly tracked: Readonly<Record<string, unknown>> }> {
  if (tracker !== undefined && repository === undefined)
    throw refuse('--tracker needs --repository, the project whose events start the flow.');
  const found = tracker === undefined ? undefined : await findTracker(client, tracker);
  const tracked =
    found === undefined ? {} : { trigger: 'tracker', tracker_config: { tracker_id: found.id, repository } };
  const base = template === undefined ? {} : await findTemplate(client, template, found?.kind ?? null);
  return { base, tracked };
}

async function findTemplate(
  client: ApiClient,
  name: string,
  kind: string | null,
): Promise<Readonly<Record<string, unknown>>> {
  const templates = await listTemplates(client);
  const found = templates.find((each) => each.name === name);
  const names = templates.map((each) => each.name).join(', ');
  if (found === undefined) throw refuse(`There is no template "${cleanText(name)}". Available: ${names}.`);
  const { variants } = found;
  const variant =
    variants.find((each) => each.tracker_kind === kind) ?? variants.find((each) => each.tracker_kind === null);
  if (variant !== undefined) return variant.flow;
  const kinds = variants.flatMap((each) => each.tracker_kind ?? []).join(', ');
  throw refuse(
    `The flow of the template "${found.name}" starts on events from a tracker (${kinds}): set --tracker and --repository.`,
  );
}

async function listTemplates(client: ApiClient): Promise<readonly Template[]> {
  const { body } = await client.call('GET', '/api/v1/flow-templates');
  return (body as unknown as { readonly items: readonly Template[] }).items;
}

async function runFlowTemplates(context: CliContext, { json = false }: { readonly json?: boolean }): Promise<void> {
  const { output } = context;
  const templates = await listTemplates(createApiClient(context));
  if (json) return output.line(formatJson(templates, 2));
  for (const { name, description, to_set: toSet, variants } of templates) {
    const kinds = variants.flatMap((variant) => variant.tracker_kind ?? []);
    output.line(cleanText(`${name}  ${kinds.length === 0 ? 'no tracker' : kinds.join(', ')}  ${description}`));
    if (toSet.length > 0) output.line(cleanText(`  to set: ${toSet.join(', ')}`));
  }
}

async function runFlowRegister(context: CliContext, name: string): Promise<void> {
  const client = createApiClient(context);
  const id = await findFlowId(client, name);
  const { body } = await client.call('POST', `/api/v1/flows/${id}/tracker-registration`);
  const config = body as unknown as FlowTracker;
  context.output.line(describeTracker(config));
  if (config.registration.state !== 'active') context.setExitCode(EXIT.failed);
}

export function describeTracker({ repository, registration: { state, reason } }: FlowTracker): string {
  return cleanText(`webhook at ${repository}: ${state}${reason === null ? '' : ` (${reason})`}`);
}
