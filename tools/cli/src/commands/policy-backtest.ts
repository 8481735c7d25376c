import { setTimeout as sleep } from 'node:timers/promises';
import { countNoun } from '@steward/text';
import { readAnswer } from '../api/answer.ts';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { POLICIES_PATH } from './policy.ts';
import { failUnlessDone, readPolicyFile } from './policy-file.ts';
import { omitUndefined, readMoment } from './search-filters.ts';

export interface PolicyBacktestOptions {
  readonly since: string;
  readonly until?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

interface Backtest {
  readonly id: string;
  readonly status: string;
  readonly finished_at: string | null;
  readonly examined: number;
  readonly without_arguments: number;
  readonly changed: number;
  readonly error: string | null;
  readonly decisions: { readonly allow: number; readonly deny: number; readonly require_approval: number };
  readonly rules?:
    | readonly {
        readonly rule_id: string | null;
        readonly before: number;
        readonly after: number;
        readonly changed: number;
      }[]
    | null;
  readonly changed_examples: readonly {
    readonly occurred_at: string;
    readonly tool_name: string;
    readonly runtime_session_id: string;
    readonly before: string;
    readonly after: string;
    readonly rule_id: string | null;
  }[];
}

const POLL_MS = 500;

/**
 * Runs `steward policy backtest`: starts a backtest and waits for the result.
 * @throws timed out if the service did not finish it
 */
export async function runPolicyBacktest(
  context: CliContext,
  path: string | undefined,
  { since, until, limit, json = false }: PolicyBacktestOptions,
): Promise<void> {
  const { output, signal } = context;
  const file = path === undefined ? undefined : await readPolicyFile(context, path);
  const now = new Date();
  const client = createApiClient(context);
  const body = omitUndefined({
    since: readMoment(since, '--since', now),
    until: readMoment(until, '--until', now),
    limit,
    document: file === undefined ? undefined : Buffer.from(file.bytes).toString('utf8'),
  });
  const answer = await readAnswer(await client.send('POST', `${POLICIES_PATH}/backtest`, { body }));
  failUnlessDone(context, answer, file);
  let backtest = answer.body as unknown as Backtest;
  while (backtest.finished_at === null) {
    await sleep(POLL_MS, undefined, { signal });
    backtest = (await client.call('GET', `${POLICIES_PATH}/backtests/${backtest.id}`)).body as unknown as Backtest;
    if (backtest.finished_at === null) output.note(`calls examined so far: ${backtest.examined}`);
  }
  if (backtest.status === 'failed') throw new CliError(EXIT.timedOut, backtest.error ?? 'The backtest failed.');
  if (json) return output.line(formatJson(backtest, 2));
  printBacktest(context, backtest);
}

function printBacktest({ output }: CliContext, backtest: Backtest): void {
  for (const { occurred_at, tool_name, runtime_session_id, before, after, rule_id } of backtest.changed_examples) {
    const line = `${formatMinute(occurred_at)}  ${tool_name}  ${before} -> ${after}  ${rule_id ?? 'default'}`;
    output.line(cleanText(`${line}  ${runtime_session_id}`));
  }
  for (const { rule_id, before, after, changed } of backtest.rules ?? [])
    output.line(cleanText(`rule ${rule_id ?? 'default'}: ${before} -> ${after} calls, ${changed} changed`));
  const { allow, deny, require_approval: held } = backtest.decisions;
  output.line(
    `${countNoun(backtest.examined, 'call')}: ${allow} allowed, ${deny} denied, ${held} ${held === 1 ? 'needs' : 'need'} approval; ${backtest.changed} would be decided differently`,
  );
  if (backtest.without_arguments > 0)
    output.note(
      `calls recorded without arguments, which were evaluated with empty arguments: ${backtest.without_arguments}`,
    );
}
