import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { formatJson } from '../output.ts';
import { readInteger } from '../read-integer.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { describeTracker, readTracked, type TrackedOptions } from './flow-templates.ts';
import { addScheduleOptions, readSchedule, type ScheduleOptions } from './schedule-options.ts';

interface CreateOptions extends TrackedOptions, ScheduleOptions {
  readonly file?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly command?: string;
  readonly model?: string;
  readonly tool?: readonly string[];
  readonly clone?: string;
  readonly source?: string;
  readonly signingSecretFile?: string;
  readonly event?: readonly string[];
  readonly filter?: string;
  readonly timeout?: number;
  readonly disabled?: boolean;
  readonly json?: boolean;
}

/** Adds `steward flow create`. */
export function addFlowCreate(flow: Command, context: CliContext): void {
  const create = flow
    .command('create')
    .description('create a flow and print its id')
    .argument('<name>', 'name of the flow; unique in the account')
    .option('--file <file>', 'JSON file with the fields of a flow; options take precedence over them')
    .option('--template <name>', 'start from a template (see "steward flow templates")')
    .option(
      '--tracker <name>',
      'tracker whose events start the flow; the webhook of the flow is registered at the tracker',
    )
    .option('--repository <name>', 'project at the tracker: owner/repository, group/project, key of a project or team')
    .option('--prompt <text>', 'prompt with placeholders, for example {{trigger_event.payload.number}}')
    .option('--prompt-file <file>', 'file that contains the prompt')
    .option('--command <line>', 'shell command that is run instead of the built-in agent')
    .option('--model <alias>', 'run the built-in agent with this AI model')
    .option('--tool <name...>', 'tools that the built-in agent may use')
    .option('--clone <url>', 'repository to clone before each run')
    .option('--source <source>', 'sender of the webhooks that start the flow, for example github')
    .option('--signing-secret-file <file>', 'file that contains the signing secret of the sender')
    .option('--event <name...>', 'events that start the flow, for example pull_request.opened')
    .option('--filter <condition>', 'condition on payload and event');
  addScheduleOptions(create)
    .option('--timeout <seconds>', 'time limit of a run, in seconds', readInteger(60, 86_400))
    .option('--disabled', 'create the flow disabled: nothing starts it until it is enabled')
    .option('--json', 'print the flow as JSON, without its secret')
    .action((name: string, options: CreateOptions) => runFlowCreate(context, name, options));
}

async function runFlowCreate(context: CliContext, name: string, options: CreateOptions): Promise<void> {
  const file = readFlow(options.file);
  const client = createApiClient(context);
  const { base, tracked } = await readTracked(client, options);
  const begun = { ...base, ...file };
  const fields = readFields(options, begun);
  const { body: flow } = await client.call('POST', '/api/v1/flows', {
    body: { ...begun, name, ...fields, ...tracked },
  });
  const { output } = context;
  const webhook = flow.webhook_config as { webhook_secret?: string } | null;
  const tracker = flow.tracker_config as Parameters<typeof describeTracker>[0] | null | undefined;
  if (tracker) output.note(describeTracker(tracker));
  if (webhook?.webhook_secret !== undefined) {
    output.keepSecret(webhook.webhook_secret);
    if (!tracker) output.note('The page of the flow in the console shows the webhook address.');
  }
  output.line(
    options.json === true ? formatJson({ ...flow, webhook_config: withoutSecret(webhook) }, 2) : String(flow.id),
  );
}

function withoutSecret(webhook: object | null): object | null {
  if (webhook === null) return null;
  const { webhook_secret: _secret, ...rest } = webhook as Record<string, unknown>;
  return rest;
}

/** Returns only the fields that are given, so that the file and the defaults of the service determine the rest. */
function readFields(options: CreateOptions, begun: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { command, model, tool, clone, source, timeout, disabled, promptFile } = options;
  const webhook = readWebhook(options);
  const schedule = readSchedule(options);
  const prompt = options.prompt ?? (promptFile === undefined ? undefined : readText('--prompt-file', promptFile));
  if (command !== undefined && model !== undefined)
    throw refuse('Set either --command or --model: the agent is either a command or the built-in agent.');
  return withoutUndefined({
    prompt_template: prompt,
    ...(command === undefined ? {} : { agent_type: 'command', agent_config: { command } }),
    ...(model === undefined ? {} : { agent_type: 'builtin', ai_model_id: model }),
    allowed_tools: tool,
    git_clone_config: clone === undefined ? undefined : { repository_url: clone },
    // If both are given, either one starts the flow; the trigger of a template or tracker is preserved.
    trigger:
      source !== undefined ? 'webhook' : schedule !== undefined && isManual(begun.trigger) ? 'schedule' : undefined,
    // Template fields that are not given stay unchanged.
    webhook_config: webhook && { ...(begun.webhook_config as object | undefined), ...webhook },
    schedule_config: schedule,
    timeout_seconds: timeout,
    is_enabled: disabled === true ? false : undefined,
  });
}

function isManual(trigger: unknown): boolean {
  return trigger === undefined || trigger === 'manual';
}

function readWebhook({ source, tracker, signingSecretFile, event, filter }: CreateOptions): object | undefined {
  if (source !== undefined && tracker !== undefined)
    throw refuse('Set only one of --source and --tracker: the service itself creates the webhook of a tracker.');
  if (source === undefined && signingSecretFile !== undefined) throw refuse('--signing-secret-file needs --source.');
  if (source === undefined && tracker === undefined && (event !== undefined || filter !== undefined))
    throw refuse('--event and --filter need --source or --tracker.');
  const parts = withoutUndefined({
    source,
    signing_secrets:
      signingSecretFile === undefined ? undefined : [readText('--signing-secret-file', signingSecretFile).trim()],
    event_types: event,
    filter,
  });
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function readFlow(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return {};
  try {
    const flow: unknown = JSON.parse(readText('--file', file));
    if (typeof flow === 'object' && flow !== null && !Array.isArray(flow)) return flow as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refuse(`--file ${file}: the content must be a JSON object.`);
}

function readText(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(`${option} ${file}: ${(error as Error).message}`);
  }
}
