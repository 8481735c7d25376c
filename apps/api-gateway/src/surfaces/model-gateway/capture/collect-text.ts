/** Maximum size of the stored part of the request, and of the response. */
export const MAX_CAPTURED_BYTES = 2 * 1024 * 1024;

/** Collects strings in order, up to a total number of bytes. */
export interface TextBudget {
  /** Returns the part of the string that still fits. */
  take(text: string): string;
  readonly isUsedUp: boolean;
  readonly used: number;
}

/**
 * This is a class, because each open stream has a budget, and an object literal with getters takes four times the
 * memory.
 */
class Budget implements TextBudget {
  readonly #size: number;
  used = 0;
  isUsedUp = false;

  constructor(size: number) {
    this.#size = size;
  }

  take(text: string): string {
    const bytes = Buffer.byteLength(text);
    if (this.used + bytes <= this.#size) {
      this.used += bytes;
      return text;
    }
    this.isUsedUp = true;
    const rest = cutText(Buffer.from(text), this.#size - this.used);
    this.used = this.#size;
    return rest;
  }
}

export function createTextBudget(size = MAX_CAPTURED_BYTES): TextBudget {
  return new Budget(size);
}

/** Returns the first bytes as a string, without a partial character at the end. */
export function cutText(bytes: Buffer, size: number): string {
  let end = Math.min(size, bytes.byteLength);
  while (end > 0 && end < bytes.byteLength && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
