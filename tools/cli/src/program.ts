import { SEARCH_MODES } from '@steward/contracts/search-modes';
import { SOURCE_KINDS } from '@steward/contracts/source-kinds';
import { Command, Option } from 'commander';
import type { CliContext } from './cli-context.ts';
import { addAgents } from './commands/agents-commands.ts';
import { addApply } from './commands/apply-commands.ts';
import { addApprovals } from './commands/approvals-commands.ts';
import { addAudit } from './commands/audit-commands.ts';
import { addBudgets } from './commands/budgets-commands.ts';
import { addFlowArrivals } from './commands/flow-arrivals.ts';
import { addFlowCreate } from './commands/flow-create.ts';
import { addFlowSchedule } from './commands/flow-schedule.ts';
import { addFlowTemplates } from './commands/flow-templates.ts';
import { addTrackers } from './commands/trackers-commands.ts';
import { runFlowTrigger, type FlowTriggerOptions } from './commands/flow-trigger.ts';
import { runFlowWait } from './commands/flow-wait.ts';
import { addHook } from './commands/hook-commands.ts';
import { addLogin } from './commands/login-commands.ts';
import { addKeys } from './commands/keys-commands.ts';
import { addKillSwitch } from './commands/kill-switch-commands.ts';
import { addMcp } from './commands/mcp-commands.ts';
import { addNotices } from './commands/notices-commands.ts';
import { readInteger } from './read-integer.ts';
import { addPageOptions, type PageOptions } from './commands/pages.ts';
import { addPolicy } from './commands/policy-commands.ts';
import { addSecrets } from './commands/secrets-commands.ts';
import { addStats } from './commands/stats-commands.ts';
import {
  runSearchesDelete,
  runSearchesList,
  runSearchesSave,
  type SearchesSaveOptions,
} from './commands/saved-searches.ts';
import { runSearch, type SearchOptions } from './commands/search.ts';
import {
  runSessionsExport,
  runSessionsList,
  runSessionsShow,
  type SessionsExportOptions,
  type SessionsListOptions,
} from './commands/sessions.ts';
import { runSessionsImport, type SessionsImportOptions } from './commands/sessions-import.ts';
import { runSessionsOpen, type SessionsOpenOptions } from './commands/sessions-open.ts';
import { addSessionsTitles } from './commands/sessions-titles.ts';
import { runSessionsDelete, type SessionsDeleteOptions } from './commands/sessions-delete.ts';
import type { WaitOptions } from './commands/wait-for-verdict.ts';
import { addWebhooks } from './commands/webhooks-commands.ts';

const ENVIRONMENT = `
Environment:
  STEWARD_URL             URL of the service; takes precedence over the stored login
  STEWARD_API_KEY         API key; takes precedence over the stored login
  STEWARD_WEBHOOK_URL     webhook URL of a flow, for "flow trigger" without FLOW
  STEWARD_WEBHOOK_SECRET  signing secret, for "webhooks listen --port" and "webhooks verify"
  STEWARD_SIGNATURE       signature of a request, for "webhooks verify"
  STEWARD_NOTICE_URL      URL of a channel, for "notices create"
  STEWARD_TRACKER_TOKEN   token of a tracker, for "trackers create"
  XDG_CONFIG_HOME         folder with steward/config.json, the stored login (default ~/.config)
  BROWSER                 program that opens links, for "sessions open"
  NO_COLOR                disables colors

Exit codes: 0 success; 1 negative result (for example, the flow failed or a signature is invalid);
2 refused (usage, limits, credentials); 3 no response or verdict in time.
"plan", "apply" and "export" have their own exit codes.`;

