import type { Readable } from 'node:stream';
import type { HookEvent } from './hook-answer.ts';
import { findMemberText } from './member-text.ts';

export interface HookCall {
  readonly toolName: string;
  readonly server: string | undefined;
  /** JSON, as the agent wrote it. */
  readonly argumentsText: string;
}

/** What an agent told its hook. Other fields of the event are left alone. */
export interface HookInput {
  readonly event: HookEvent;
  /** Undefined of an event that decides on no call. */
  readonly call: HookCall | undefined;
}

/** The input is none that a decision can be made on; of which event it was is not known either. */
export class UnreadableInput extends Error {}

/** Above what an agent sends: the service takes arguments of 1 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Agents write it at once. Some never close it: what is a whole document by then is one. */
const WITHIN_MS = 5_000;

/** Events that come behind a call, or are about none: there is nothing to deny. */
const WITHOUT_CALL: ReadonlySet<string> = new Set(
  (
    'PostToolUse PostToolUseFailure PostToolBatch PermissionDenied Notification UserPromptSubmit UserPromptExpansion Stop StopFailure ' +
    'SubagentStart SubagentStop PreCompact PostCompact Elicitation ElicitationResult TeammateIdle TaskCreated TaskCompleted Setup ' +
    'InstructionsLoaded CwdChanged FileChanged ConfigChange WorktreeCreate WorktreeRemove SessionStart SessionEnd PreModelSwitch ' +
    'PostModelSwitch MessageDisplay DirectoryAdded'
  ).split(' '),
);

/**
 * Reads what an agent tells its hook. An agent that leaves its end of the pipe open is answered all the same, within seconds.
 * @throws UnreadableInput
 */
export async function readHookInput(stdin: Readable, signal: AbortSignal): Promise<HookInput> {
  const bytes = await readBytes(stdin, signal);
  const input = parse(bytes);
  const { hook_event_name: event = 'PreToolUse', tool_name: name } = input;
  if (typeof event !== 'string') throw new UnreadableInput('the input has no event (hook_event_name)');
  if (WITHOUT_CALL.has(event)) return { event: { name: event, isKnown: true }, call: undefined };
  const isKnown = event === 'PreToolUse' || event === 'PermissionRequest';
  if (!isKnown) return { event: { name: event, isKnown }, call: undefined };
  if (typeof name !== 'string' || name === '') throw new UnreadableInput('the input has no tool (tool_name)');
  const [, server, toolName] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  const written = findMemberText(decode(bytes), 'tool_input') ?? '{}';
  const call = { server, toolName: toolName ?? name, argumentsText: written === 'null' ? '{}' : written };
  return { event: { name: event, isKnown }, call };
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) throw new UnreadableInput('the input is empty');
  let input: unknown;
  try {
    input = JSON.parse(decode(bytes));
  } catch (error) {
    throw new UnreadableInput(`the input is not JSON: ${String((error as Error).message)}`, { cause: error });
  }
  if (typeof input !== 'object' || input === null) throw new UnreadableInput('the input is not an object');
  return input as Readonly<Record<string, unknown>>;
}

/** A byte order mark is none of the text; shells of Windows write UTF-16. */
function decode(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  // A text with replacements is not the one that the agent acts on.
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** To its end; or to where it is a whole document, when its end does not come. */
async function readBytes(stdin: Readable, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  let isLate = false;
  const leave = (): void => void stdin.destroy();
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, WITHIN_MS);
  signal.addEventListener('abort', leave, { once: true });
  try {
    for await (const part of stdin) {
      const bytes = Buffer.from(part as Uint8Array);
      size += bytes.length;
      // Read on to its end, which the agent may wait for, but not kept.
      if (size > MAX_BYTES) parts.length = 0;
      else parts.push(bytes);
      if (size <= MAX_BYTES && closes(bytes) && isWhole(parts)) break;
    }
  } catch (error) {
    if (!isLate) throw new UnreadableInput(`the input ended early: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
  if (size > MAX_BYTES) throw new UnreadableInput('the input is larger than 8 MiB');
  if (isLate && !isWhole(parts)) throw new UnreadableInput('the input did not end');
  return Buffer.concat(parts);
}

/** Whether an object may end here: it is looked at in full only then. */
function closes(bytes: Buffer): boolean {
  return bytes.subarray(-4).toString('latin1').trimEnd().endsWith('}');
}

function isWhole(parts: readonly Buffer[]): boolean {
  try {
    parse(Buffer.concat(parts));
    return true;
  } catch {
    return false;
  }
}
