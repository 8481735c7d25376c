import type { ImportedEntry, SessionItem, TokenCounts } from '../session-item.ts';
import type { SessionNotes } from '../session-notes.ts';
import { hasTokens } from './read-tokens.ts';

/**
 * Maximum number of responses in progress at the same time; there may be several, because subagents write to the file
 * of their caller.
 */
const MOST_OPEN = 8;
const MOST_CARRIERS = 1000;

/**
 * Assigns the token counts of a response to one of its entries, even if the response has several lines with other lines
 * between them. The entry waits until no more lines of its response are expected, and gets the counts of the last
 * line. An entry without a time is ordered by its neighbors, so it waits only until another entry arrives.
 */
export interface ResponseTokens {
  /** Registers a line of a response; returns the entries that no longer need to wait. */
  note(response: ResponseLine): readonly SessionItem[];
  /** Ends a response: no more of its lines are expected. Returns the entries that no longer need to wait. */
  close(responseId: string): readonly SessionItem[];
  /** Yields the entries of a line, except for entries that wait. */
  pass(items: Iterable<SessionItem>): Generator<SessionItem, void, undefined>;
  end(): readonly SessionItem[];
}

export interface ResponseLine {
  readonly id: string;
  readonly notes: SessionNotes;
  readonly tokens: TokenCounts;
  readonly model?: string | undefined;
  readonly occurredAt?: Date | undefined;
  /** Id of the entry of this line to which the token counts may be added. */
  readonly carrierId?: string | undefined;
}

interface Response {
  line: ResponseLine;
  lines: number;
  carrierId: string | undefined;
  held: SessionItem | undefined;
  isClosed: boolean;
}

export function createResponseTokens(): ResponseTokens {
  const open = new Map<string, Response>();
  /** Responses by the id of the entry that gets their counts. */
  const carried = new Map<string, Response>();
  /** Ids of the responses whose counts were assigned: a late line of such a response is not counted again. */
  const closed = new Set<string>();

  function release(id: string, isLast = false): SessionItem[] {
    const response = open.get(id);
    if (response === undefined) return [];
    open.delete(id);
    response.isClosed = true;
    remember(closed, id);
    if (response.held !== undefined) return [measure(response.held, response)];
    // The response has no text or calls: its counts form a separate entry, unless it may still continue.
    if (response.carrierId !== undefined || isLast || !hasTokens(response.line.tokens)) return [];
    return [toBareItem(id, response)];
  }

  function claim(response: Response, carrierId: string | undefined): void {
    if (response.carrierId !== undefined || carrierId === undefined) return;
    response.carrierId = carrierId;
    carried.set(carrierId, response);
    const [oldest] = carried.keys();
    if (carried.size > MOST_CARRIERS && oldest !== undefined) carried.delete(oldest);
  }

  function releaseTimeless(except: Response | undefined): SessionItem[] {
    const waiting = [...open].filter(([, response]) => response !== except && isTimeless(response.held));
    return waiting.flatMap(([id]) => release(id));
  }

  return {
    note(line) {
      if (closed.has(line.id)) return [];
      const response = open.get(line.id);
      if (response === undefined) {
        const made = { line, lines: 1, carrierId: undefined, held: undefined, isClosed: false };
        claim(made, line.carrierId);
        open.set(line.id, made);
      } else {
        response.line = { ...line, tokens: { ...response.line.tokens, ...line.tokens } };
        response.lines += 1;
        claim(response, line.carrierId);
      }
      const [oldest] = open.keys();
      return open.size > MOST_OPEN && oldest !== undefined ? release(oldest) : [];
    },
    close: (responseId) => release(responseId),
    *pass(items) {
      for (const item of items) {
        const response = carried.get(item.entry.externalId);
        yield* releaseTimeless(response);
        if (response === undefined) yield item;
        else if (response.isClosed) yield measure(item, response);
        else response.held = item;
      }
    },
    end: () => [...open.keys()].flatMap((id, index, ids) => release(id, index === ids.length - 1)),
  };
}

function isTimeless(item: SessionItem | undefined): boolean {
  return item !== undefined && item.entry.occurredAt === undefined;
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_CARRIERS && oldest !== undefined) ids.delete(oldest);
}

function measure({ session, entry }: SessionItem, { line, lines }: Response): SessionItem {
  const revision = (entry.revision ?? 0) + lines - 1;
  return { session, entry: { ...entry, ...line.tokens, ...(revision === 0 ? {} : { revision }) } as ImportedEntry };
}

function toBareItem(id: string, { line }: Response): SessionItem {
  const { notes, model, occurredAt, tokens } = line;
  const entry = {
    kind: 'message',
    role: 'assistant',
    content: '',
    externalId: `response:${id}`,
    model,
    occurredAt,
  } as const;
  return { session: notes.head(), entry: { ...entry, ...tokens } };
}
