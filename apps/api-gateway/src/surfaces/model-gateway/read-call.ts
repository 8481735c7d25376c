import { AppError } from '@steward/contracts';
import { isCounting, type CallPath } from '@steward/model-calls';
import { findMembers, type MemberRange } from './find-members.ts';
import { LARGE_BYTES } from './join-chunks.ts';
import { sizeTokenNumbers } from './input/input-sizes.ts';
import { viewInput } from './input/view-input.ts';

/** Facts about a call before it is passed on. */
export interface CallBody {
  readonly bytes: Buffer;
  /** Number of bytes from which the input tokens are estimated. */
  readonly inputBytes: number;
  /**
   * First part of the call because of which its cost cannot be determined from the bytes of the body; undefined if
   * there is none.
   */
  readonly reference: string | undefined;
  /** Model name as sent by the client. */
  readonly model: string;
  readonly isStream: boolean;
  /** Whether the call continues at the provider if its client disconnects. */
  readonly isBackground: boolean;
  /** The client's limit for the output of one response; undefined if the client sent no limit. */
  readonly maxOutputTokens: number | undefined;
  /** Requested number of responses. */
  readonly answers: number;
  /** Position of the model name. */
  readonly modelRange: MemberRange;
  /** Edits that enable the usage parameter of a chat stream; empty if the client enabled it, or for invalid options. */
  readonly usageEdits: readonly BodyEdit[];
}

/** A replacement for a range of bytes. */
export interface BodyEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface SizeFields {
  /** Members with the output limit; if several are sent, the provider may use any of them. */
  readonly limits: readonly string[];
  /** Members with the number of responses; if several are sent, the highest is used. */
  readonly answers: readonly string[];
}

/** Members that determine the size of a call, by path. Members that only have a meaning on other paths are ignored. */
const SIZE_FIELDS: Readonly<Record<CallPath, SizeFields>> = {
  '/chat/completions': { limits: ['max_completion_tokens', 'max_tokens'], answers: ['n', 'best_of'] },
  '/responses': { limits: ['max_output_tokens'], answers: [] },
  '/responses/compact': { limits: [], answers: [] },
  '/responses/input_tokens': { limits: [], answers: [] },
  '/embeddings': { limits: [], answers: [] },
  '/messages': { limits: ['max_tokens'], answers: [] },
  '/messages/count_tokens': { limits: [], answers: [] },
};
/** Members that are read on every path. */
const ALWAYS = ['model', 'stream', 'stream_options', 'background'];
/**
 * Members with which a client names other models to the provider. They are refused, because the price of those models
 * is unknown; fallbacks are configured for the model instead.
 */
const REFUSED: ReadonlySet<string> = new Set(['models', 'fallbacks', 'fallback_credit_token']);
const MAX_VALUE = 2048;
/** Matches names that are normalized only by removing underscores. In practice, nearly all names are of this kind. */
const PLAIN = /^[a-z_]*$/;

/**
 * Reads the facts about a call from its body.
 * @throws malformed_json if the body is not an object or nested too deeply, payload_too_large for too many members,
 * invalid_request without a model, bad_request for a member that is read here if it is too long or not supported, and
 * also if it occurs twice or in another spelling, because other servers may read the other occurrence (GW-17)
 */
export function readCall(path: CallPath, bytes: Buffer): CallBody {
  const spellings = SPELLINGS[path];
  const members = findMembers(bytes, () => true);
  if (members === undefined) throw new AppError('malformed_json');
  const byName = requireOnce(
    members.filter(({ name }) => spellings.has(fold(name))),
    spellings,
  );
  const read = (name: string): unknown => {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    if (member.end - member.start > MAX_VALUE) throw refuseField(name, `is longer than ${MAX_VALUE} bytes`);
    return parseShort(bytes.subarray(member.start, member.end));
  };
  const model = read('model');
  if (typeof model !== 'string') {
    throw new AppError('invalid_request', {
      message: 'Send the alias of a model as "model".',
      detail: { field: 'model' },
    });
  }
  const fields = SIZE_FIELDS[path];
  const limits = fields.limits
    .map(read)
    .map(readCount)
    .filter((limit) => limit !== undefined);
  const answers = fields.answers
    .map(read)
    .map(readCount)
    .filter((count) => count !== undefined);
  const options = byName.get('stream_options');
  // Counting tokens is free, whatever the input refers to.
  const view = isCounting(path) ? undefined : viewInput(path, bytes, members);
  return {
    bytes,
    inputBytes: path === '/embeddings' ? sizeEmbedding(bytes, members) : bytes.byteLength - (view?.surplusBytes ?? 0),
    reference: view?.reference,
    model,
    isStream: read('stream') === true,
    isBackground: path === '/responses' && read('background') === true,
    maxOutputTokens: limits.length === 0 ? undefined : Math.max(...limits),
    answers: Math.max(1, ...answers),
    modelRange: byName.get('model') as MemberRange,
    usageEdits:
      options === undefined
        ? [insertFirst(bytes, 0, '"stream_options":{"include_usage":true},')]
        : askForUsage(bytes, options),
  };
}

