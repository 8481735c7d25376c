/** Controls, bidirectional and other format signs, separators of lines, signs without a look, and what Windows takes for a slash. */
const OBEYED_OR_UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\]/gu;
/** What would be taken for such a sign when names are read back. */
const LOOKS_WRITTEN = /%(?=[0-9A-Fa-f]{2})/g;

/**
 * A path that programs of a run chose, as it may stand in an archive, its manifest and a log: each such sign as `%` and two digits
 * for every byte, as in URLs. No two paths become one, and decoding gives the path again (EXEC-18).
 */
export function showPath(path: string): string {
  return path
    .replaceAll(LOOKS_WRITTEN, '%25')
    .replaceAll(OBEYED_OR_UNSEEN, (sign) =>
      Buffer.from(sign).reduce((text, byte) => `${text}%${byte.toString(16).toUpperCase().padStart(2, '0')}`, ''),
    );
}
