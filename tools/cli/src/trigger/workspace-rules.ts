/**
 * The service's rules for `workspace_files` (interface.md), checked here before anything is sent. A published CLI cannot
 * carry the flows library and its database client, so the rules are written down again; `workspace-rules.test.ts` holds
 * both versions against each other.
 */
export const MAX_FILE_BASE64_BYTES = 96 * 1024;
export const MAX_TOTAL_BASE64_BYTES = 1024 * 1024;
export const MAX_FILES = 50;
/** The trigger routes read no larger body. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/** Size of a file once encoded: four characters for every three bytes, padded. */
export function countBase64Bytes(byteLength: number): number {
  return 4 * Math.ceil(byteLength / 3);
}

/** Why a path may not be written below the workspace, or undefined when it may. */
export function describePathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (!path.isWellFormed()) return 'is not well-formed Unicode';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`;
  if (/\p{Cc}/u.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; use forward slashes';
  if (path.startsWith('/')) return 'is absolute; it must be relative to the workspace';
  if (path.endsWith('/')) return 'names a directory';
  const segments = path.split('/');
  if (segments.includes('..')) return 'traverses upwards (..)';
  const meaningful = segments.filter((segment) => segment !== '' && segment !== '.');
  if (meaningful.length === 0) return 'names no file';
  if (segments.at(-1) === '.') return 'names a directory';
  // A drive, also behind "./".
  if (/^[A-Za-z]:/.test(meaningful[0] ?? '')) return 'is absolute; it must be relative to the workspace';
  return meaningful.map(describeSegmentProblem).find((problem) => problem !== undefined);
}

/** Names Windows resolves to a device whatever their extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i;

function describeSegmentProblem(segment: string): string | undefined {
  if (segment.startsWith('~')) return 'starts a segment with ~';
  if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space';
  if (/^(?:\.git|git~\d+)$/i.test(segment.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))) return 'has a .git segment';
  if (DEVICE_NAME.test(segment)) return 'has a segment that is a device name on Windows';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a segment longer than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}

/** Two files at one place, or one below another, on any file system: compared by NFC and folded case. */
export function describeCollisions(paths: readonly string[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase().normalize('NFC');
    const twin = seen.get(folded);
    if (twin !== undefined) problems.push(`"${path}" is attached twice${twin === path ? '' : ` (also as "${twin}")`}`);
    seen.set(folded, path);
    const segments = folded.split('/');
    for (let depth = 1; depth < segments.length; depth += 1) folders.set(segments.slice(0, depth).join('/'), path);
  }
  for (const [folded, path] of seen) {
    const below = folders.get(folded);
    if (below !== undefined) problems.push(`"${path}" is a file and the folder of "${below}"`);
  }
  return problems;
}
