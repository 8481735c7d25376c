import type { CallPath } from '../call-path.ts';
import { findMembers, type MemberRange } from '../find-members.ts';
import { findLastEntry } from '../json-bytes.ts';
import type { BodyEdit } from '../read-call.ts';

/** How the turns of an API are written. */
interface Turns {
  readonly member: string;
  readonly textType: string;
  /** Whether the entry is what tools answered: notes come behind it, never in it. */
  readonly isToolResult: (entry: TurnHead) => boolean;
  /** Whether a text alone may stand for all of it. */
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
  // Results of tools are blocks of the user's own turn here.
  '/messages': { member: 'messages', textType: 'text', isToolResult: () => false, mayBeText: false },
};

/** Whether calls of this kind are turns of an agent: neither vectors nor counted tokens take notes. */
export function takesNotes(path: CallPath): boolean {
  return TURNS[path] !== undefined;
}

/**
 * Puts a text at the end of the last user turn, as a block of its own, and leaves every other byte as it came: what a provider keeps of
 * the turns before stays what it was.
 *
 * @returns undefined where the conversation does not end with the user or with results of tools: then there is no place for it
 */
export function placeNotes(bytes: Buffer, path: CallPath, text: string): BodyEdit[] | undefined {
  const turns = TURNS[path];
  if (turns === undefined) return undefined;
  const member = findMembers(bytes, new Set([turns.member]))?.at(-1);
  if (member === undefined) return undefined;
  const block = JSON.stringify({ type: turns.textType, text });
  const value = slice(bytes, member);
  if (value[0] === QUOTE) return turns.mayBeText ? wrapInput(member, turns.textType, block) : undefined;
  const last = findLastEntry(value);
  if (last === undefined) return undefined;
  const entry = { start: member.start + last.start, end: member.start + last.end };
  const members = findMembers(slice(bytes, entry), new Set(['role', 'type', 'content']));
  if (members === undefined) return undefined;
  const head = { role: readShort(bytes, entry, members, 'role'), type: readShort(bytes, entry, members, 'type') };
  if (turns.isToolResult(head)) return [insertAt(entry.end, `,{"role":"user","content":[${block}]}`)];
  const content = members.findLast(({ name }) => name === 'content');
  if (head.role !== 'user' || content === undefined) return undefined;
  return addBlock(bytes, { start: entry.start + content.start, end: entry.start + content.end }, turns.textType, block);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, OPEN_ARRAY] = [0x22, 0x5b];

function slice(bytes: Buffer, { start, end }: Range): Buffer {
  return bytes.subarray(start, end);
}

function insertAt(at: number, text: string): BodyEdit {
  return { start: at, end: at, text };
}

/** To a content that is a text or a list of blocks; anything else is left to the provider. */
function addBlock(bytes: Buffer, content: Range, type: string, block: string): BodyEdit[] | undefined {
  const first = bytes[content.start];
  if (first === QUOTE)
    return [insertAt(content.start, `[{"type":"${type}","text":`), insertAt(content.end, `},${block}]`)];
  if (first !== OPEN_ARRAY) return undefined;
  const isEmpty = bytes.toString('latin1', content.start + 1, content.end - 1).trim() === '';
  return [insertAt(content.end - 1, isEmpty ? block : `,${block}`)];
}

/** Of a text that stands for the one turn there is. */
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
