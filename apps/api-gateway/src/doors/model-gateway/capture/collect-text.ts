/** Maximum size kept of the request and of the answer. */
export const MAX_CAPTURED_BYTES = 2 * 1024 * 1024;

/** Takes texts in order, and no more than so many characters of all of them. */
export interface TextBudget {
  /** What of the text there is room for. */
  take(text: string): string;
  readonly isUsedUp: boolean;
  readonly used: number;
}

export function createTextBudget(size = MAX_CAPTURED_BYTES): TextBudget {
  let used = 0;
  let isUsedUp = false;
  return {
    take(text) {
      const bytes = Buffer.byteLength(text);
      if (used + bytes <= size) {
        used += bytes;
        return text;
      }
      isUsedUp = true;
      const rest = cutText(Buffer.from(text), size - used);
      used = size;
      return rest;
    },
    get isUsedUp() {
      return isUsedUp;
    },
    get used() {
      return used;
    },
  };
}

/** The first bytes as a text, without the half of a character at their end. */
export function cutText(bytes: Buffer, size: number): string {
  let end = Math.min(size, bytes.byteLength);
  while (end > 0 && end < bytes.byteLength && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
