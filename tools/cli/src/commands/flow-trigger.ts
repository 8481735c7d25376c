import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { countNoun } from '@steward/text';
import { createAnonymousClient, createApiClient, findApiClient, type ApiClient } from '../api/api-client.ts';
import { describeRefusal, readAnswer, type Answer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { formatJson } from '../output.ts';
import { readAll } from '../read-input.ts';
import { findAttachments } from '../trigger/find-attachments.ts';
import { findFlowId } from '../trigger/find-flow.ts';
import { packPayload, type PackedPayload } from '../trigger/pack-payload.ts';
import { parseTarget, type TriggerTarget } from '../trigger/parse-target.ts';
import { requireStarted } from './flow-arrivals.ts';
import { waitForVerdict, type WaitOptions } from './wait-for-verdict.ts';

export interface FlowTriggerOptions extends WaitOptions {
  readonly file?: string;
  readonly attach?: readonly string[];
  readonly idempotencyKey?: string;
  readonly retries: number;
  readonly wait?: boolean;
}

/**
 * Runs `steward flow trigger`: checks everything that can be checked locally, ensures that the request takes effect
 * only once, and waits for the end if requested.
 */
export async function runFlowTrigger(
  context: CliContext,
  flow: string | undefined,
  options: FlowTriggerOptions,
): Promise<void> {
  const { env, output } = context;
  const target = readTarget(context, flow ?? env.STEWARD_WEBHOOK_URL);
  const attachments = findAttachments(options.attach ?? [], process.cwd());
  const payload = packPayload(await readPayload(context, options.file), attachments, {
    unwrap: target.kind === 'flow',
  });
  const key = readKey(options.idempotencyKey);
  const reader = await findReader(context, target, options.wait === true);
  const route = await findRoute(context, target, reader);
  const accepted = await send(context, { ...route, payload, key }, options.retries);
  requireStarted(accepted.body);
  const executionId = String(accepted.body.execution_id);
  const repeated = accepted.body.deduplicated === true ? ' (an earlier request already started it)' : '';
  const files = countNoun(payload.fileCount, 'workspace file');
  output.note(`accepted: execution ${executionId}${repeated}, ${files}`);
  if (options.wait === true && reader !== undefined) return waitForVerdict(context, reader, executionId, options);
  output.line(options.json === true ? formatJson(accepted.body) : executionId);
}

function readTarget({ output }: CliContext, text: string | undefined): TriggerTarget {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') throw refuse('Give a flow, or set STEWARD_WEBHOOK_URL to its webhook URL.');
  const target = parseTarget(trimmed);
  if (target.kind === 'webhook') output.keepSecret(target.secret);
  return target;
}

async function readPayload(context: CliContext, file: string | undefined): Promise<string> {
  if (file === undefined) return '{}';
  if (file === '-') return (await readAll(context)).toString('utf8');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(`--file ${file}: ${(error as Error).message}`);
  }
}

/**
 * Returns the idempotency key, which is always sent, because without a key a repeated request would start the agent
 * twice.
 */
function readKey(given: string | undefined): string {
  const key = given?.trim() ?? '';
  if (key === '') return randomUUID();
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw refuse('--idempotency-key takes 1 to 255 printable characters without spaces.');
  return key;
}

/**
 * Returns the client that reads executions. A webhook's secret can start runs but cannot read them, so waiting also
 * requires a login; this is checked before the flow is started.
 */
async function findReader(context: CliContext, target: TriggerTarget, wait: boolean): Promise<ApiClient | undefined> {
  if (target.kind === 'flow') return createApiClient(context);
  if (!wait) return undefined;
  const reader = findApiClient(context, target.baseUrl);
  if (reader === undefined) {
    throw refuse(
      'Nothing was sent: --wait reads the execution, which is not possible with only a webhook URL. Set STEWARD_API_KEY (a key with view_flows), or run "steward login".',
    );
  }
  await reader.call('GET', '/api/v1/flows/executions?limit=1');
  return reader;
}

interface Route {
  readonly client: ApiClient;
  readonly path: string;
}

async function findRoute(context: CliContext, target: TriggerTarget, reader: ApiClient | undefined): Promise<Route> {
  if (target.kind === 'webhook') return { client: createAnonymousClient(context, target.baseUrl), path: target.path };
  const client = reader ?? createApiClient(context);
  const flowId = await findFlowId(client, target.nameOrId);
  return { client, path: `/api/v1/flows/${flowId}/trigger` };
}

async function send(
  context: CliContext,
  request: Route & { readonly payload: PackedPayload; readonly key: string },
  retries: number,
): Promise<Answer> {
  const { client, path, payload, key } = request;
  try {
    const response = await client.send('POST', path, {
      bytes: payload.bytes,
      headers: { 'idempotency-key': key },
      retries,
    });
    const answer = await readAnswer(response);
    if (answer.status === 202) return answer;
    if (answer.status < 500 && answer.status !== 429) throw refuse(describeTriggerRefusal(answer, path));
    throw new CliError(EXIT.timedOut, describeRefusal(answer));
  } catch (error) {
    const isOpen = context.signal.aborted || (error instanceof CliError && error.exitCode === EXIT.timedOut);
    // The service may have accepted a request whose response was lost; only with the key is another attempt safe.
    if (isOpen) context.output.note(`It is unknown whether the flow was started. Repeat with --idempotency-key ${key}`);
    throw error;
  }
}

function describeTriggerRefusal(answer: Answer, path: string): string {
  const refusal = describeRefusal(answer);
  if (answer.status !== 404 || !path.includes('/webhooks/')) return refusal;
  return `The webhook does not exist: the flow id or the secret is wrong, or the flow has no webhook trigger. ${refusal}`;
}
