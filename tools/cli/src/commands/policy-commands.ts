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

/** Adds `steward policy …`. */
export function addPolicy(program: Command, context: CliContext): void {
  const policy = program.command('policy').description('manage the policy of the account, which decides on tool calls');
  const file = ['[file]', 'policy document, YAML or JSON; standard input if "-" or omitted'] as const;
  const json = ['--json', 'print the whole response as JSON'] as const;
  policy
    .command('validate')
    .description('report errors in a document, as file:line:column; exit with 1 if it is invalid')
    .argument(...file)
    .option(...json)
    .action((path: string | undefined, options: { json?: boolean }) => runPolicyValidate(context, path, options));
  policy
    .command('diff')
    .description('print what a document would change; changes do not affect the exit code')
    .argument(...file)
    .option(...json)
    .action((path: string | undefined, options: { json?: boolean }) => runPolicyDiff(context, path, options));
  policy
    .command('apply')
    .description('apply a document')
    .argument(...file)
    .option('--message <text>', 'reason, shown in the list of versions')
    .option('--if-version <number>', 'apply only if this version is in force', readInteger(0, 999_999_999))
    .option('--dry-run', 'only print what would change')
    .option(...json)
    .action((path: string | undefined, options: PolicyApplyOptions) => runPolicyApply(context, path, options));
  policy
    .command('test')
    .description('print the decision on a call, and its reason')
    .argument('<tool>', 'tool as SERVER/TOOL, or as TOOL for the agent’s own tools, which its hook checks')
    .option('--arguments <json>', 'arguments as JSON (default: {}); "-" reads standard input')
    .option('--file <file>', 'policy document to use instead of the one in force')
    .option('--agent-kind <kind>', 'evaluate as an agent of this kind')
    .option('--agent-tag <tag...>', 'evaluate as an agent with these tags')
    .option(...json)
    .action((tool: string, options: PolicyTestOptions) => runPolicyTest(context, tool, options));
  policy
    .command('backtest')
    .description('test a document against recorded tool calls')
    .argument('[file]', 'policy document (default: the one in force)')
    .option('--since <time>', 'calls from this time on: 2026-05-01, 24h, 7d', '7d')
    .option('--until <time>', 'calls before this time')
    .option('--limit <count>', 'maximum number of calls; the newest are used', readInteger(1, 100_000))
    .option(...json)
    .action((path: string | undefined, options: PolicyBacktestOptions) => runPolicyBacktest(context, path, options));
  const versions = policy.command('versions').description('list all versions, newest first');
  addPageOptions(versions, 'versions').action((options: PageOptions) => runPolicyVersions(context, options));
  policy
    .command('rollback')
    .description('apply the content of an old version again')
    .argument('<version>', 'number of the version', readInteger(0, 999_999_999))
    .option('--message <text>', 'reason, shown in the list of versions')
    .action((version: number, options: { message?: string }) => runPolicyRollback(context, version, options));
}
