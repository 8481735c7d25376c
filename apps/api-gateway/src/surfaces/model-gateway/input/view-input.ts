import { takesItems, type CallPath } from '@steward/model-calls';
import type { MemberRange } from '../find-members.ts';
import { StopLooking } from './stop-looking.ts';
import { InputReader } from './input-reader.ts';
import { NUMBERS, PLAIN_TIERS, SIZED_FIELDS, SWITCHES } from './known-input.ts';

export interface InputView {
  /**
   * The first part of a call because of which its cost cannot be determined from the bytes of its body: for example an
   * earlier response, a file, an address, a provider tool, a more expensive tier, a document with compressed text, or
   * content that cannot be examined completely. Undefined if there is no such part.
   */
  readonly reference: string | undefined;
  /**
   * Difference between the bytes of images, audio and documents and their assumed size; negative if they are smaller.
   */
  readonly surplusBytes: number;
}

const [QUOTE, OPEN_OBJECT, OPEN_ARRAY, SPACE] = [0x22, 0x7b, 0x5b, 0x20];
const TRUE = Buffer.from('true');
const MAX_TIER = 64;

/**
 * Examines the input of a call.
 * @param members - all members of the body
 */
export function viewInput(path: CallPath, bytes: Buffer, members: readonly MemberRange[]): InputView {
  const reader = new InputReader(bytes, path);
  try {
    for (const member of members) viewField(reader, path, bytes, member);
    return { reference: undefined, surplusBytes: reader.surplusBytes };
  } catch (error) {
    if (!(error instanceof StopLooking)) throw error;
    return { reference: error.reference, surplusBytes: 0 };
  }
}

function viewField(reader: InputReader, path: CallPath, bytes: Buffer, { name, start, end }: MemberRange): void {
  const value = bytes.subarray(start, end);
  if (!SIZED_FIELDS.has(name)) {
    if (isForeign(name, value)) throw new StopLooking(name);
    return;
  }
  if (name === 'tools') reader.readTools(start, 0);
  else if (name === 'messages' || name === 'system' || (name === 'input' && takesItems(path))) {
    try {
      reader.readParts(start, { depth: 0, holder: name });
    } catch (error) {
      throw error instanceof StopLooking ? new StopLooking(`${name}: ${error.reference}`) : error;
    }
  } else if ((name === 'service_tier' || name === 'speed') && !isPlainTier(value)) throw new StopLooking(name);
  // For a compaction, the provider reads the whole input once more; no token count includes these tokens.
  else if (name === 'context_management' && value.includes('compact')) throw new StopLooking(name);
}

function isForeign(name: string, value: Buffer): boolean {
  const first = value[0];
  if (value.equals(TRUE)) return !SWITCHES.has(name);
  if (isNamed(value)) return true;
  return first !== undefined && first > 0x30 && first <= 0x39 && !NUMBERS.has(name) && !value.equals(Buffer.from('1'));
}

function isPlainTier(value: Buffer): boolean {
  if (!isNamed(value)) return true;
  return (
    value[0] === QUOTE &&
    value.byteLength <= MAX_TIER &&
    PLAIN_TIERS.has(value.toString('latin1', 1, value.byteLength - 1))
  );
}

/**
 * Returns whether a value is set: true for objects (which can enable options even if they are empty), for `true`, and
 * for non-empty strings and lists.
 */
function isNamed(value: Buffer): boolean {
  const [first] = value;
  if (first === QUOTE || first === OPEN_ARRAY) return !value.subarray(1, -1).every((byte) => byte <= SPACE);
  return first === OPEN_OBJECT || value.equals(TRUE);
}
