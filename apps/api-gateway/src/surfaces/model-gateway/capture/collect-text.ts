/** Maximum size of the stored part of the request, and of the response. */
export const MAX_CAPTURED_BYTES = 2 * 1024 * 1024;

/** Collects strings in order, up to a total number of bytes. */
export interface TextBudget {
  /** Returns the part of the string that still fits. */
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

/** Returns the first bytes as a string, without a partial character at the end. */
export function cutText(bytes: Buffer, size: number): string {
  let end = Math.min(size, bytes.byteLength);
  while (end > 0 && end < bytes.byteLength && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
