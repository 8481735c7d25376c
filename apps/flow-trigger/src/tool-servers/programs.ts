import { randomUUID } from 'node:crypto';
import type { HostedServer } from '@steward/contracts';
import type { Runner } from '../runner/runner.ts';
import { beginConversation, type Conversation } from './conversation.ts';
import { createProgramLogs } from './program-logs.ts';

export interface ProgramsOptions {
  /** At once, of all servers. */
  readonly mostPrograms: number;
  readonly idleSeconds: number;
  readonly runner: Runner;
  readonly workDirectory: string;
}

/** Conversations with programs, each with one of its own. */
export interface Programs {
  find(id: string, hosted: HostedServer): Conversation | undefined;
  /** Or why none is begun. */
  begin(
    hosted: HostedServer,
  ): { readonly id: string; readonly conversation: Conversation } | { readonly refusal: string };
  readLog(hosted: HostedServer): readonly string[];
  endIdle(): void;
  /** Once all of them are gone. */
  end(): Promise<void>;
}

const MOST_OF_A_SERVER = 8;
/** A program that ends so soon again and again is left alone for a while. */
const [QUICK_MS, MOST_QUICK, REST_MS] = [5_000, 3, 30_000];

export function createPrograms(options: ProgramsOptions): Programs {
  const conversations = new Map<string, Conversation>();
  const logs = createProgramLogs(() => new Date());
  const quick = new Map<string, { readonly ends: number; readonly until: number }>();

  function findRefusal({ key }: HostedServer): string | undefined {
    const ofServer = [...conversations.values()].filter(({ server }) => server.key === key).length;
    if (conversations.size >= options.mostPrograms || ofServer >= MOST_OF_A_SERVER)
      return 'There are as many programs as there may be.';
    const rest = quick.get(key);
    if (rest === undefined || rest.ends < MOST_QUICK || rest.until < Date.now()) return undefined;
    return 'The program ends as soon as it is started.';
  }

  function noteEnd({ server: { key }, isEnding }: Conversation, begunAt: number): void {
    const isQuick = !isEnding && Date.now() - begunAt <= QUICK_MS;
    if (isQuick) quick.set(key, { ends: (quick.get(key)?.ends ?? 0) + 1, until: Date.now() + REST_MS });
    else quick.delete(key);
  }

  return {
    find(id, { key }) {
      const found = conversations.get(id);
      return found?.server.key === key ? found : undefined;
    },
    begin(hosted) {
      const refusal = findRefusal(hosted);
      if (refusal !== undefined) return { refusal };
      const [id, begunAt] = [randomUUID(), Date.now()];
      const onLog = (line: string): void => logs.add(nameServer(hosted), line);
      const conversation = beginConversation({ ...options, clock: Date.now, onLog }, hosted);
      conversations.set(id, conversation);
      void conversation.program.ended.then(() => {
        conversations.delete(id);
        noteEnd(conversation, begunAt);
      });
      return { id, conversation };
    },
    readLog: (hosted) => logs.read(nameServer(hosted)),
    endIdle() {
      const before = Date.now() - options.idleSeconds * 1000;
      for (const conversation of conversations.values())
        if (conversation.idleSince !== undefined && conversation.idleSince < before) conversation.end();
    },
    async end() {
      const open = [...conversations.values()];
      for (const conversation of open) conversation.end();
      await Promise.all(open.map(({ program }) => program.ended));
    },
  };
}

/** The save of a server is another program, and the same log. */
const nameServer = ({ key }: HostedServer): string => key.split(' ')[0] ?? key;
