import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';

/** Options of a command that prints one page of a list. */
export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** A page of a list, as returned by the service. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Adds the paging options to a command. */
export function addPageOptions(command: Command, what: string, json = 'print the whole response as JSON'): Command {
  return command
    .option('--limit <count>', `${what} per page (default: 50)`, readInteger(1, 200))
    .option('--cursor <cursor>', 'cursor of the next page, from the previous response')
    .option('--json', json);
}

/** Returns the query parameters of this page. */
export function toPageQuery({ limit, cursor }: PageOptions): Record<string, string> {
  return { ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === undefined ? {} : { cursor }) };
}

/** Prints how to get the next page, if there is one. */
export function noteNextPage({ output }: CliContext, { next_cursor: cursor }: Page<unknown>): void {
  if (typeof cursor === 'string') output.note(`next page: --cursor ${cursor}`);
}
