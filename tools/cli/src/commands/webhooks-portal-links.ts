import type { Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { readList } from '../read-list.ts';
import { addPageOptions, noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

const PATH = '/api/v1/event-webhooks/portal-links';

interface PortalLink {
  readonly id: string;
  readonly group: string;
  readonly event_types: readonly string[];
  readonly frame_origins: readonly string[];
  readonly expires_at: string;
}

interface CreateOptions {
  readonly group: string;
  readonly events: readonly string[];
  readonly frameOrigin?: readonly string[];
  readonly json?: boolean;
}

/** Adds `steward webhooks portal-links …`. */
export function addPortalLinks(webhooks: Command, context: CliContext): void {
  const links = webhooks
    .command('portal-links')
    .description('manage links with which a customer manages the endpoints of one group for an hour');
  links
    .command('create')
    .description('create a link and print its URL, which is shown only once')
    .requiredOption('--group <name>', 'group of endpoints that the customer sees and manages')
    .requiredOption(
      '--events <types>',
      'event types to which these endpoints may subscribe, separated by commas',
      readList,
    )
    .option(
      '--frame-origin <origins...>',
      'origins of pages that may embed the portal, such as https://app.example.com',
    )
    .option('--json', 'print the whole response as JSON')
    .addHelpText(
      'after',
      `
A link expires one hour after it is created. Anyone who has the URL can manage the endpoints of the group until then.

Example:
  steward webhooks portal-links create --group customer-4711 --events session.ended`,
    )
    .action((options: CreateOptions) => runCreate(context, options));
  const list = links.command('list').description('list links that have not ended, newest first');
  addPageOptions(list, 'links').action((options: PageOptions) => runList(context, options));
  links
    .command('end')
    .description('end a link at once; the endpoints remain')
    .argument('<link>', 'id of the link (see "steward webhooks portal-links list")')
    .action((id: string) => runEnd(context, id));
}

async function runCreate(context: CliContext, options: CreateOptions): Promise<void> {
  const { output } = context;
  const body = { group: options.group, event_types: options.events, frame_origins: options.frameOrigin ?? [] };
  const created = (await createApiClient(context).call('POST', PATH, { body })).body;
  const { url } = created;
  if (typeof url !== 'string') throw refuse('The response of the service contains no URL.');
  const { id, expires_at: end } = created as unknown as PortalLink;
  output.note(cleanText(`link ${id} expires at ${formatMinute(end)} UTC; this URL is shown only once`));
  output.credential(options.json === true ? formatJson(created) : url);
}

async function runList(context: CliContext, options: PageOptions): Promise<void> {
  const { output } = context;
  const query = new URLSearchParams(toPageQuery(options));
  const { body } = await createApiClient(context).call('GET', `${PATH}?${query.toString()}`);
  if (options.json === true) return output.line(formatJson(body, 2));
  const page = body as unknown as Page<PortalLink>;
  for (const { id, group, event_types: types, frame_origins: origins, expires_at: end } of page.items) {
    const embedded = origins.length === 0 ? 'not embedded' : `embedded in ${origins.join(', ')}`;
    output.line(cleanText([id, group, `ends ${formatMinute(end)} UTC`, types.join(', '), embedded].join('  ')));
  }
  if (page.items.length === 0) output.note('no links');
  noteNextPage(context, page);
}

async function runEnd(context: CliContext, id: string): Promise<void> {
  await createApiClient(context).call('DELETE', `${PATH}/${encodeURIComponent(id)}`);
  context.output.note('ended');
}
