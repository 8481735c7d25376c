import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { readAll } from '../read-input.ts';
import { findFlowId } from '../trigger/find-flow.ts';
import { findTracker } from './trackers.ts';

interface FlowCreateOptions {
  readonly file?: string;
  readonly template?: string;
  readonly tracker?: string;
  readonly repository?: string;
  readonly event?: readonly string[];
  readonly model?: string;
  readonly clone?: string;
  readonly disabled?: boolean;
  readonly json?: boolean;
}

interface Template {
  readonly name: string;
  readonly title: string;
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

/** Adds `steward flow create`, `steward flow templates` and `steward flow register`. */
export function addFlowCreate(flow: Command, context: CliContext): void {
  flow
    .command('create')
    .description('make a flow, from a document or from a ready-made one, and print its id')
    .argument('<name>', 'what it is called')
    .option('--file <path>', 'JSON as POST /api/v1/flows takes it; "-" reads standard input')
    .option('--template <name>', 'a ready-made flow (see "steward flow templates")')
    .option('--tracker <name>', 'it starts by this tracker, whose webhook is registered')
    .option('--repository <name>', 'of the tracker: owner/repository, group/project, key of a project or team')
    .option('--event <type...>', 'events that start it, by the tracker’s names, for example pull_request.opened')
    .option('--model <alias>', 'the model of its agent')
    .option('--clone <url>', 'repository that is cloned before each run')
    .option('--disabled', 'it starts nothing until it is enabled')
    .option('--json', 'print the flow as JSON')
    .action((name: string, options: FlowCreateOptions) => runFlowCreate(context, name, options));
  flow
    .command('templates')
    .description('ready-made flows')
    .option('--json', 'print them as JSON')
    .action((options: { json?: boolean }) => runFlowTemplates(context, options));
  flow
    .command('register')
    .description('register the webhook of a flow at its tracker again, and say how it went')
    .argument('<flow>', 'name or id of the flow')
    .action((name: string) => runFlowRegister(context, name));
}

async function runFlowCreate(context: CliContext, name: string, options: FlowCreateOptions): Promise<void> {
  const { output } = context;
  const client = createApiClient(context);
  const tracker = options.tracker === undefined ? undefined : await findTracker(client, options.tracker);
  if (tracker !== undefined && options.repository === undefined)
    throw refuse('--tracker needs --repository: whose events start the flow.');
  const base = await readBase(context, client, options, tracker?.kind ?? null);
  const webhook =
    options.event === undefined
      ? {}
      : { webhook_config: { ...(base['webhook_config'] as object | undefined), event_types: options.event } };
  const body = {
    ...base,
    ...webhook,
    name,
    ...(options.model === undefined ? {} : { ai_model_id: options.model }),
    ...(options.clone === undefined ? {} : { git_clone_config: { repository_url: options.clone } }),
    ...(options.disabled === true ? { is_enabled: false } : {}),
    ...(tracker === undefined
      ? {}
      : { trigger: 'tracker', tracker_config: { tracker_id: tracker.id, repository: options.repository } }),
  };
  const made = (await client.call('POST', '/api/v1/flows', { body })).body;
  if (options.json === true) return output.line(formatJson(made, 2));
  output.line(String(made['id']));
  const { tracker_config: config } = made as { readonly tracker_config?: FlowTracker | null };
  if (config) output.note(describeTracker(config));
}

/** What the flow is but for its options. */
async function readBase(
  context: CliContext,
  client: ApiClient,
  { file, template }: FlowCreateOptions,
  kind: string | null,
): Promise<Record<string, unknown>> {
  if ((file === undefined) === (template === undefined)) throw refuse('Say either --file or --template.');
  if (file !== undefined) return readDocument(await readBytes(context, file));
  const templates = await listTemplates(client);
  const found = templates.find((each) => each.name === template);
  const names = templates.map((each) => each.name).join(', ');
  if (found === undefined) throw refuse(`There is no template "${cleanText(template ?? '')}". There are: ${names}.`);
  const kinds = found.variants.map((variant) => variant.tracker_kind);
  const variant =
    found.variants.find((each) => each.tracker_kind === kind) ??
    found.variants.find((each) => each.tracker_kind === null);
  if (variant === undefined)
    throw refuse(
      `"${found.name}" starts by a tracker: --tracker and --repository, of ${kinds.filter((each) => each !== null).join(', ')}.`,
    );
  return { ...variant.flow };
}

async function readBytes(context: CliContext, path: string): Promise<Buffer> {
  if (path === '-') return readAll(context);
  return readFile(path).catch(() => {
    throw refuse(`There is no file ${cleanText(path)} that can be read.`);
  });
}

function readDocument(text: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw refuse('The document is no JSON object.');
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
    output.line(cleanText(`${name}  ${kinds.length === 0 ? 'webhook' : kinds.join(', ')}  ${description}`));
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

function describeTracker({ repository, registration: { state, reason } }: FlowTracker): string {
  return cleanText(`webhook at ${repository}: ${state}${reason === null ? '' : ` (${reason})`}`);
}
