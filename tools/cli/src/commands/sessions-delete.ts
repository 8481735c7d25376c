import { setTimeout as sleep } from 'node:timers/promises';
import { countNoun } from '@steward/text';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { formatJson } from '../output.ts';
import { ask } from '../read-input.ts';
import { omitUndefined } from './search-filters.ts';
import { readSessionFilters, SESSIONS_PATH, type SessionFilterOptions } from './sessions.ts';

export interface SessionsDeleteOptions extends SessionFilterOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Deletion {
  readonly id: string;
  readonly status: 'running' | 'finished';
  readonly matched: number;
  readonly deleted: number;
  readonly kept: { readonly legal_hold: number; readonly execution_active: number };
}

const POLL_MS = 500;

/**
 * Runs `steward sessions delete`: permanently deletes the named sessions, or all that match the filters. Asks for
 * confirmation unless this is disabled; for filters it counts the sessions first.
 * @throws refused without ids or filters, with both, or without a terminal
 */
export async function runSessionsDelete(
  context: CliContext,
  ids: readonly string[],
  options: SessionsDeleteOptions,
): Promise<void> {
  const filters = omitUndefined(readSessionFilters(options, new Date()));
  const isFiltered = Object.keys(filters).length > 0;
  if (isFiltered === ids.length > 0) throw refuse('Give either session ids or filters such as --label.');
  const client = createApiClient(context);
  await (isFiltered ? deleteFitting(context, client, filters, options) : deleteNamed(context, client, ids, options));
}

async function deleteNamed(
  context: CliContext,
  client: ApiClient,
  ids: readonly string[],
  options: SessionsDeleteOptions,
): Promise<void> {
  const { output } = context;
  if (options.dryRun === true) {
    for (const id of ids) await client.call('GET', `${SESSIONS_PATH}/${encodeURIComponent(id)}`);
    output.line(`${countNoun(ids.length, 'session')} would be deleted`);
    return;
  }
  await confirm(context, ids.length, options);
  let deleted = 0;
  for (const id of ids) {
    try {
      await client.call('DELETE', `${SESSIONS_PATH}/${encodeURIComponent(id)}`);
      deleted += 1;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.refused) throw error;
      output.note(`${id}: ${error.message}`);
      context.setExitCode(EXIT.refused);
    }
  }
  output.line(`${countNoun(deleted, 'session')} deleted`);
}

async function deleteFitting(
  context: CliContext,
  client: ApiClient,
  filters: object,
  options: SessionsDeleteOptions,
): Promise<void> {
  const { output } = context;
  const counted = await carryOut(context, client, { filters, dry_run: true });
  const going = counted.matched - counted.kept.legal_hold - counted.kept.execution_active;
  if (options.dryRun === true || going === 0) {
    output.line(
      options.json === true
        ? formatJson(counted, 2)
        : describe(`${countNoun(going, 'session')} would be deleted`, counted),
    );
    return;
  }
  await confirm(context, going, options);
  const done = await carryOut(context, client, { filters });
  output.line(
    options.json === true ? formatJson(done, 2) : describe(`${countNoun(done.deleted, 'session')} deleted`, done),
  );
}

/** Follows a deletion to its end; if interrupted, the deletion continues. */
async function carryOut(context: CliContext, client: ApiClient, body: object): Promise<Deletion> {
  let deletion = (await client.call('POST', `${SESSIONS_PATH}/deletions`, { body })).body as unknown as Deletion;
  while (deletion.status === 'running') {
    await sleep(POLL_MS, undefined, { signal: context.signal });
    const { deleted } = deletion;
    deletion = (await client.call('GET', `${SESSIONS_PATH}/deletions/${deletion.id}`)).body as unknown as Deletion;
    if (deletion.deleted > deleted) context.output.note(`${countNoun(deletion.deleted, 'session')} deleted so far`);
  }
  return deletion;
}

async function confirm(context: CliContext, count: number, { yes }: SessionsDeleteOptions): Promise<void> {
  if (yes === true) return;
  if (context.stdin.isTTY !== true)
    throw refuse('Nothing was deleted: there is no terminal for the confirmation. Use --yes.');
  const answer = await ask(context, `Permanently delete ${countNoun(count, 'session')}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer)) throw refuse('Nothing was deleted.');
}

function describe(what: string, { kept }: Deletion): string {
  const reasons = [
    ...(kept.legal_hold > 0 ? [`${kept.legal_hold} under legal hold`] : []),
    ...(kept.execution_active > 0 ? [`${kept.execution_active} of active executions`] : []),
  ];
  return reasons.length === 0 ? what : `${what}; kept: ${reasons.join(', ')}`;
}
