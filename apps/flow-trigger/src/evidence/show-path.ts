/**
 * Control characters, bidirectional and other format characters, line separators, invisible characters, and the
 * backslash, which Windows treats as a slash.
 */
const OBEYED_OR_UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\]/gu;
/** Percent signs that would be mistaken for the start of an escape sequence when names are decoded. */
const LOOKS_WRITTEN = /%(?=[0-9A-Fa-f]{2})/g;

/**
 * Encodes a path that was chosen by programs of a run, for use in an archive, its manifest and a log: each character in
 * `OBEYED_OR_UNSEEN` or `LOOKS_WRITTEN` becomes `%` and two hexadecimal digits per byte, as in URLs. Different paths
 * have different encodings, and decoding returns the path (EXEC-18).
 */
export function showPath(path: string): string {
  return path
    .replaceAll(LOOKS_WRITTEN, '%25')
    .replaceAll(OBEYED_OR_UNSEEN, (sign) =>
      Buffer.from(sign).reduce((text, byte) => `${text}%${byte.toString(16).toUpperCase().padStart(2, '0')}`, ''),
    );
}
