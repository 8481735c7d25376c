import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import {
  runTrackersCreate,
  runTrackersDelete,
  runTrackersList,
  runTrackersTest,
  runTrackersUpdate,
  type TrackerOptions,
} from './trackers.ts';

const TRACKER = 'name or id of the tracker';
const JSON_HELP = 'print the whole response as JSON';

/** Adds `steward trackers …`. */
export function addTrackers(program: Command, context: CliContext): void {
  const trackers = program
    .command('trackers')
    .description(
      'manage connections to trackers (GitHub, GitLab, Jira, Linear): their events start flows, and agents use their tools',
    );
  trackers
    .command('list')
    .description('list connections, newest first')
    .option('--json', JSON_HELP)
    .action((options: { json?: boolean }) => runTrackersList(context, options));
  addFields(
    trackers
      .command('create')
      .description('connect a tracker')
      .argument('<name>', 'name that agents use for the tracker in tool calls: up to 40 characters of a-z, 0-9 and -')
      .requiredOption('--kind <kind>', 'github, gitlab, jira or linear'),
  ).action((name: string, options: TrackerOptions & { kind: string }) => runTrackersCreate(context, name, options));
  addFields(
    trackers
      .command('update')
      .description('change a connection; omitted settings keep their values')
      .argument('<tracker>', TRACKER),
  ).action((tracker: string, options: TrackerOptions) => runTrackersUpdate(context, tracker, options));
  trackers
    .command('test')
    .description('test the token: show its owner and its permissions; exit with 1 if the test fails')
    .argument('<tracker>', TRACKER)
    .option('--repository <name>', 'also show the permissions in this repository')
    .option('--json', JSON_HELP)
    .action((tracker: string, options: { repository?: string; json?: boolean }) =>
      runTrackersTest(context, tracker, options),
    );
  trackers
    .command('delete')
    .description('delete a connection whose events start no flow')
    .argument('<tracker>', TRACKER)
    .action((tracker: string) => runTrackersDelete(context, tracker));
}

function addFields(command: Command): Command {
  return command
    .option(
      '--token-env <variable>',
      'environment variable that holds the token (default when creating: STEWARD_TRACKER_TOKEN)',
    )
    .option('--base-url <url>', 'base URL of the tracker: required for Jira, and for a self-hosted GitHub or GitLab')
    .option('--username <address>', 'email address of the token’s owner, for Jira Cloud')
    .option(
      '--repository <name...>',
      'repositories that flows and agents may use; acme/* includes everything below acme (default: all)',
    );
}
