/** Limit in bytes for `|truncate` without a number (FLOW-43). */
export const DEFAULT_TRUNCATE_BYTES = 16_384;

/**
 * Returns the longest prefix of at most `limit` bytes that ends at a character boundary, with a note if the text was
 * truncated (FLOW-43). `bytes` is `text` in UTF-8, for a caller that truncates it more than once.
 */
export function truncateBytes(text: string, limit: number, bytes: Buffer = Buffer.from(text, 'utf8')): string {
  if (bytes.length <= limit) return text;
  let end = limit;
  // Bytes 10xxxxxx are continuation bytes: the prefix must end before the byte that starts the character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const prefix = bytes.toString('utf8', 0, end);
  return `${prefix}\n\n[truncated by Steward: showing ${end} of ${bytes.length} bytes; fetch the rest with the tool that owns this object]`;
}
