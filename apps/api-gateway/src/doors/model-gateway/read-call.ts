import { AppError } from '@steward/contracts';
import { isCounting, type CallPath } from './call-path.ts';
import { findMembers, type MemberRange } from './find-members.ts';
import { sizeTokenNumbers } from './input/input-sizes.ts';
import { viewInput } from './input/view-input.ts';

/** What is known of a call before it is passed on. */
export interface CallBody {
  readonly bytes: Buffer;
  /** What its input is estimated by. */
  readonly inputBytes: number;
  /** What stands for input, or for work of the provider, that is not in it: by its bytes nobody knows what it costs. */
  readonly reference: string | undefined;
  /** Model name as sent by the client. */
  readonly model: string;
  readonly isStream: boolean;
  /** It goes on at the provider whether its client is there or not. */
  readonly isBackground: boolean;
  /** What the client lets the model write at most into an answer; undefined: it does not say. */
  readonly maxOutputTokens: number | undefined;
  /** How many it wants to one question. */
  readonly answers: number;
  /** Where the model is named. */
  readonly modelRange: MemberRange;
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
  /** How many answers there are; of several that are sent the most. */
  readonly answers: readonly string[];
}

/** What others call so on their paths is nothing to a provider here. */
const SIZE_FIELDS: Readonly<Record<CallPath, SizeFields>> = {
  '/chat/completions': { limits: ['max_completion_tokens', 'max_tokens'], answers: ['n', 'best_of'] },
  '/responses': { limits: ['max_output_tokens'], answers: [] },
  '/responses/compact': { limits: [], answers: [] },
  '/responses/input_tokens': { limits: [], answers: [] },
  '/embeddings': { limits: [], answers: [] },
  '/messages': { limits: ['max_tokens'], answers: [] },
  '/messages/count_tokens': { limits: [], answers: [] },
};
/** What is read of every call; a provider that reads others of them on its own path may. */
const ALWAYS = ['model', 'stream', 'stream_options', 'background'];
/** They name other models to a provider, which nobody priced: fallbacks are the model's here. */
const REFUSED: ReadonlySet<string> = new Set(['models', 'fallbacks', 'fallback_credit_token']);
const MAX_VALUE = 2048;

/**
 * @throws malformed_json for what is no object or nested too deeply, payload_too_large for too many members, invalid_request without a
 * model, and for a field that is read here and stands there twice or in another spelling: others may read the other one (GW-17)
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
  // Counting costs nothing, whatever is counted.
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

/** By their folded spelling, the names that are read on a path. */
const SPELLINGS: Readonly<Record<CallPath, ReadonlyMap<string, string>>> = mapPaths(({ limits, answers }) => {
  const names = [...ALWAYS, ...REFUSED, ...limits, ...answers];
  return new Map(names.map((name) => [fold(name), name]));
});

function mapPaths<Value>(read: (fields: SizeFields) => Value): Record<CallPath, Value> {
  const entries = Object.entries(SIZE_FIELDS).map(([path, fields]) => [path, read(fields)]);
  return Object.fromEntries(entries) as Record<CallPath, Value>;
}

/** Readers that look away from case take the signs for s and k that fold to them, too; those of protobuf take camel case. */
function fold(name: string): string {
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

/** The body for a provider, in parts: another model, perhaps its usage asked for, notes of people to the agent, and every other byte as it came (GW-4). */
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
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.text));
    at = edit.end;
  }
  return [...parts, bytes.subarray(at)];
}

/** Of options that are there already; what is no object is left to the provider. */
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

/** Undefined for what is no JSON, which the provider shall say. */
function parseShort(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
