import { countNoun } from '@steward/text';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';

interface KillSwitch {
  readonly engaged: boolean;
  readonly reason: string | null;
  readonly changed_at: string | null;
  readonly changed_by: { readonly user_id: string; readonly username: string | null } | null;
}

interface KillSwitchResult extends KillSwitch {
  readonly stopped_executions: number;
  readonly cancelled_approval_requests: number;
}

const PATH = '/api/v1/account/kill-switch';
/** Number of retries. The request is safe to repeat: nothing is ended twice. */
const RETRIES = 4;

/** Runs `steward kill-switch status`. */
export async function runKillSwitchStatus(context: CliContext, { json = false }: { json?: boolean }): Promise<void> {
  const { body } = await createApiClient(context).call('GET', PATH);
  context.output.line(json ? formatJson(body, 2) : describe(body as unknown as KillSwitch));
}

/** Runs `steward kill-switch engage` and `release`; if repeated, it completes the remaining work. */
export async function runKillSwitchTurn(
  context: CliContext,
  engaged: boolean,
  { reason, json = false }: { readonly reason?: string; readonly json?: boolean },
): Promise<void> {
  const body = { engaged, ...(reason === undefined ? {} : { reason }) };
  const answer = await createApiClient(context).call('PUT', PATH, { body, retries: RETRIES });
  const thrown = answer.body as unknown as KillSwitchResult;
  const { output } = context;
  if (json) return output.line(formatJson(thrown, 2));
  output.line(describe(thrown));
  const { stopped_executions: stopped, cancelled_approval_requests: cancelled } = thrown;
  if (stopped + cancelled > 0)
    output.note(`${countNoun(stopped, 'execution')} stopped, ${countNoun(cancelled, 'approval request')} cancelled`);
}

function describe({ engaged, reason, changed_at: at, changed_by: by }: KillSwitch): string {
  const state = engaged ? 'engaged: all agents of the account are stopped' : 'released';
  const since =
    at === null ? '' : `  since ${formatMinute(at)} by ${cleanText(by?.username ?? by?.user_id ?? 'somebody')}`;
  return `${state}${since}${reason === null ? '' : `  (${cleanText(reason)})`}`;
}
