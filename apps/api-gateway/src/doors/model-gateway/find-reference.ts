import type { CallPath } from './call-path.ts';
import { findMembers, type MemberRange } from './find-members.ts';
import { findEntries } from './json-bytes.ts';

/** What providers read, and what costs by its own bytes: anything else may stand for what is not in the body. */
const SIZED_FIELDS: ReadonlySet<string> = new Set([
  ...'model messages input instructions system tools functions tool_choice function_call max_tokens'.split(' '),
  ...'max_completion_tokens max_output_tokens max_tool_calls n best_of stop stop_sequences stream'.split(' '),
  ...'stream_options store background metadata client_metadata include truncation user safety_identifier'.split(' '),
  ...'prompt_cache_key prompt_cache_retention cache_control reasoning reasoning_effort thinking text verbosity'.split(
    ' ',
  ),
  ...'response_format output_config output_format context_management betas logit_bias modalities audio'.split(' '),
  ...'prediction encoding_format chat_template_kwargs service_tier'.split(' '),
  ...'parallel_tool_calls logprobs echo strict safe_prompt enable_thinking include_reasoning'.split(' '),
  ...'add_generation_prompt continue_final_message add_special_tokens skip_special_tokens ignore_eos'.split(' '),
]);
/** At the price of the model, or below it. */
const PLAIN_TIERS: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'standard_only', 'flex']);
/** The client runs them: what they say comes back in a body. */
const CLIENT_TOOLS =
  /^(?:function|custom|local_shell|apply_patch|computer|computer_use_preview|(?:bash|text_editor|computer|memory)_\d{8})$/;
/** Items and parts that are all there. */
const SIZED_PARTS: ReadonlySet<string> = new Set([
  ...'message text input_text output_text summary_text reasoning_text refusal thinking redacted_thinking'.split(' '),
  ...'tool_use server_tool_use tool_result search_result function_call function_call_output custom_tool_call'.split(
    ' ',
  ),
  ...'custom_tool_call_output local_shell_call local_shell_call_output apply_patch_call'.split(' '),
  ...'apply_patch_call_output computer_call computer_call_output computer_screenshot web_search_call'.split(' '),
  ...'web_search_tool_result mcp_call mcp_list_tools mcp_approval_request mcp_approval_response compaction'.split(' '),
  ...'reasoning image image_url input_image input_audio document'.split(' '),
]);
const SOURCES: ReadonlySet<string> = new Set(['base64', 'text', 'content']);
/** What holds further parts. */
const HOLDERS = ['content', 'output', 'image_url', 'source'] as const;
const POINTER = /(?:^|_)(?:url|uri|file_ids?)$/;
const MAX_TEXT = 64;
/** Members of all parts together that are looked at: a conversation of thousands of turns has fewer, and more would keep others waiting. */
const MAX_LOOKS = 100_000;
const TOO_MUCH = 'too much to look at';

interface Looking {
  left: number;
}

/**
 * The first thing of a call that stands for input, or for work of the provider, which its body does not hold: an earlier answer, a
 * file, an address, a tool that runs there, a dearer tier, a document whose text is packed. By its bytes nobody knows what it costs.
 *
 * @param members - all of the body
 * @returns undefined where everything is in the body
 */
