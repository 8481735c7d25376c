import type { Readable, Writable } from 'node:stream';
import type { HostedServer } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { readAllowedDestination } from '@steward/flows';
import type { Runner, RunnerExit } from '../runner/runner.ts';
import { prepareWorkspace, removeWorkspace } from '../workspace/prepare-workspace.ts';

/** Maximum size of one message (one line) that a program writes. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/**
 * Maximum total size of the messages that are pending because the program does not read them; further messages are not
 * sent.
 */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Maximum runtime of a program; shorter than the age at which its folders would be removed as left over. */
const LONGEST_SECONDS = 24 * 3600;

/** A program that implements the Model Context Protocol over its standard streams, in a separate sandbox. */
export interface HostedProgram {
  /**
   * Sends one message, which must not contain line breaks. Returns false if the message was not sent because the
   * program reads too slowly.
   */
  send(message: string): boolean;
  /** Ends the program together with all processes that it started. */
  end(): void;
  /** Resolves when the program has ended. */
  readonly ended: Promise<RunnerExit>;
}

export interface ProgramDeps {
  readonly runner: Runner;
  readonly workDirectory: string;
  readonly onMessage: (line: string) => void;
  /** Receives the program's other output, notes about its network connections, and the outcome of the program. */
  readonly onLog: (line: string) => void;
}

export function startProgram(deps: ProgramDeps, server: HostedServer): HostedProgram {
  const ending = new AbortController();
  const lifetime = AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_SECONDS * 1000)]);
  const waiting: string[] = [];
  let waitingBytes = 0;
  let stdin: Writable | undefined;
  const talk = async (input: Writable, output: Readable): Promise<void> => {
    stdin = input;
    for (const message of waiting.splice(0)) input.write(`${message}\n`);
    await readMessages(output, deps.onMessage).catch((error: unknown) => {
      deps.onLog((error as Error).message);
      ending.abort();
    });
  };
  const ended = runProgram(deps, server, { signal: lifetime, talk })
    .catch((error: unknown): RunnerExit => ({ kind: 'not_started', reason: (error as Error).message }))
    .then((exit) => {
      deps.onLog(describeExit(exit));
      return exit;
    });
  return {
    send(message) {
      const bytes = Buffer.byteLength(message);
      if ((stdin?.writableLength ?? waitingBytes) + bytes > MAX_WAITING_BYTES) return false;
      waitingBytes += bytes;
      if (stdin === undefined) waiting.push(message);
      else stdin.write(`${message}\n`);
      return true;
    },
    end: () => ending.abort(),
    ended,
  };
}

interface Talk {
  readonly signal: AbortSignal;
  readonly talk: (stdin: Writable, stdout: Readable) => Promise<void>;
}

async function runProgram(
  { runner, workDirectory, onLog }: ProgramDeps,
  { command, args, env, network_allow: allow }: HostedServer,
  { signal, talk }: Talk,
): Promise<RunnerExit> {
  const id = newId();
  const workspace = await prepareWorkspace(workDirectory, id);
  try {
    const sandbox = await runner.open({
      executionId: id,
      workspace,
      timeoutSeconds: LONGEST_SECONDS,
      signal,
      network: {
        flow: allow.flatMap((text) => readAllowedDestination(text) ?? []),
        repository: undefined,
        secrets: [],
        note: onLog,
      },
    });
    try {
      return await sandbox.run({
        argv: [command, ...args],
        environment: env,
        signal,
        talk,
        onLine: (line) => Promise.resolve(onLog(line)),
      });
    } finally {
      await sandbox.close();
    }
  } finally {
    await removeWorkspace(workspace);
    await runner.discard(id);
  }
}

/** Calls `onMessage` for each line that is not empty. @throws if a line is longer than the message limit */
async function readMessages(output: Readable, onMessage: (line: string) => void): Promise<void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)])
        .toString()
        .trim();
      parts = [];
      bytes = 0;
      from = end + 1;
      if (line !== '') onMessage(line);
    }
    parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error('The program wrote a message larger than 4 MiB and was terminated.');
  }
}

function describeExit(exit: RunnerExit): string {
  if (exit.kind === 'not_started') return `The program was not started: ${exit.reason}.`;
  const limit = exit.limit === undefined ? '' : ` (limit ${exit.limit})`;
  return exit.kind === 'exited'
    ? `The program ended with ${exit.code}${limit}.`
    : `The program was terminated by ${exit.signal}${limit}.`;
}
