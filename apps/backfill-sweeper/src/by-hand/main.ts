import { parseArgs } from 'node:util';
import { SettingsError } from '@steward/process';
import { walkByHand } from './walk-by-hand.ts';

const HELP = `npm run backfill -- --account ID [--all] [--dry-run]

Adds the history of one account to the search corpus in one pass of SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT rows, whether or
not the sweeper is switched on. Can run while a sweeper runs. Ctrl-C stops it after the rows that it is writing; no data is lost.

  --account ID   id of the account
  --all          runs passes until the account is completely indexed
  --dry-run      only shows the progress and how long the rest will take
  --help         prints this help

The command reads the same DATABASE_URL (or DATABASE_URL_FILE) and SESSION_SEARCH_BACKFILL_* settings as the sweeper
(docs/reference/configuration.md); if DATABASE_URL is not set, the stack that npm start runs is used. Rows written by this command do
not count toward the limits of the sweepers. An account with semantic search receives its vectors with the next pass of the indexer.`;

/** Runs the program. Returns exit code 0 on success, 1 on failure, 2 for wrong arguments. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      account: { type: 'string' },
      all: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  if (values.account === undefined) {
    process.stderr.write('backfill: the option --account with the id of the account to index is missing\n');
    return 2;
  }
  const stop = new AbortController();
  // A second signal ends the process as usual.
  process.once('SIGINT', () => stop.abort());
  return walkByHand(process.env, {
    accountId: values.account.toLowerCase(),
    isAll: values.all,
    isDryRun: values['dry-run'],
    signal: stop.signal,
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const lines =
    error instanceof SettingsError ? error.problems : [error instanceof Error ? error.message : String(error)];
  for (const line of lines) process.stderr.write(`backfill: ${line}\n`);
  const isAskedWrongly = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  process.exitCode = isAskedWrongly ? 2 : 1;
}