export function findReference(path: CallPath, bytes: Buffer, members: readonly MemberRange[]): string | undefined {
  const looking: Looking = { left: MAX_LOOKS };
  for (const { name, start, end } of members) {
    const value = bytes.subarray(start, end);
    const found = SIZED_FIELDS.has(name) ? findInField(looking, path, name, value) : isNamed(value) ? name : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInField(looking: Looking, path: CallPath, name: string, value: Buffer): string | undefined {
  if (name === 'service_tier') return isNamed(value) && !PLAIN_TIERS.has(readText(value) ?? '') ? name : undefined;
  if (name === 'tools') return findInList(looking, value, findInTool) === undefined ? undefined : name;
  const holdsParts = name === 'messages' || name === 'system' || (name === 'input' && path === '/responses');
  const found = holdsParts ? findInParts(looking, value) : undefined;
  return found === undefined ? undefined : `${name}: ${found}`;
}

/** Without a type it is a function of messages. */
function findInTool(_looking: Looking, members: readonly MemberRange[], tool: Buffer): string | undefined {
  const type = readMember(members, tool, 'type');
  return type === undefined || CLIENT_TOOLS.test(type) ? undefined : type;
}

/** A text, one part, or a list of them. */
function findInParts(looking: Looking, value: Buffer): string | undefined {
  const first = value[0];
  if (first === OPEN_ARRAY) return findInList(looking, value, findInPart);
  if (first !== OPEN_OBJECT) return undefined;
  const members = listMembers(looking, value);
  return members === undefined ? TOO_MUCH : findInPart(looking, members, value);
}

function findInPart(looking: Looking, members: readonly MemberRange[], part: Buffer): string | undefined {
  const type = readMember(members, part, 'type');
  if (type !== undefined && !SOURCES.has(type) && !SIZED_PARTS.has(type)) return type;
  // Of one that is there twice nobody knows which counts, and providers that look away from case would read the other.
  const seen = new Set<string>();
  const odd = members.find(({ name }) => name !== name.toLowerCase() || seen.size === seen.add(name).size);
  if (odd !== undefined) return odd.name;
  // Addresses of what was found, with what stands there sealed beside them.
  if (type === 'web_search_tool_result') return undefined;
  const read = (name: string): Buffer | undefined => {
    const member = members.find((each) => each.name === name);
    return member && part.subarray(member.start, member.end);
  };
  return findAbsent(type, read) ?? findPointer(members, part) ?? findHeld(looking, read);
}

/** What stands for something that the provider keeps, or for more words than it has bytes. */
function findAbsent(type: string | undefined, read: ReadMember): string | undefined {
  if (type === undefined) return isNamed(read('audio')) ? 'audio' : undefined;
  if (type === 'base64') return readText(read('media_type'))?.startsWith('image/') === true ? undefined : 'document';
  if (type !== 'reasoning' || read('id') === undefined) return undefined;
  return isNamed(read('encrypted_content')) || isNamed(read('content')) ? undefined : 'reasoning by its id';
}

function findPointer(members: readonly MemberRange[], part: Buffer): string | undefined {
  return members.find(
    ({ name, start, end }) => POINTER.test(name) && part[start] === QUOTE && !isData(part.subarray(start, end)),
  )?.name;
}

function findHeld(looking: Looking, read: ReadMember): string | undefined {
  for (const name of HOLDERS) {
    const held = read(name);
    const found = held && findInParts(looking, held);
    if (found !== undefined) return found;
  }
  return undefined;
}

const [QUOTE, OPEN_OBJECT, OPEN_ARRAY] = [0x22, 0x7b, 0x5b];
type ReadMember = (name: string) => Buffer | undefined;
const SPACE = 0x20;
const TRUE = Buffer.from('true');

function findInList(
  looking: Looking,
  list: Buffer,
  find: (looking: Looking, members: readonly MemberRange[], entry: Buffer) => string | undefined,
): string | undefined {
  if (list[0] !== OPEN_ARRAY) return undefined;
  const entries = findEntries(list);
  if (entries === undefined) return TOO_MUCH;
  for (const { start, end } of entries) {
    if (list[start] !== OPEN_OBJECT) continue;
    const entry = list.subarray(start, end);
    const members = listMembers(looking, entry);
    const found = members === undefined ? TOO_MUCH : find(looking, members, entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Undefined for what has too many. */
function listMembers(looking: Looking, object: Buffer): readonly MemberRange[] | undefined {
  try {
    const members = findMembers(object, () => true);
    looking.left -= 1 + (members?.length ?? 0);
    return looking.left < 0 ? undefined : members;
  } catch {
    return undefined;
  }
}

function readMember(members: readonly MemberRange[], bytes: Buffer, name: string): string | undefined {
  const all = members.filter((member) => member.name === name);
  // Of several nobody knows which one counts.
  if (all.length > 1) return `${name} twice`;
  const [member] = all;
  return member === undefined ? undefined : readText(bytes.subarray(member.start, member.end));
}

function readText(value: Buffer | undefined): string | undefined {
  if (value === undefined || value[0] !== QUOTE) return undefined;
  if (value.byteLength > MAX_TEXT) return 'a long text';
  try {
    return JSON.parse(value.toString()) as string;
  } catch {
    return 'no text';
  }
}

/** Neither null, a number nor off, and not empty; an object without members turns things on, too. */
function isNamed(value: Buffer | undefined): boolean {
  const first = value?.[0];
  if (value === undefined || first === undefined) return false;
  if (first === QUOTE || first === OPEN_ARRAY) return !value.subarray(1, -1).every((byte) => byte <= SPACE);
  return first === OPEN_OBJECT || value.equals(TRUE);
}

function isData(value: Buffer): boolean {
  return /^"data:/i.test(value.toString('latin1', 0, 8));
}
