import { createApiClient } from '../api/api-client.ts';
import { listAll } from '../api/list-all.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson } from '../output.ts';

const PATH = '/api/v1/users/me/push-subscriptions';

interface Browser {
  readonly id: string;
  readonly description: string;
  readonly notices: readonly string[];
  readonly push_service: string | null;
  readonly last_error: string | null;
}

/** Runs `steward notices browsers list`. */
export async function runBrowsersList(
  context: CliContext,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const browsers = await listAll<Browser>(createApiClient(context), PATH);
  if (json) return output.line(formatJson(browsers, 2));
  for (const browser of browsers) output.line(describe(browser));
  if (browsers.length === 0)
    output.note(
      'no browsers are subscribed; to get push notices in a browser, enable them in the console, under Account',
    );
}

/** Runs `steward notices browsers change`. */
export async function runBrowsersChange(context: CliContext, id: string, notices: readonly string[]): Promise<void> {
  const body = { notices };
  const answer = await createApiClient(context).call('PATCH', `${PATH}/${encodeURIComponent(id)}`, { body });
  context.output.line(describe(answer.body as unknown as Browser));
}

/** Runs `steward notices browsers delete`. */
export async function runBrowsersRemove(context: CliContext, id: string): Promise<void> {
  await createApiClient(context).call('DELETE', `${PATH}/${encodeURIComponent(id)}`);
  context.output.note('deleted');
}

function describe({ id, description, notices, push_service: service, last_error: error }: Browser): string {
  const name = description === '' ? 'a browser' : description;
  return cleanText([id, name, service ?? '', notices.join(', '), error ?? ''].filter((part) => part !== '').join('  '));
}
