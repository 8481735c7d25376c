import type { Readable } from 'node:stream';
import type { HookEvent } from './hook-answer.ts';
import { findMemberText } from './member-text.ts';

export interface HookCall {
  readonly toolName: string;
  readonly server: string | undefined;
  /** Arguments as JSON, in the agent's notation. */
  readonly argumentsText: string;
}

/** Input of a hook from an agent. Other fields of the event are ignored. */
export interface HookInput {
  readonly event: HookEvent;
  /** Call that the event is about; undefined for any other event. */
  readonly call: HookCall | undefined;
}

/** Error for input from which neither a decision nor the event can be determined. */
export class UnreadableInput extends Error {}

/** Maximum size of the input, more than any agent sends, since the service accepts arguments of up to 1 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;
/**
 * Time after which a complete document is processed. Agents write the input immediately, but some never close the pipe.
 */
const WITHIN_MS = 5_000;

/** Events that follow a call or do not concern one, so that no call can be denied. */
const WITHOUT_CALL: ReadonlySet<string> = new Set(
  (
    'PostToolUse PostToolUseFailure PostToolBatch PermissionDenied Notification UserPromptSubmit UserPromptExpansion Stop StopFailure ' +
    'SubagentStart SubagentStop PreCompact PostCompact Elicitation ElicitationResult TeammateIdle TaskCreated TaskCompleted Setup ' +
    'InstructionsLoaded CwdChanged FileChanged ConfigChange WorktreeCreate WorktreeRemove SessionStart SessionEnd PreModelSwitch ' +
    'PostModelSwitch MessageDisplay DirectoryAdded'
  ).split(' '),
);

/**
 * Reads the hook input of an agent. An agent that leaves its end of the pipe open receives a response within seconds.
 * @throws UnreadableInput
 */
export async function readHookInput(stdin: Readable, signal: AbortSignal): Promise<HookInput> {
  const bytes = await readBytes(stdin, signal);
  const input = parse(bytes);
  const { hook_event_name: event = 'PreToolUse', tool_name: name } = input;
  if (typeof event !== 'string') throw new UnreadableInput('the event of the input (hook_event_name) is not a string');
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

/** Decodes the input. A byte order mark is not part of the text; Windows shells write UTF-16. */
function decode(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  // Input with replacement characters would differ from the input that the agent executes.
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** Reads to the end or, if the input is not closed, until the document is complete. */
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
      // The input is read to its end, because the agent may wait for this, but it is not stored.
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
  if (isLate && !isWhole(parts)) throw new UnreadableInput('the input was not received completely in time');
  return Buffer.concat(parts);
}

/** Returns true if an object may end here; only then is an attempt made to parse it. */
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