/** Builds the whole command line. Commander refuses unknown flags and surplus arguments, and writes the help. */
export function buildProgram(context: CliContext, version: string): Command {
  const { output } = context;
  const program = new Command('steward')
    .description('Search agent sessions, trigger flows and wait for their verdicts, and receive signed webhooks.')
    .version(version)
    .exitOverride()
    .configureOutput({
      // A mistyped flag may contain a secret, and commander repeats it.
      writeOut: (text) => output.line(text.replace(/\n$/, '')),
      writeErr: (text) => output.note(text.replace(/\n$/, '').replaceAll(/(--[\w-]+)=[^\s']+/g, '$1=…')),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', ENVIRONMENT);
  addLogin(program, context);
  addSearch(program, context);
  addSearches(program, context);
  addSessions(program, context);
  addSecrets(program, context);
  addPolicy(program, context);
  addApply(program, context);
  addAgents(program, context);
  addApprovals(program, context);
  addBudgets(program, context);
  addAudit(program, context);
  addStats(program, context);
  addKeys(program, context);
  addKillSwitch(program, context);
  addMcp(program, context);
  addTrackers(program, context);
  addHook(program, context);
  addFlow(program, context);
  addWebhooks(program, context);
  addNotices(program, context);
  return program;
}

function addSearch(program: Command, context: CliContext): void {
  const search = program
    .command('search')
    .description(
      'search sessions for words, "quoted phrases" and alternatives (a or b); a - in front of a word excludes it (put -- before a query that begins with -)',
    )
    .argument('[query...]', 'query')
    .option('--saved <name>', 'run a saved search instead (see "steward searches")');
  addFilterOptions(search)
    .option('--limit <count>', 'sessions per page (default: 20)', readInteger(1, 50))
    .option('--snippets <count>', 'snippets per session (default: 3)', readInteger(0, 10))
    .option('--cursor <cursor>', 'cursor of the next page, from the previous response')
    .option('--json', 'print the whole response as JSON')
    .action((words: string[], options: SearchOptions) => runSearch(context, words, options));
}

function addSearches(program: Command, context: CliContext): void {
  const searches = program.command('searches').description('manage saved searches');
  searches
    .command('list')
    .description('list your saved searches and those shared with the account, newest first')
    .option('--json', 'print the searches as one JSON array')
    .action((options: { json?: boolean }) => runSearchesList(context, options));
  const save = searches
    .command('save')
    .description('save a search; an age such as 7d is stored as an absolute time')
    .argument('<name>', 'name; unique among your saved searches')
    .argument('<query...>', 'query');
  addFilterOptions(save)
    .option('--snippets <count>', 'snippets per session (default: 3)', readInteger(0, 10))
    .option('--share', 'share the search with everyone in the account')
    .option('--replace', 'replace your saved search with this name')
    .action((name: string, words: string[], options: SearchesSaveOptions) =>
      runSearchesSave(context, name, words, options),
    );
  searches
    .command('delete')
    .description('delete a saved search')
    .argument('<name>', 'name or id')
    .action((name: string) => runSearchesDelete(context, name));
}

function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--mode <mode>', 'search mode').choices(SEARCH_MODES))
    .option('--since <time>', 'from this time on: 2026-05-01, 2026-05-01T12:00:00Z, 24h, 7d')
    .option('--until <time>', 'before this time')
    .addOption(new Option('--source-kind <kind>', 'kind of content that contains the text').choices(SOURCE_KINDS))
    .option('--model <alias>', 'model of the interaction')
    .option('--provider <name>', 'provider of the interaction')
    .option('--principal <id>', 'principal that ran the session')
    .option('--api-key-id <id>', 'id of the API key with which the content was stored')
    .option('--flow <id>', 'flow of the session')
    .option('--session <id>', 'one session')
    .option('--role <role>', 'role of a transcript message')
    .option('--tool <name>', 'tool of a tool call')
    .option('--status <status>', 'status of an interaction or a tool call, or level of a log line')
    .option('--source-type <type>', 'source type of the session')
    .option('--label <label>', 'label of the session, key:value');
}

function addSessions(program: Command, context: CliContext): void {
  const sessions = program.command('sessions').description('read, import and delete the sessions of agents');
  const list = addSessionFilters(sessions.command('list').description('list sessions, newest first'));
  addPageOptions(list, 'sessions').action((options: SessionsListOptions) => runSessionsList(context, options));
  const show = sessions
    .command('show')
    .description('show a session and its content, oldest first')
    .argument('<session>', 'id of the session');
  addPageOptions(show, 'entries', 'print the session and the page as one JSON document').action(
    (id: string, options: PageOptions) => runSessionsShow(context, id, options),
  );
  sessions
    .command('open')
    .description('print the link of a session and, in a terminal or if BROWSER is set, open it in the browser')
    .argument('<session>', 'id of the session')
    .option('--print', 'only print the link')
    .action((id: string, options: SessionsOpenOptions) => runSessionsOpen(context, id, options));
  sessions
    .command('export')
    .description('export a session as JSON lines')
    .argument('<session>', 'id of the session')
    .option('--output <file>', 'write to this file instead of standard output; a new file is readable only by you')
    .action((id: string, options: SessionsExportOptions) => runSessionsExport(context, id, options));
  sessions
    .command('import')
    .description(
      'import the sessions that Claude Code, Codex, Gemini CLI, OpenCode and Cursor store on this machine, once each, with credentials masked',
    )
    .argument('[paths...]', 'files or folders (default: where these agents store their sessions)')
    .option('--watch', 'keep running and send new entries, until Ctrl-C')
    .option('--dry-run', 'only print what was found and what would be masked; nothing is sent')
    .option('--label <label>', 'label for the sessions, key:value; may be repeated', (label, before: string[] = []) => [
      ...before,
      label,
    ])
    .action((paths: string[], options: SessionsImportOptions) => runSessionsImport(context, paths, options));
  addSessionsTitles(sessions, context);
  const remove = sessions
    .command('delete')
    .description('delete the given sessions, or all that match the filters, permanently, after a confirmation')
    .argument('[sessions...]', 'ids of sessions');
  addSessionFilters(remove)
    .option('--dry-run', 'only print how many sessions would be deleted')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'with filters: print the result as JSON')
    .action((ids: string[], options: SessionsDeleteOptions) => runSessionsDelete(context, ids, options));
}

function addSessionFilters(command: Command): Command {
  return command
    .addOption(new Option('--active', 'only open sessions').conflicts('ended'))
    .option('--ended', 'only ended sessions')
    .option('--label <label>', 'only sessions with this label, key:value')
    .option('--principal <id>', 'only sessions of this agent')
    .option('--flow <id>', 'only sessions of this flow')
    .option('--since <time>', 'started from this time on: 2026-05-01, 2026-05-01T12:00:00Z, 24h, 7d')
    .option('--until <time>', 'started before this time');
}

function addFlow(program: Command, context: CliContext): void {
  const flow = program.command('flow').description('create flows, start them and wait for them');
  const trigger = flow
    .command('trigger')
    .description('start a flow; retries after network errors do not start it again')
    .argument(
      '[flow]',
      'name or id of the flow, or its webhook URL (better in STEWARD_WEBHOOK_URL, because arguments are visible to other users)',
    )
    .option('--file <path>', 'JSON payload; "-" reads standard input (default: an empty object)')
    .option('--attach <path...>', 'file or folder for the agent’s workspace; PATH=DESTINATION sets its path there')
    .option(
      '--idempotency-key <key>',
      'idempotency key, with which the flow is started only once within 24 hours (default: a new key)',
    )
    .option(
      '--retries <count>',
      'retries after network errors and the statuses 408, 425, 429, 500, 502, 503 and 504',
      readInteger(0, 100),
      5,
    )
    .option('--wait', 'stream the log and exit with the verdict')
    .addHelpText(
      'after',
      `
Limits, checked before anything is sent: 50 files, 98304 base64 bytes per file (72 KiB),
1048576 base64 bytes in total, 4194304 bytes for the whole payload.

Examples:
  steward flow trigger review --file payload.json --attach change.diff --attach reports/ --wait
  STEWARD_WEBHOOK_URL=... steward flow trigger --file - < payload.json`,
    )
    .action((name: string | undefined, options: FlowTriggerOptions) => runFlowTrigger(context, name, options));
  addWaitOptions(trigger);
  const wait = flow
    .command('wait')
    .description('wait for an execution, streaming its log')
    .argument('<execution>', 'id of the execution')
    .action((id: string, options: WaitOptions) => runFlowWait(context, id, options));
  addFlowArrivals(flow, context);
  addFlowCreate(flow, context);
  addFlowSchedule(flow, context);
  addFlowTemplates(flow, context);
  addWaitOptions(wait);
}

function addWaitOptions(command: Command): void {
  command
    .option('--timeout <seconds>', 'seconds to wait, after which the exit code is 3', readInteger(1, 1_000_000), 3600)
    .option('--no-logs', 'do not stream the log')
    .option('--stop-on-interrupt', 'stop the execution on Ctrl-C or SIGTERM')
    .option('--json', 'print one JSON document: the execution if the command waits for it, otherwise the response');
}
