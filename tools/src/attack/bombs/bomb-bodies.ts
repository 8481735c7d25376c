export const MB = 1024 * 1024;

/** Builds a JSON object that begins with `start` and has members until the number `count` or the size is reached. */
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

/** Builds nested arrays between two strings. */
export function buildNested(depth: number, start: string, end: string): Buffer {
  return Buffer.concat([Buffer.from(start), Buffer.alloc(depth, '['), Buffer.alloc(depth, ']'), Buffer.from(end)]);
}

export function buildLines(count: number, write: (index: number) => string, separator = '\n'): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => write(index)).join(separator));
}

/** Builds a YAML document whose aliases expand to 10^30 values. */
export function buildAliases(): Buffer {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}*a${level}]`,
  );
  return Buffer.from(['a0: &a0 [x]', ...levels].join('\n'));
}

/** Builds a trace in protobuf with one attribute that contains lists nested to this many levels. */
export function buildNestedProtobuf(levels: number): Buffer {
  // AnyValue.array_value in ArrayValue.values, then up to the resource of the first ResourceSpans.
  const tags = [
    ...Array.from({ length: levels }, (_, level) => (level % 2 === 0 ? 0x0a : 0x2a)),
    0x12,
    0x0a,
    0x0a,
    0x0a,
  ];
  let sizeBytes = 0;
  const heads = tags.map((tag) => {
    const head = Buffer.from([tag, ...writeVarint(sizeBytes)]);
    sizeBytes += head.byteLength;
    return head;
  });
  return Buffer.concat(heads.reverse());
}

/** Builds a trace in protobuf with this many empty spans. */
export function buildEmptySpans(count: number): Buffer {
  const spans = Buffer.alloc(2 * count, Buffer.from([0x12, 0]));
  const scope = Buffer.concat([Buffer.from([0x12, ...writeVarint(spans.byteLength)]), spans]);
  return Buffer.concat([Buffer.from([0x0a, ...writeVarint(scope.byteLength)]), scope]);
}

function writeVarint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}

/** Builds a form with this many files, each of a few bytes. */
export function buildParts(count: number): Buffer {
  return buildLines(
    count,
    (index) => `--x\r\nContent-Disposition: form-data; name="f${index}"; filename="f${index}"\r\n\r\ny`,
    '\r\n',
  );
}
