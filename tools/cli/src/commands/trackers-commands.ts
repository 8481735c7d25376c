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
const JSON_HELP = 'print the whole answer as JSON';

/** `steward trackers …` */
export function addTrackers(program: Command, context: CliContext): void {
  const trackers = program
    .command('trackers')
    .description('connections to GitHub, GitLab, Jira and Linear: flows start by them, agents use them');
  trackers
    .command('list')
    .description('connections, newest first')
    .option('--json', JSON_HELP)
    .action((options: { json?: boolean }) => runTrackersList(context, options));
  addFields(
    trackers
      .command('create')
      .description('connect a tracker')
      .argument('<name>', 'up to 40 of a-z, 0-9 and -; tools of agents call it so')
      .requiredOption('--kind <kind>', 'github, gitlab, jira or linear'),
  ).action((name: string, options: TrackerOptions & { kind: string }) => runTrackersCreate(context, name, options));
  addFields(
    trackers
      .command('update')
      .description('change a connection: what is left out stays')
      .argument('<tracker>', TRACKER),
  ).action((tracker: string, options: TrackerOptions) => runTrackersUpdate(context, tracker, options));
  trackers
    .command('test')
    .description('ask who the token is and what it may; exit code 1 when it is refused')
    .argument('<tracker>', TRACKER)
    .option('--repository <name>', 'and what it may there')
    .option('--json', JSON_HELP)
    .action((tracker: string, options: { repository?: string; json?: boolean }) =>
      runTrackersTest(context, tracker, options),
    );
  trackers
    .command('delete')
    .description('forget a connection that no flow names')
    .argument('<tracker>', TRACKER)
    .action((tracker: string) => runTrackersDelete(context, tracker));
}

function addFields(command: Command): Command {
  return command
    .option('--token-env <variable>', 'environment variable that holds the token (default: STEWARD_TRACKER_TOKEN)')
    .option('--base-url <url>', 'where a tracker of one’s own stands')
    .option('--username <address>', 'of Jira Cloud: the e-mail address whose token it is')
    .option('--repository <name...>', 'what it may be used for; acme/* for all below a place (default: everything)');
}
