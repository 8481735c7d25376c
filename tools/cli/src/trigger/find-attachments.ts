import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { refuse } from '../exit-codes.ts';

/** File on this machine, and the path that it has for the agent. */
export interface Attachment {
  readonly source: string;
  /** Normalized path, relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Maximum number of files, more than can be sent: the search of a whole home folder stops here, instead of minutes
 * later.
 */
const MAX_WALKED_FILES = 1000;

/**
 * Finds the files of `--attach` arguments: with `path`, a file keeps its location below `cwd`; with `path=destination`,
 * it gets that destination; a folder includes all files below it.
 * @throws refused for a path that is missing, is not a regular file, or is outside `cwd` without a destination
 */
export function findAttachments(values: readonly string[], cwd: string): Attachment[] {
  return values.flatMap((value) => {
    const { source, destination } = splitValue(value, cwd);
    const stats = statSource(source);
    const path = destination ?? placeBelow(source, cwd);
    if (stats.isDirectory()) return walkFolder(resolve(cwd, source), path);
    if (!stats.isFile()) throw refuse(`--attach ${source}: the path is neither a file nor a folder`);
    return [{ source, path: posix.normalize(path), sizeBytes: stats.size }];
  });
}

/**
 * Splits an argument into source and destination. The last "=" is the separator, unless a file name contains an equals
 * sign.
 */
function splitValue(value: string, cwd: string): { source: string; destination?: string } {
  const at = value.lastIndexOf('=');
  if (at <= 0 || statSync(resolve(cwd, value), { throwIfNoEntry: false }) !== undefined) return { source: value };
  const destination = value.slice(at + 1);
  if (destination === '') throw refuse(`--attach ${value}: there is no destination after "="`);
  return { source: value.slice(0, at), destination };
}

function statSource(source: string): Stats {
  const stats = statSync(source, { throwIfNoEntry: false });
  if (stats === undefined) throw refuse(`--attach ${source}: the file does not exist`);
  return stats;
}

function placeBelow(source: string, cwd: string): string {
  const below = relative(cwd, resolve(cwd, source));
  if (below === '') return '';
  if (below.startsWith('..') || isAbsolute(below)) {
    throw refuse(
      `--attach ${source}: the path is outside the current folder; set its destination: --attach ${source}=${basename(source)}`,
    );
  }
  return below.split(sep).join('/');
}

/**
 * Lists the files of a folder, sorted by name, so that the same folder results in the same request. Links are refused,
 * because they could point to any location.
 */
function walkFolder(folder: string, path: string): Attachment[] {
  const found: Attachment[] = [];
  const open = [''];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const entry of readdirSync(join(folder, next), { withFileTypes: true })) {
      const below = next === '' ? entry.name : `${next}/${entry.name}`;
      const source = join(folder, below);
      if (entry.isDirectory()) open.push(below);
      else if (entry.isFile()) found.push({ source, path: posix.join(path, below), sizeBytes: statSync(source).size });
      else
        throw refuse(
          `--attach ${source}: the path is a link or not a regular file; instead of a link, attach its target`,
        );
      if (found.length > MAX_WALKED_FILES)
        throw refuse(`--attach ${folder}: the folder contains more than ${MAX_WALKED_FILES} files`);
    }
  }
  if (found.length === 0) throw refuse(`--attach ${folder}: the folder contains no files`);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
