import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import { addPageOptions, type PageOptions } from './pages.ts';
import {
  runPolicyApply,
  runPolicyDiff,
  runPolicyRollback,
  runPolicyValidate,
  runPolicyVersions,
  type PolicyApplyOptions,
} from './policy.ts';
import { runPolicyBacktest, type PolicyBacktestOptions } from './policy-backtest.ts';
import { runPolicyTest, type PolicyTestOptions } from './policy-test.ts';

/** `steward policy …` */
export function addPolicy(program: Command, context: CliContext): void {
  const policy = program.command('policy').description('what tool calls may do: the document of the account');
  const file = ['[file]', 'the document, YAML or JSON; - or nothing: standard input'] as const;
  const json = ['--json', 'print the whole answer as JSON'] as const;
  policy
    .command('validate')
    .description('say what is wrong with a document, as file:line:column; ends with 1 when it is not valid')
    .argument(...file)
    .option(...json)
    .action((path: string | undefined, options: { json?: boolean }) => runPolicyValidate(context, path, options));
  policy
    .command('diff')
    .description('what a document would change; ends with 0 whether it changes anything or not')
    .argument(...file)
    .option(...json)
    .action((path: string | undefined, options: { json?: boolean }) => runPolicyDiff(context, path, options));
  policy
    .command('apply')
    .description('put a document into force')
    .argument(...file)
    .option('--message <text>', 'why, for the list of versions')
    .option('--if-version <number>', 'only while this version is in force', readInteger(0, 999_999_999))
    .option('--dry-run', 'only say what would change')
    .option(...json)
    .action((path: string | undefined, options: PolicyApplyOptions) => runPolicyApply(context, path, options));
  policy
    .command('test')
    .description('what would happen to a call, and why')
    .argument('<tool>', 'server/tool; a tool of hooks without its server')
    .option('--arguments <json>', 'its arguments as JSON (default: {}); - reads standard input')
    .option('--file <file>', 'another document than the one in force')
    .option('--agent-kind <kind>', 'as an agent of this kind')
    .option('--agent-tag <tag...>', 'as an agent with these tags')
    .option(...json)
    .action((tool: string, options: PolicyTestOptions) => runPolicyTest(context, tool, options));
  policy
    .command('backtest')
    .description('try a document on the tool calls that were recorded')
    .argument('[file]', 'the document; the one in force unless given')
    .option('--since <time>', 'calls from then on: 2026-05-01, 24h, 7d', '7d')
    .option('--until <time>', 'calls before this time')
    .option('--limit <count>', 'calls at most, the newest', readInteger(1, 100_000))
    .option(...json)
    .action((path: string | undefined, options: PolicyBacktestOptions) => runPolicyBacktest(context, path, options));
  const versions = policy.command('versions').description('every version that was in force, newest first');
  addPageOptions(versions, 'versions').action((options: PageOptions) => runPolicyVersions(context, options));
  policy
    .command('rollback')
    .description('put the content of an old version into force again')
    .argument('<version>', 'its number', readInteger(0, 999_999_999))
    .option('--message <text>', 'why, for the list of versions')
    .action((version: number, options: { message?: string }) => runPolicyRollback(context, version, options));
}
