import type { ChatCall } from '../rules/chat-message.ts';
import { boundedId, hashContent } from '../rules/entry-id.ts';
import { firstText, type Fields } from '../rules/json-access.ts';
import type { SessionItem } from '../session-item.ts';

/** A fork is written at once: what is later than this behind its beginning is its own. */
const MOST_REPLAY_MS = 2000;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;
const MOST_NAMED = 20_000;

/**
 * Whose each line of a rollout is. A fork has its own description, that of the thread it was forked from, maybe that of the one before,
 * and the history of these with new times; then its own turns. Ids of threads and turns tell when they were made.
 */
export interface Lineage {
  /** Another session begins. */
  begin(meta: Fields, id: string): void;
  /** True for a description of one of those that the session comes from. */
  isForebear(id: string): boolean;
  addForebear(meta: Fields, id: string): void;
  /** The session's own description stands here again: what follows is its own. */
  resume(): void;
  /** A line, before it is read. */
  note(payload: Fields, occurredAt: Date | undefined): void;
  /** The name of an entry that is the same in every file that has it. */
  nameOrigin(entryId: string, value: unknown): void;
  nameCalls(calls: readonly ChatCall[], value: unknown): void;
  /** Entries with their names. */
  tellOrigins(items: Iterable<SessionItem>): Generator<SessionItem, void, undefined>;
}

interface Thread {
  readonly id: string;
  readonly startedAt: number;
}

export function createLineage(): Lineage {
  /** The session, then what it was forked from, the nearest first. */
  let threads: Thread[] = [];
  let owner = '';
  const forkedFrom = new Set<string>();
  const counts = new Map<string, number>();
  const origins = new Map<string, string>();

  function add(meta: Fields, id: string): void {
    const from = firstText(meta['forked_from_id']);
    if (from !== undefined) forkedFrom.add(from);
    threads.push({ id, startedAt: readTime(id) ?? Date.parse(String(meta['timestamp'])) });
    owner = id;
  }

  function nameOrigin(entryId: string, value: unknown): void {
    const name = `${owner}:${hashContent(value)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    origins.set(entryId, `${name}#${count}`);
    const [oldest] = origins.keys();
    if (origins.size > MOST_NAMED && oldest !== undefined) origins.delete(oldest);
  }

  return {
    begin(meta, id) {
      threads = [];
      forkedFrom.clear();
      add(meta, id);
    },
    isForebear: (id) => forkedFrom.has(id) || threads.slice(1).some((thread) => thread.id === id),
    addForebear(meta, id) {
      if (threads.some((thread) => thread.id === id)) owner = owner === threads[0]?.id ? owner : id;
      else add(meta, id);
    },
    resume: () => {
      owner = threads[0]?.id ?? owner;
    },
    note(payload, occurredAt) {
      const [own] = threads;
      if (own === undefined || owner === own.id) return;
      const turnAt = readTime(firstText(payload['turn_id']) ?? '');
      if (turnAt !== undefined) owner = threads.find(({ startedAt }) => startedAt <= turnAt)?.id ?? owner;
      else if ((occurredAt?.getTime() ?? 0) > own.startedAt + MOST_REPLAY_MS) owner = own.id;
    },
    nameOrigin,
    nameCalls(calls, value) {
      for (const { callId } of calls) if (callId !== undefined) nameOrigin(boundedId(callId), value);
    },
    *tellOrigins(items) {
      for (const { session, entry } of items) {
        const origin = origins.get(entry.externalId);
        yield { session, entry: origin === undefined ? entry : { ...entry, origin: `codex:${origin}` } };
      }
    },
  };
}

/** When a UUID of version 7 was made, in milliseconds. */
function readTime(id: string): number | undefined {
  const match = UUID_7.exec(id);
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}
