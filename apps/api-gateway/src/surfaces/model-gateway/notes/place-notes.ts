import type { CallPath } from '@steward/model-calls';
import { findMembers, type MemberRange } from '../find-members.ts';
import { findEntries, type EntryRange as Range } from '../json-bytes.ts';
import type { BodyEdit } from '../read-call.ts';

/** Structure of conversation turns in an API. */
interface Turns {
  readonly member: string;
  readonly textType: string;
  /** Returns whether the entry is a tool result: notes are placed after it, never in it. */
  readonly isToolResult: (turn: TurnHead) => boolean;
  /** Whether a single string may replace the list. */
  readonly mayBeText: boolean;
}

interface TurnHead {
  readonly role: unknown;
  readonly type: unknown;
}

const TURNS: Readonly<Partial<Record<CallPath, Turns>>> = {
  '/chat/completions': {
    member: 'messages',
    textType: 'text',
    isToolResult: ({ role }) => role === 'tool' || role === 'function',
    mayBeText: false,
  },
  '/responses': {
    member: 'input',
    textType: 'input_text',
    isToolResult: ({ type }) =>
      typeof type === 'string' && (type.endsWith('_output') || type === 'mcp_approval_response'),
    mayBeText: true,
  },
  // In this API, tool results are blocks of the user turn.
  '/messages': { member: 'messages', textType: 'text', isToolResult: () => false, mayBeText: false },
};

/**
 * Returns whether calls of this kind are turns of an agent: notes are not added to embedding, compaction and token
 * count calls.
 */
export function takesNotes(path: CallPath): boolean {
  return TURNS[path] !== undefined;
}

/**
 * Adds a text as a separate block at the end of the last user turn, or as a new turn after a tool result. All other
 * bytes are left unchanged, so that the provider's cache of earlier turns stays valid.
 *
 * @returns undefined if there are only model and system turns, or the turn has neither a string nor blocks
 */
export function placeNotes(bytes: Buffer, path: CallPath, text: string): BodyEdit[] | undefined {
  const turns = TURNS[path];
  if (turns === undefined) return undefined;
  const member = findMembers(bytes, (name) => name === turns.member)?.at(-1);
  if (member === undefined) return undefined;
  const block = JSON.stringify({ type: turns.textType, text });
  if (bytes[member.start] === QUOTE) return turns.mayBeText ? wrapInput(member, turns.textType, block) : undefined;
  const turn = findLastUserTurn(bytes, member, turns);
  if (turn === undefined) return undefined;
  if (turns.isToolResult(turn.head)) return [insertAt(turn.end, `,{"role":"user","content":[${block}]}`)];
  return turn.content === undefined ? undefined : addBlock(bytes, turn.content, turns.textType, block);
}

interface UserTurn {
  readonly head: TurnHead;
  readonly content: Range | undefined;
  readonly end: number;
}

/** Returns the last user or tool turn. It may be followed by system turns and the beginning of a model turn. */
function findLastUserTurn(bytes: Buffer, list: Range, turns: Turns): UserTurn | undefined {
  const entries = findEntries(slice(bytes, list)) ?? [];
  for (const range of entries.toReversed()) {
    const entry = within(list, range);
    const members = findMembers(slice(bytes, entry), (name) => TURN_MEMBERS.has(name));
    if (members === undefined) continue;
    const head = { role: readShort(bytes, entry, members, 'role'), type: readShort(bytes, entry, members, 'type') };
    if (head.role !== 'user' && !turns.isToolResult(head)) continue;
    const content = members.findLast(({ name }) => name === 'content');
    return { head, content: content && within(entry, content), end: entry.end };
  }
  return undefined;
}

const TURN_MEMBERS: ReadonlySet<string> = new Set(['role', 'type', 'content']);

function within(outer: Range, { start, end }: Range): Range {
  return { start: outer.start + start, end: outer.start + end };
}

const [QUOTE, OPEN_ARRAY] = [0x22, 0x5b];

function slice(bytes: Buffer, { start, end }: Range): Buffer {
  return bytes.subarray(start, end);
}

function insertAt(at: number, text: string): BodyEdit {
  return { start: at, end: at, text };
}

/** Adds a block to content that is a string or a list of blocks; other content is left unchanged. */
function addBlock(bytes: Buffer, content: Range, type: string, block: string): BodyEdit[] | undefined {
  const first = bytes[content.start];
  if (first === QUOTE)
    return [insertAt(content.start, `[{"type":"${type}","text":`), insertAt(content.end, `},${block}]`)];
  if (first !== OPEN_ARRAY) return undefined;
  const isEmpty = bytes.toString('latin1', content.start + 1, content.end - 1).trim() === '';
  return [insertAt(content.end - 1, isEmpty ? block : `,${block}`)];
}

/**
 * Converts an input that is a string, which is short for a single user turn, to a list with this turn, and adds the
 * block to the turn.
 */
function wrapInput({ start, end }: Range, type: string, block: string): BodyEdit[] {
  return [insertAt(start, `[{"role":"user","content":[{"type":"${type}","text":`), insertAt(end, `},${block}]}]`)];
}

const MAX_NAME_BYTES = 128;

function readShort(bytes: Buffer, entry: Range, members: readonly MemberRange[], name: string): unknown {
  const found = members.findLast((member) => member.name === name);
  if (found === undefined || found.end - found.start > MAX_NAME_BYTES) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', entry.start + found.start, entry.start + found.end)) as unknown;
  } catch {
    return undefined;
  }
}
