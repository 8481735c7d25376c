/*
 * The only file of this context with a separate package entry point (`@steward/flows/workspace-files`): the published
 * CLI makes the same checks before it sends anything, and must not include a database client. This file imports only
 * modules of Node.js.
 */
import { posix } from 'node:path';

/** Limits according to FLOW-37. Sizes are those of the base64 strings, without white space. */
export const MAX_FILE_BASE64_BYTES = 96 * 1024;
export const MAX_TOTAL_BASE64_BYTES = 1024 * 1024;
export const MAX_FILES = 50;

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

export interface WorkspaceFile {
  /** The normalized path, relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly content: Buffer;
}

/**
 * The outcome of a check: the status of the response is 400 for `invalid` and 413 for `too_large`. If a route did not
 * make the check, the execution fails with the same message.
 */
export type WorkspaceFilesOutcome =
  | { readonly kind: 'valid'; readonly files: readonly WorkspaceFile[] }
  | { readonly kind: 'invalid'; readonly message: string; readonly path?: string }
  | {
      readonly kind: 'too_large';
      readonly message: string;
      readonly limit: number;
      readonly actual: number;
      readonly overage: number;
      readonly path?: string;
    };

/**
 * Checks a `workspace_files` declaration and decodes it (FLOW-33 to FLOW-37). Without a declaration (`undefined`),
 * there are no files.
 */
export function validateWorkspaceFiles(declaration: unknown): WorkspaceFilesOutcome {
  if (declaration === undefined) return { kind: 'valid', files: [] };
  if (!Array.isArray(declaration)) return { kind: 'invalid', message: 'workspace_files must be an array of files.' };
  if (declaration.length > MAX_FILES) return tooLarge('workspace_files', MAX_FILES, declaration.length, 'files');

  const files: WorkspaceFile[] = [];
  let totalBytes = 0;
  for (const [index, entry] of declaration.entries()) {
    const outcome = validateEntry(entry, index);
    if (outcome.kind !== 'valid') return outcome;
    totalBytes += outcome.encodedBytes;
    files.push(outcome.file);
  }
  if (totalBytes > MAX_TOTAL_BASE64_BYTES) {
    return tooLarge('workspace_files', MAX_TOTAL_BASE64_BYTES, totalBytes, 'base64 bytes in total');
  }
  const [collision] = listCollisions(files.map(({ path }) => path));
  return collision === undefined ? { kind: 'valid', files } : refuseCollision(collision);
}

type Refusal = Exclude<WorkspaceFilesOutcome, { kind: 'valid' }>;
type EntryOutcome = Refusal | { readonly kind: 'valid'; readonly file: WorkspaceFile; readonly encodedBytes: number };

function validateEntry(entry: unknown, index: number): EntryOutcome {
  const name = `workspace_files[${index}]`;
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry))
    return invalid(`${name} must be an object with "path" and "content_base64".`);
  const { path, content_base64: encoded, ...rest } = entry as Record<string, unknown>;
  if (typeof path !== 'string') return invalid(`${name}.path must be a string.`);
  if (typeof encoded !== 'string') return invalid(`${name}.content_base64 must be a string; files are inline only.`);
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) return invalid(`${name} has the unknown key "${unknownKey.slice(0, 100)}".`);
  const problem = describePathProblem(path);
  if (problem !== undefined) return invalid(`${name}.path ${problem}.`, path);

  const compact = compactBase64(encoded);
  if (compact.length > MAX_FILE_BASE64_BYTES) {
    return tooLarge(`The file "${shorten(path)}"`, MAX_FILE_BASE64_BYTES, compact.length, 'base64 bytes', path);
  }
  if (!isStrictBase64(compact))
    return invalid(`${name}.content_base64 is not strict base64 (standard alphabet, padded).`, path);
  const content = Buffer.from(compact, 'base64');
  return { kind: 'valid', file: { path: posix.normalize(path), content }, encodedBytes: compact.length };
}

/**
 * Removes the ASCII white space with which encoders wrap lines. Any other Unicode white space is refused as invalid
 * base64. The length of a match is bounded: one match over megabytes of blanks can exhaust the regex engine's stack.
 */
export function compactBase64(encoded: string): string {
  return encoded.replaceAll(/[\t\n\v\f\r ]{1,1000}/g, '');
}

/**
 * Returns whether a string is canonical, padded base64. The decoder ignores unknown characters, so the string itself is
 * checked.
 */
function isStrictBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return false;
  // Only the last four characters can contain unused bits, so only these are decoded and encoded again.
  const last = text.slice(-4);
  return Buffer.from(last, 'base64').toString('base64') === last;
}

/** Returns the reason why nothing may be written to this path in the workspace; undefined if writing is allowed. */
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
  // The drive letter of an absolute Windows path is also refused after "./", because the stored path is normalized.
  if (/^[A-Za-z]:/.test(meaningful[0] ?? '')) return 'is absolute; it must be relative to the workspace';
  for (const segment of meaningful) {
    const problem = describeSegmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Matches names that Windows treats as devices, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i;

function describeSegmentProblem(segment: string): string | undefined {
  if (segment.startsWith('~')) return 'starts a segment with ~';
  if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space';
  if (namesRepositoryData(segment)) return 'has a .git segment';
  if (DEVICE_NAME.test(segment)) return 'has a segment that is a device name on Windows';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a segment longer than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}

/**
 * Returns true for a segment that some file system treats as `.git`, for example because of other capitalization,
 * another Unicode form, trailing dots or spaces, or a short name (`git~1`).
 */
export function namesRepositoryData(segment: string): boolean {
  const folded = segment.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return /^(?:\.git|git~\d+)[. ]*$/i.test(folded);
}

/** Two files with the same path, or a file (`path`) where another file (`other`) needs a folder. */
export interface Collision {
  readonly kind: 'twice' | 'file_and_folder';
  readonly path: string;
  readonly other: string;
}

/**
 * Returns pairs of files that collide on some file system; empty if no files collide. Paths are compared after NFC
 * normalization and case folding (FLOW-35).
 */
export function listCollisions(paths: readonly string[]): Collision[] {
  const collisions: Collision[] = [];
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase().normalize('NFC');
    const twin = seen.get(folded);
    if (twin !== undefined) collisions.push({ kind: 'twice', path, other: twin });
    seen.set(folded, path);
    const segments = folded.split('/');
    for (let depth = 1; depth < segments.length; depth += 1) folders.set(segments.slice(0, depth).join('/'), path);
  }
  for (const [folded, path] of seen) {
    const below = folders.get(folded);
    if (below !== undefined) collisions.push({ kind: 'file_and_folder', path, other: below });
  }
  return collisions;
}

function refuseCollision({ kind, path, other }: Collision): Refusal {
  return kind === 'twice'
    ? invalid(`workspace_files names "${shorten(path)}" twice (also as "${shorten(other)}").`, path)
    : invalid(`"${shorten(path)}" is a file and the folder of "${shorten(other)}".`, path);
}

function invalid(message: string, path?: string): Refusal {
  return { kind: 'invalid', message, ...(path === undefined ? {} : { path: shorten(path) }) };
}

function tooLarge(subject: string, limit: number, actual: number, unit: string, path?: string): Refusal {
  const overage = actual - limit;
  const message = `${subject} has ${actual} ${unit}; the limit is ${limit} (${overage} over).`;
  return { kind: 'too_large', message, limit, actual, overage, ...(path === undefined ? {} : { path: shorten(path) }) };
}

function shorten(text: string): string {
  const clean = text.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD');
  return clean.length <= 200 ? clean : `${clean.slice(0, 200).toWellFormed()}…`;
}
