import { AppError } from '@steward/contracts';
import type { CallPath } from './call-path.ts';
import { findMembers, type MemberRange } from './find-members.ts';
import { sizeInput } from './size-input.ts';

/** What is known of a call before it is passed on. */
export interface CallBody {
  readonly bytes: Buffer;
  /** What its input is estimated by. */
  readonly inputBytes: number;
  /** As the client named it. */
  readonly model: string;
  readonly isStream: boolean;
  /** It goes on at the provider whether its client is there or not. */
  readonly isBackground: boolean;
  /** What the client lets the model write at most into an answer; undefined: it does not say. */
  readonly maxOutputTokens: number | undefined;
  /** How many it wants to one question. */
  readonly answers: number;
  /** Of each place where the model is named. */
  readonly modelRanges: readonly MemberRange[];
  /** What has a stream of chat count its tokens; empty where the client asked for that itself. */
  readonly usageEdits: readonly BodyEdit[];
}

/** Bytes that stand for others. */
export interface BodyEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface SizeFields {
  /** What an answer has at most; of several that are sent the provider may take either. */
  readonly limits: readonly string[];
  /** How many answers there are. */
  readonly answers: string | undefined;
}

/** What others call so on their paths is nothing to a provider here. */
const SIZE_FIELDS: Readonly<Record<CallPath, SizeFields>> = {
  '/chat/completions': { limits: ['max_completion_tokens', 'max_tokens'], answers: 'n' },
  '/responses': { limits: ['max_output_tokens'], answers: undefined },
  '/embeddings': { limits: [], answers: undefined },
  '/messages': { limits: ['max_tokens'], answers: undefined },
  '/messages/count_tokens': { limits: [], answers: undefined },
};
const NAMES: ReadonlySet<string> = new Set([
  ...['model', 'stream', 'stream_options', 'background'],
  ...Object.values(SIZE_FIELDS).flatMap(({ limits, answers = [] }) => limits.concat(answers)),
]);
const MAX_VALUE = 2048;
const INCLUDE_USAGE: ReadonlySet<string> = new Set(['include_usage']);

/** @throws malformed_json for what is no object, invalid_request without a model */
export function readCall(path: CallPath, bytes: Buffer): CallBody {
  const members = findMembers(bytes, NAMES);
  if (members === undefined) throw new AppError('malformed_json');
  const read = (name: string): unknown => {
    const last = members.findLast((member) => member.name === name);
    return last === undefined ? undefined : parseShort(bytes.subarray(last.start, last.end));
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
  const answers = fields.answers === undefined ? undefined : readCount(read(fields.answers));
  const options = members.filter(({ name }) => name === 'stream_options');
  return {
    bytes,
    inputBytes: sizeInput(bytes),
    model,
    isStream: read('stream') === true,
    isBackground: path === '/responses' && read('background') === true,
    maxOutputTokens: limits.length === 0 ? undefined : Math.max(...limits),
    answers: Math.max(1, answers ?? 1),
    modelRanges: members.filter(({ name }) => name === 'model'),
    usageEdits:
      options.length === 0
        ? [insertFirst(bytes, 0, '"stream_options":{"include_usage":true},')]
        : options.flatMap((member) => askForUsage(bytes, member)),
  };
}

/** The body for a provider, in parts: another model, perhaps its usage asked for, notes of people to the agent, and every other byte as it came (GW-4). */
export function writeProviderBody(
  body: CallBody,
  identifier: string,
  asksForUsage: boolean,
  more: readonly BodyEdit[] = [],
): readonly Buffer[] {
  const { bytes, model, modelRanges } = body;
  const name = JSON.stringify(identifier);
  const isNamed = model === identifier && modelRanges.length === 1;
  const names = isNamed ? [] : modelRanges.map(({ start, end }) => ({ start, end, text: name }));
  const edits = [...names, ...(asksForUsage ? body.usageEdits : []), ...more].toSorted((a, b) => a.start - b.start);
  if (edits.length === 0) return [bytes];
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return [...parts, bytes.subarray(at)];
}

/** Of options that are there already; what is no object is left to the provider. */
function askForUsage(bytes: Buffer, { start, end }: MemberRange): BodyEdit[] {
  const value = bytes.subarray(start, end);
  if (value.equals(Buffer.from('null'))) return [{ start, end, text: '{"include_usage":true}' }];
  const found = findMembers(value, INCLUDE_USAGE);
  if (found === undefined) return [];
  if (found.length > 0)
    return found
      .filter((member) => value.toString('latin1', member.start, member.end) !== 'true')
      .map((member) => ({ start: start + member.start, end: start + member.end, text: 'true' }));
  const isEmpty = value.toString('latin1', 1).trim() === '}';
  return [insertFirst(bytes, start, `"include_usage":true${isEmpty ? '' : ','}`)];
}

/** Behind the brace that opens the object at a place, or behind white space there. */
function insertFirst(bytes: Buffer, from: number, text: string): BodyEdit {
  const at = bytes.indexOf(0x7b, from) + 1;
  return { start: at, end: at, text };
}

/** Also one that is written as a text, which many compatible servers take for the number. */
function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /\d/.test(value) ? Number(value.replaceAll('_', '')) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** Undefined for what is no JSON, which the provider shall say, and for what is too long to be a name or a number. */
function parseShort(bytes: Buffer): unknown {
  if (bytes.byteLength > MAX_VALUE) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
