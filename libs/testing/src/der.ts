/** Encodes a value with its tag and length, in the subset of DER that a certificate needs. */
export function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...renderLength(body.length)]), body]);
}

function renderLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

export const sequence = (...content: readonly Buffer[]): Buffer => tagged(0x30, ...content);
export const set = (...content: readonly Buffer[]): Buffer => tagged(0x31, ...content);
export const bytes = (content: Buffer): Buffer => tagged(0x04, content);
export const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.from([0]), content);
export const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value));
export const TRUE = tagged(0x01, Buffer.from([0xff]));

/** Encodes an integer from 0 to 127. */
export const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));

/** Encodes an identifier in dotted form. */
export function object(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(renderBase128)]));
}

function renderBase128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** Encodes a time, precise to the second, for years up to 2049. */
export const time = (at: Date): Buffer => tagged(0x17, Buffer.from(at.toISOString().replace(/^..|[-T:]|\.\d+/g, '')));
