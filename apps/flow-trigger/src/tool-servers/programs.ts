import { randomUUID } from 'node:crypto';
import type { HostedServer } from '@steward/contracts';
import type { Runner } from '../runner/runner.ts';
import { beginConversation, type Conversation } from './conversation.ts';
import { createProgramLogs } from './program-logs.ts';

export interface ProgramsOptions {
  /** Maximum number of programs at once, of all servers. */
  readonly mostPrograms: number;
  readonly idleSeconds: number;
  readonly runner: Runner;
  readonly workDirectory: string;
}

/** Conversations, each with its own program. */
export interface Programs {
  find(id: string, hosted: HostedServer): Conversation | undefined;
  /** Starts a program and a conversation with it; returns the reason if the program is not started. */
  begin(
    hosted: HostedServer,
  ): { readonly id: string; readonly conversation: Conversation } | { readonly refusal: string };
  readLog(hosted: HostedServer): readonly string[];
  /** Ends the conversation and its program. */
  end(id: string, hosted: HostedServer): void;
  /** Ends every program of a server, of any saved version. Returns their number. */
  endServer(hosted: HostedServer): number;
  endIdle(): void;
  /** Ends all conversations and their programs; resolves when the programs have ended. */
  endAll(): Promise<void>;
}

const MOST_OF_A_SERVER = 8;
/**
 * Idle time after which a conversation may be ended to make room for another one. It is longer than the pause between
 * the two requests that start a conversation.
 */
const SURELY_IDLE_MS = 1_000;
/**
 * A program that ends within `QUICK_MS` has ended too soon; after `MOST_QUICK` such ends in a row, it is not restarted
 * for `REST_MS`.
 */
const [QUICK_MS, MOST_QUICK, REST_MS] = [5_000, 3, 30_000];

export function createPrograms(options: ProgramsOptions): Programs {
  const conversations = new Map<string, Conversation>();
  /** Programs that were requested to end and have not ended yet. */
  const ending = new Set<Promise<unknown>>();
  const logs = createProgramLogs(() => new Date());
  const quick = new Map<string, { readonly ends: number; readonly until: number }>();

  /** Ends a conversation. Its session is removed first, so that the next message starts another session. */
  function end(id: string, conversation: Conversation): void {
    if (!conversations.delete(id)) return;
    const { ended } = conversation.program;
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
    conversation.end();
  }

  function endIdle(isOne: (conversation: Conversation) => boolean, most: number): boolean {
    const all = [...conversations];
    if (all.filter(([, each]) => isOne(each)).length < most) return true;
    const idle = findIdle(all, isOne);
    if (idle !== undefined) end(...idle);
    return idle !== undefined;
  }

  function findRefusal(hosted: HostedServer): string | undefined {
    const rest = quick.get(hosted.key);
    if (rest !== undefined && rest.ends >= MOST_QUICK && rest.until >= Date.now())
      return 'The program exits immediately after it is started.';
    const name = nameServer(hosted);
    const isBelowMost =
      endIdle(({ server }) => nameServer(server) === name, MOST_OF_A_SERVER) &&
      endIdle(() => true, options.mostPrograms);
    return isBelowMost ? undefined : 'The maximum number of programs is already running.';
  }

  function noteEnd({ server: { key }, isEnding }: Conversation, begunAt: number): void {
    const isQuick = !isEnding && Date.now() - begunAt <= QUICK_MS;
    if (isQuick) quick.set(key, { ends: (quick.get(key)?.ends ?? 0) + 1, until: Date.now() + REST_MS });
    else quick.delete(key);
  }

  const find = (id: string, { key }: HostedServer): Conversation | undefined =>
    conversations.get(id)?.server.key === key ? conversations.get(id) : undefined;

  return {
    find,
    end(id, hosted) {
      const found = find(id, hosted);
      if (found !== undefined) end(id, found);
    },
    begin(hosted) {
      const refusal = findRefusal(hosted);
      if (refusal !== undefined) return { refusal };
      const [id, begunAt] = [randomUUID(), Date.now()];
      const onLog = (line: string): void => logs.add(nameServer(hosted), line, Object.values(hosted.env));
      const conversation = beginConversation({ ...options, clock: Date.now, onLog }, hosted);
      conversations.set(id, conversation);
      void conversation.program.ended.then(() => {
        conversations.delete(id);
        noteEnd(conversation, begunAt);
      });
      return { id, conversation };
    },
    readLog: (hosted) => logs.read(nameServer(hosted)),
    endServer(hosted) {
      const own = listOf(conversations, hosted);
      for (const [id, conversation] of own) end(id, conversation);
      return own.length;
    },
    endIdle() {
      const before = Date.now() - options.idleSeconds * 1000;
      for (const [id, each] of conversations) if ((each.idleSince ?? Infinity) < before) end(id, each);
    },
    async endAll() {
      for (const [id, conversation] of conversations) end(id, conversation);
      await Promise.all(ending);
    },
  };
}

function listOf(conversations: ReadonlyMap<string, Conversation>, hosted: HostedServer): readonly Known[] {
  return [...conversations].filter(([, { server }]) => nameServer(server) === nameServer(hosted));
}

/**
 * Identifies a server independently of its saved version: each version is a separate program, but all of them share one
 * log.
 */
const nameServer = ({ key }: HostedServer): string => key.split(' ')[0] ?? key;

const nameAccount = ({ key }: HostedServer): string => key.split('/')[0] ?? key;

type Known = readonly [id: string, conversation: Conversation];

/**
 * Returns an idle session to end when the limit is reached: the longest idle one of the account with the most sessions.
 */
function findIdle(all: readonly Known[], isOne: (conversation: Conversation) => boolean): Known | undefined {
  const before = Date.now() - SURELY_IDLE_MS;
  const counts = new Map<string, number>();
  for (const [, { server }] of all) counts.set(nameAccount(server), (counts.get(nameAccount(server)) ?? 0) + 1);
  const countOf = ([, { server }]: Known): number => counts.get(nameAccount(server)) ?? 0;
  return all
    .filter(([, each]) => isOne(each) && each.idleSince !== undefined && each.idleSince <= before)
    .sort((a, b) => countOf(b) - countOf(a) || Number(a[1].idleSince) - Number(b[1].idleSince))[0];
}
