import { Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readList } from '../read-list.ts';
import { runBrowsersChange, runBrowsersList, runBrowsersRemove } from './notice-browsers.ts';
import {
  runNoticesCreate,
  runNoticesDelete,
  runNoticesList,
  runNoticesTest,
  runNoticesUpdate,
  type ChannelOptions,
  type TestOptions,
} from './notices.ts';

const CHANNEL = 'description or id of the channel';
const JSON_HELP = 'print the whole response as JSON';

/** Adds `steward notices …`. */
export function addNotices(program: Command, context: CliContext): void {
  const notices = program
    .command('notices')
    .description('manage where notices are sent: Slack, Teams and ntfy channels, and your browsers');
  notices
    .command('list')
    .description('list channels, newest first, with the outcome of their last notice')
    .option('--json', JSON_HELP)
    .action((options: { json?: boolean }) => runNoticesList(context, options));
  addFields(
    notices
      .command('create')
      .description('add a channel')
      .addOption(
        new Option('--kind <kind>', 'service that shows the notices')
          .choices(['slack', 'teams', 'ntfy'])
          .makeOptionMandatory(),
      )
      .option('--json', JSON_HELP),
  ).action((options: ChannelOptions & { kind: string }) => runNoticesCreate(context, options));
  addFields(
    notices
      .command('update')
      .description('change a channel; omitted settings keep their values')
      .argument('<channel>', CHANNEL)
      .option('--no-token', 'remove the token')
      .option('--enable', 'resume posting notices, and post those that were held')
      .addOption(new Option('--disable', 'hold notices').conflicts('enable'))
      .option('--json', JSON_HELP),
  ).action((channel: string, options: ChannelOptions) => runNoticesUpdate(context, channel, options));
  notices
    .command('test')
    .description(
      'send a test notice and print whether Slack, Teams or ntfy accepted it; exit with 1 if it was not accepted',
    )
    .argument('<channel>', CHANNEL)
    .option('--notice <name>', 'send the example of the notice with this name instead, such as approval.created')
    .option('--json', 'print the delivery as JSON')
    .action((channel: string, options: TestOptions) => runNoticesTest(context, channel, options));
  notices
    .command('delete')
    .description('delete a channel; notices that have not been posted yet are cancelled')
    .argument('<channel>', CHANNEL)
    .action((channel: string) => runNoticesDelete(context, channel));
  addBrowsers(notices, context);
}

function addFields(command: Command): Command {
  return command
    .option(
      '--url-env <variable>',
      'environment variable that holds the URL (default when creating: STEWARD_NOTICE_URL)',
    )
    .option('--token-env <variable>', 'environment variable that holds the access token of ntfy')
    .option('--description <text>', 'name of the Slack or Teams channel, or of the topic')
    .option(
      '--notices <names>',
      'names of the notices to post, separated by commas (default: those that need attention)',
      readList,
    );
}

function addBrowsers(notices: Command, context: CliContext): void {
  const browsers = notices
    .command('browsers')
    .description('manage your browsers that get notices; requires "steward login". Browsers are added in the console');
  browsers
    .command('list')
    .description('list your browsers, newest first')
    .option('--json', JSON_HELP)
    .action((options: { json?: boolean }) => runBrowsersList(context, options));
  browsers
    .command('change')
    .description('change which notices are pushed to one of your browsers')
    .argument('<browser>', 'id of the browser')
    .requiredOption('--notices <names>', 'notices, separated by commas', readList)
    .action((id: string, options: { notices: readonly string[] }) => runBrowsersChange(context, id, options.notices));
  browsers
    .command('delete')
    .description('stop pushing notices to one of your browsers')
    .argument('<browser>', 'id of the browser')
    .action((id: string) => runBrowsersRemove(context, id));
}
