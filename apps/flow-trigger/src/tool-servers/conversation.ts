import type { ServerResponse } from 'node:http';
import type { HostedServer } from '@steward/contracts';
import { startProgram, type HostedProgram, type ProgramDeps } from './hosted-program.ts';

type Message = Readonly<Record<string, unknown>>;

const NOT_READ = 'The program does not read its input: 8 MiB of input are already pending. The request was not sent.';

/**
 * One conversation of the gateway with a separate program, according to the 2025 revision of the Model Context
 * Protocol: a request is answered on a stream.
 */
export interface Conversation {
  readonly server: HostedServer;
  /** Time since which no request has been pending; undefined while a request is pending. */
  readonly idleSince: number | undefined;
  /** Sends a request, and streams the response to it; other messages of the program may precede the response. */
  ask(message: Message, text: string, response: ServerResponse): void;
  /** Sends a message that needs no response. Returns false if it was not sent. */
  tell(text: string): boolean;
  end(): void;
  /** Whether the conversation is being ended; if so, the exit of its program does not count as a failure. */
  readonly isEnding: boolean;
  readonly program: HostedProgram;
}

export function beginConversation(
  deps: Omit<ProgramDeps, 'onMessage'> & { readonly clock: () => number },
  server: HostedServer,
): Conversation {
  const open = new Map<string, ServerResponse>();
  let isEnding = false;
  let idleSince: number | undefined = deps.clock();
  const program = startProgram({ ...deps, onMessage: give }, server);
  void program.ended.then(() => {
    for (const response of open.values()) response.end();
    open.clear();
  });

  function give(line: string): void {
    const message = readMessage(line);
    if (message === undefined) return deps.onLog(line);
    const { id, method } = message;
    const key = method === undefined && id !== undefined && id !== null ? JSON.stringify(id) : undefined;
    // A message that is not a response is sent on the stream of the latest pending request: the protocol does not
    // define to which request such a message belongs.
    const response = key === undefined ? [...open.values()].at(-1) : open.get(key);
    response?.write(`event: message\ndata: ${line}\n\n`);
    if (key === undefined || response === undefined) return;
    open.delete(key);
    response.end();
    if (open.size === 0) idleSince = deps.clock();
  }

  return {
    server,
    program,
    get idleSince() {
      return idleSince;
    },
    ask({ id }, text, response) {
      const key = JSON.stringify(id);
      idleSince = undefined;
      open.set(key, response);
      response.once('close', () => {
        if (open.get(key) === response) open.delete(key);
        if (open.size === 0) idleSince ??= deps.clock();
      });
      if (!program.send(text))
        give(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: NOT_READ } }));
    },
    tell: (text) => program.send(text),
    get isEnding() {
      return isEnding;
    },
    end() {
      isEnding = true;
      program.end();
    },
  };
}

export function readMessage(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}
