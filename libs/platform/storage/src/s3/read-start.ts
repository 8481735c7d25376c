/** Reads at most `maxBytes` bytes of a body as text and ignores the rest. */
export async function readStart({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, maxBytes - size));
    size += part.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).toString();
}
