import { constants } from 'node:fs';
import { readdir, type FileHandle } from 'node:fs/promises';
import { namesRepositoryData } from '@steward/flows';
import {
  isForeign,
  openFileIn,
  openFolderBeneath,
  placeIn,
  splitBeneath,
  type FileOwner,
  type OpenFolder,
} from '../workspace/open-folder.ts';
import { showPath } from './show-path.ts';

/** A regular file of the workspace, open for reading. */
export interface EvidenceFile {
  /** Formatted by `showPath`, like the path of a `SkippedPath`. */
  readonly path: string;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

export interface SkippedPath {
  readonly path: string;
  readonly reason:
    'missing' | 'symbolic_link' | 'not_a_file' | 'unreadable' | 'repository_data' | 'too_many_files' | 'size_limit';
}

/**
 * Maximum number of files and folders, more than reasonable evidence paths contain; packing a stray node_modules would
 * take minutes.
 */
const MAX_FILES = 10_000;
const MAX_DEPTH = 64;

/**
 * Walks the files under the paths. Each file is opened relative to the open handle of its folder, and symbolic links
 * are not followed. The caller closes each handle before it requests the next file. `skip` receives each omitted path
 * and the reason; beyond `MAX_FILES`, it receives only the first omitted path for each of the `paths`.
 */
export async function* collectFiles(
  root: string,
  paths: readonly string[],
  given: { readonly skip: (skipped: SkippedPath) => void; readonly owner?: FileOwner | undefined },
): AsyncGenerator<EvidenceFile> {
  const { owner } = given;
  const skip = ({ path, reason }: SkippedPath): void => given.skip({ path: showPath(path), reason });
  const seen = new Set<string>();
  for (const path of paths) {
    const segments = splitBeneath(path);
    if (segments === undefined) {
      skip({ path, reason: 'unreadable' });
      continue;
    }
    if (segments.some(namesRepositoryData)) {
      skip({ path, reason: 'repository_data' });
      continue;
    }
    const name = segments.pop();
    let folder: OpenFolder;
    try {
      folder = await openFolderBeneath(root, segments, { create: false });
    } catch (error) {
      skip({ path, reason: describeOpenError(error) });
      continue;
    }
    try {
      const prefix = segments.join('/');
      if (name === undefined) yield* walkFolder(folder, '', { seen, skip, owner, depth: 0 });
      else yield* visit(folder, { name, path: join(prefix, name) }, { seen, skip, owner, depth: segments.length });
    } finally {
      await folder.handle.close();
    }
  }
}

interface Walk {
  readonly seen: Set<string>;
  readonly skip: (skipped: SkippedPath) => void;
  readonly owner: FileOwner | undefined;
  readonly depth: number;
}

async function* walkFolder(folder: OpenFolder, prefix: string, walk: Walk): AsyncGenerator<EvidenceFile> {
  // The names are sorted, so that the same files produce the same archive.
  const names = (await readdir(placeIn(folder, '.'))).sort();
  for (const name of names) {
    yield* visit(folder, { name, path: join(prefix, name) }, walk);
    if (walk.seen.size > MAX_FILES) return;
  }
}

async function* visit(
  folder: OpenFolder,
  entry: { readonly name: string; readonly path: string },
  walk: Walk,
): AsyncGenerator<EvidenceFile> {
  const { name, path } = entry;
  if (walk.seen.has(path)) return;
  walk.seen.add(path);
  // Repository data may contain credentials of remotes, and is not part of the run's files.
  if (namesRepositoryData(name)) {
    walk.skip({ path, reason: 'repository_data' });
    return;
  }
  let handle: FileHandle;
  try {
    handle = await openFileIn(folder, name, constants.O_RDONLY);
  } catch (error) {
    walk.skip({ path, reason: describeOpenError(error) });
    return;
  }
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    try {
      if (walk.depth >= MAX_DEPTH) walk.skip({ path, reason: 'unreadable' });
      else yield* walkFolder({ handle, path: `${folder.path}/${name}` }, path, { ...walk, depth: walk.depth + 1 });
    } finally {
      await handle.close();
    }
    return;
  }
  if (!stat.isFile() || walk.seen.size > MAX_FILES || isForeign(stat, walk.owner)) {
    const reason = stat.isFile() ? 'too_many_files' : 'not_a_file';
    walk.skip({ path, reason: isForeign(stat, walk.owner) ? 'unreadable' : reason });
    await handle.close();
    return;
  }
  yield { path: showPath(path), handle, sizeBytes: stat.size };
}

function join(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}

function describeOpenError(error: unknown): SkippedPath['reason'] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'missing';
  if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENOTDIR') return 'symbolic_link';
  return code === 'ENXIO' ? 'not_a_file' : 'unreadable';
}
