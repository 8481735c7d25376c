import type { ChatCall } from '../rules/chat-message.ts';
import { boundedId, hashContent } from '../rules/entry-id.ts';
import { firstText, type Fields } from '../rules/json-access.ts';
import type { SessionItem } from '../session-item.ts';

/**
 * Maximum time in milliseconds after the start of a fork at which its inherited lines are written; later lines are its
 * own.
 */
const MOST_REPLAY_MS = 2000;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;
const MOST_NAMED = 20_000;

/**
 * Determines the session of each line of a rollout. A fork contains its own description, the description of the thread
 * from which it was forked, possibly the description of that thread's origin, and the history of these threads with new
 * times. The turns of the fork itself follow. Ids of threads and turns contain their creation time.
 */
export interface Lineage {
  /** Starts another session. */
  begin(meta: Fields, id: string): void;
  /** Returns true for a description of an ancestor of the session. */
  isForebear(id: string): boolean;
  addForebear(meta: Fields, id: string): void;
  /** Continues with the session when its description is repeated: the next lines belong to it, not to an ancestor. */
  resume(): void;
  /** Registers a line before it is read. */
  note(payload: Fields, occurredAt: Date | undefined): void;
  /** Gives an entry a name that is the same in every file that contains the entry. */
  nameOrigin(entryId: string, value: unknown): void;
  nameCalls(calls: readonly ChatCall[], value: unknown): void;
  /** Yields entries with their names. */
  tellOrigins(items: Iterable<SessionItem>): Generator<SessionItem, void, undefined>;
}

interface Thread {
  readonly id: string;
  readonly startedAt: number;
}

export function createLineage(): Lineage {
  /** The session, followed by its ancestors, the nearest first. */
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

/** Returns the creation time of a version 7 UUID, in milliseconds. */
function readTime(id: string): number | undefined {
  const match = UUID_7.exec(id);
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}
