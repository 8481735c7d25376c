import protobuf from 'protobufjs/light.js';

const LENGTH_DELIMITED = 2;

/**
 * Returns the number of fields of a message, including those of nested messages; counting stops above `most`. Two bytes
 * of input may result in an object of a hundred bytes in memory, so the fields are counted before any object is
 * created. @throws for an invalid message
 */
export function countFields(type: protobuf.Type, bytes: Uint8Array, most: number): number {
  const reader = protobuf.Reader.create(bytes);
  // End positions of the nested messages that are being read, innermost last.
  const open: { readonly type: protobuf.Type; readonly end: number }[] = [{ type, end: bytes.length }];
  let count = 0;
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    if (reader.pos === inner.end) {
      open.pop();
      continue;
    }
    if (reader.pos > inner.end) throw new RangeError('a field is longer than its message');
    count += 1;
    if (count > most) return count;
    const tag = reader.uint32();
    const held = inner.type.fieldsById[tag >>> 3]?.resolvedType;
    if ((tag & 7) !== LENGTH_DELIMITED || !(held instanceof protobuf.Type)) {
      reader.skipType(tag & 7);
      continue;
    }
    const length = reader.uint32();
    open.push({ type: held, end: reader.pos + length });
  }
  return count;
}
