import { gzipSync } from 'node:zlib';

export const MB = 1024 * 1024;

/** A JSON object that begins with `start` and goes on with members until there are `count` or no room is left. */
export function buildMembers(
  { count = Infinity, sizeBytes }: { readonly count?: number; readonly sizeBytes: number },
  {
    start,
    write,
    end = '}',
  }: { readonly start: string; readonly write: (index: number) => string; readonly end?: string },
): Buffer {
  const text = Buffer.alloc(sizeBytes);
  let at = text.write(start);
  for (let index = 0; index < count; index += 1) {
    const member = `,${write(index)}`;
    if (at + member.length + end.length > sizeBytes) break;
    at += text.write(member, at, 'latin1');
  }
  at += text.write(end, at);
  return text.subarray(0, at);
}

/** Arrays in arrays, between two texts. */
export function buildNested(depth: number, start: string, end: string): Buffer {
  return Buffer.concat([Buffer.from(start), Buffer.alloc(depth, '['), Buffer.alloc(depth, ']'), Buffer.from(end)]);
}

/** Blanks that unpack to a thousand times what is sent. */
export function buildPackedBlanks(sizeBytes: number): Buffer {
  return gzipSync(Buffer.alloc(sizeBytes, ' '), { level: 9 });
}

export function buildLines(count: number, write: (index: number) => string, separator = '\n'): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => write(index)).join(separator));
}

/** A YAML document that a reader of aliases makes 10 to the power of 30 values of. */
export function buildAliases(): Buffer {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}*a${level}]`,
  );
  return Buffer.from(['a0: &a0 [x]', ...levels].join('\n'));
}
