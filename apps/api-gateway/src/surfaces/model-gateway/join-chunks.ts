/** Size above which a body is not copied: its parts are sent, and freed, one after the other. */
export const LARGE_BYTES = 256 * 1024;

/** Joins chunks; if there is only one, it is returned without being copied. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
