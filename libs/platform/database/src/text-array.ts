const TEXT_OID = 25;
const HEADER_BYTES = 20;

/**
 * Returns an array of strings in the binary form of the protocol, as a parameter for `text[]`. The driver would send
 * the array as one literal. Both the driver and the server process a literal character by character, which takes ten
 * times as long for long strings.
 */
export function textArray(texts: readonly (string | null)[]): Buffer {
  if (texts.length === 0) return writeHeader(Buffer.alloc(12), { dimensions: 0, hasNull: false });
  const sizes = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + sizes.reduce((sum, size) => sum + 4 + size, 0));
  writeHeader(bytes, { dimensions: 1, hasNull: texts.includes(null) });
  bytes.writeInt32BE(texts.length, 12);
  // The lower bound of the array is 1.
  bytes.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const [index, text] of texts.entries()) {
    const size = sizes[index] ?? 0;
    bytes.writeInt32BE(text === null ? -1 : size, at);
    if (text !== null) bytes.write(text, at + 4, 'utf8');
    at += 4 + size;
  }
  return bytes;
}

function writeHeader(bytes: Buffer, { dimensions, hasNull }: { dimensions: number; hasNull: boolean }): Buffer {
  bytes.writeInt32BE(dimensions, 0);
  bytes.writeInt32BE(hasNull ? 1 : 0, 4);
  bytes.writeInt32BE(TEXT_OID, 8);
  return bytes;
}