function sizeEmbedding(bytes: Buffer, members: readonly MemberRange[]): number {
  const inputs = members.filter(({ name }) => name === 'input');
  return Math.max(bytes.byteLength, ...inputs.map(({ start, end }) => sizeTokenNumbers(bytes.subarray(start, end))));
}

/** The names that are read on a path, by their normalized spelling. */
const SPELLINGS: Readonly<Record<CallPath, ReadonlyMap<string, string>>> = mapPaths(({ limits, answers }) => {
  const names = [...ALWAYS, ...REFUSED, ...limits, ...answers];
  return new Map(names.map((name) => [fold(name), name]));
});

function mapPaths<Value>(read: (fields: SizeFields) => Value): Record<CallPath, Value> {
  const entries = Object.entries(SIZE_FIELDS).map(([path, fields]) => [path, read(fields)]);
  return Object.fromEntries(entries) as Record<CallPath, Value>;
}

/**
 * Normalizes the spelling of a name: parsers that ignore case also accept the characters that fold to s and k, and
 * protobuf parsers accept camel case.
 */
function fold(name: string): string {
  if (PLAIN.test(name)) return name.includes('_') ? name.replaceAll('_', '') : name;
  return name.toUpperCase().toLowerCase().replaceAll('_', '');
}

function requireOnce(
  members: readonly MemberRange[],
  spellings: ReadonlyMap<string, string>,
): ReadonlyMap<string, MemberRange> {
  const found = new Map<string, MemberRange>();
  for (const member of members) {
    const name = spellings.get(fold(member.name)) ?? member.name;
    if (member.name !== name) throw refuseField(name, `is written "${member.name}": write it as "${name}"`);
    if (REFUSED.has(name))
      throw refuseField(name, 'is not supported: send one "model", and set its fallbacks on the model');
    if (found.has(name)) throw refuseField(name, 'occurs more than once');
    found.set(name, member);
  }
  return found;
}

function refuseField(field: string, problem: string): AppError {
  return new AppError('bad_request', { message: `"${field}" ${problem}.`, detail: { field } });
}

/**
 * Returns the body for a provider, in parts: with the provider's model name and, if needed, with the usage parameter
 * and with notes from people to the agent. All other bytes are unchanged (GW-4).
 */
export function writeProviderBody(
  body: CallBody,
  identifier: string,
  asksForUsage: boolean,
  more: readonly BodyEdit[] = [],
): readonly Buffer[] {
  const { bytes, model, modelRange } = body;
  const { start, end } = modelRange;
  const named = model === identifier ? [] : [{ start, end, text: JSON.stringify(identifier) }];
  const edits = [...named, ...(asksForUsage ? body.usageEdits : []), ...more].toSorted((a, b) => a.start - b.start);
  if (edits.length === 0) return [bytes];
  return bytes.byteLength > LARGE_BYTES ? splitAtEdits(bytes, edits) : [copyEdited(bytes, edits)];
}

function splitAtEdits(bytes: Buffer, edits: readonly BodyEdit[]): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.text));
    at = edit.end;
  }
  return [...parts, bytes.subarray(at)];
}

/** Copies a small body once, because creating a view of each part costs more than copying the bytes. */
function copyEdited(bytes: Buffer, edits: readonly BodyEdit[]): Buffer {
  let size = bytes.byteLength;
  for (const { start, end, text } of edits) size += Buffer.byteLength(text) - (end - start);
  const edited = Buffer.allocUnsafe(size);
  let from = 0;
  let to = 0;
  for (const { start, end, text } of edits) {
    to += bytes.copy(edited, to, from, start);
    to += edited.write(text, to);
    from = end;
  }
  bytes.copy(edited, to, from);
  return edited;
}

/**
 * Returns the edits that add the usage parameter to existing options; if they are not an object, they are left for the
 * provider to check.
 */
function askForUsage(bytes: Buffer, { start, end }: MemberRange): BodyEdit[] {
  const value = bytes.subarray(start, end);
  if (value.equals(Buffer.from('null'))) return [{ start, end, text: '{"include_usage":true}' }];
  const found = findMembers(value, (name) => fold(name) === 'includeusage');
  if (found === undefined) return [];
  const odd = found.find(({ name }) => name !== 'include_usage');
  if (odd !== undefined) throw refuseField('stream_options', `has "${odd.name}": write it as "include_usage"`);
  if (found.length > 1) throw refuseField('stream_options', 'has "include_usage" more than once');
  if (found.length > 0)
    return found
      .filter((member) => value.toString('latin1', member.start, member.end) !== 'true')
      .map((member) => ({ start: start + member.start, end: start + member.end, text: 'true' }));
  const isEmpty = value.toString('latin1', 1).trim() === '}';
  return [insertFirst(bytes, start, `"include_usage":true${isEmpty ? '' : ','}`)];
}

/** Returns the edit that inserts text after the first opening brace at or after a position. */
function insertFirst(bytes: Buffer, from: number, text: string): BodyEdit {
  const at = bytes.indexOf(0x7b, from) + 1;
  return { start: at, end: at, text };
}

/** Reads a count, also from a string, which many compatible servers accept. */
function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /\d/.test(value) ? Number(value.replaceAll('_', '')) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** Parses a short value. Returns undefined for invalid JSON, which is left to the provider to reject. */
function parseShort(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
