import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';

/** What a command that prints one page of a list is told. */
export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** As the service answers it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Lets a command be told which page of what it prints. */
export function addPageOptions(command: Command, what: string, json = 'print the whole answer as JSON'): Command {
  return command
    .option('--limit <count>', `${what} per page (default: 50)`, readInteger(1, 200))
    .option('--cursor <cursor>', 'cursor of the next page, from the previous answer')
    .option('--json', json);
}

/** The parameters that ask the service for this page. */
export function toPageQuery({ limit, cursor }: PageOptions): Record<string, string> {
  return { ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === undefined ? {} : { cursor }) };
}

/** Says how the next page is asked for, where there is one. */
export function noteNextPage({ output }: CliContext, { next_cursor: cursor }: Page<unknown>): void {
  if (typeof cursor === 'string') output.note(`next page: --cursor ${cursor}`);
}
