import { isUtf8 } from 'node:buffer';
import { readlink } from 'node:fs/promises';
import { openFolderBeneath, placeIn, type OpenFolder } from './open-folder.ts';

export type Resolution =
  /**
   * The path without links; empty for the root itself. `isFolder`: its last component must be a folder (a trailing
   * slash, `.` or `..`).
   */
  | { readonly kind: 'resolved'; readonly segments: readonly string[]; readonly isFolder: boolean }
  /** A link in the path points outside the root. */
  | { readonly kind: 'outside' }
  /** A link refers to the parent (`..`) of a file, or of a folder that does not exist. */
  | { readonly kind: 'nowhere' }
  /** Links form a loop, or the path is too long to resolve. */
  | { readonly kind: 'endless' };

/** The same maximum as in Linux. */
const MAX_LINKS = 40;
/** Maximum number of folders opened for one path; after each `..`, the folders above are opened again. */
const MAX_STEPS = 4096;

/**
 * Resolves the symbolic links in a path below a canonical root, component by component. The path must not leave the
 * root: a relative target is relative to the location of its link and may contain `..`, and an absolute target has to
 * be below the root. From the first component that does not exist, the rest of the path is kept unchanged. The function
 * does not open anything for the caller: a caller that then opens the segments without following links stays below the
 * root and on this path, whatever changes the tree in the meantime.
 */
export async function resolveBeneath(root: string, path: readonly string[]): Promise<Resolution> {
  const walk = createWalk(root);
  const pending = [...path];
  let links = 0;
  let isFolder = true;
  try {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      isFolder = name === '' || name === '.' || name === '..';
      if (name === '' || name === '.') continue;
      if (name === '..') {
        const left = await walk.leave();
        if (left !== 'left') return { kind: left };
      } else {
        const target = await walk.readLink(name);
        if (target === undefined) await walk.enter(name);
        else {
          links += 1;
          if (links > MAX_LINKS) return { kind: 'endless' };
          const way = readTarget(root, target);
          if (way === undefined) return { kind: 'outside' };
          if (way.isAbsolute) await walk.restart();
          pending.unshift(...way.segments);
        }
      }
      if (walk.steps() > MAX_STEPS) return { kind: 'endless' };
    }
    return { kind: 'resolved', segments: walk.segments(), isFolder };
  } finally {
    await walk.close();
  }
}

/**
 * Returns the target of a link: relative to the root if the target is absolute, otherwise relative to the location of
 * the link. Returns undefined if an absolute target is outside the root.
 */
function readTarget(
  root: string,
  target: string,
): { readonly isAbsolute: boolean; readonly segments: string[] } | undefined {
  if (!target.startsWith('/')) return { isAbsolute: false, segments: target.split('/') };
  if (target !== root && !target.startsWith(`${root}/`)) return undefined;
  return { isAbsolute: true, segments: target.slice(root.length).split('/') };
}

/** Creates a position, initially at the root, that keeps its folder open if the folder exists. */
function createWalk(root: string) {
  let segments: string[] = [];
  let folder: OpenFolder | undefined;
  let isKnown = false;
  let steps = 0;

  async function moveTo(next: string[]): Promise<void> {
    await folder?.handle.close();
    folder = undefined;
    isKnown = false;
    segments = next;
  }
  /** Returns the folder at the position; undefined if it does not exist or is a file. */
  async function open(): Promise<OpenFolder | undefined> {
    if (isKnown) return folder;
    steps += segments.length + 1;
    folder = await openFolderBeneath(root, segments, { create: false }).catch(ignoreMissing);
    isKnown = true;
    return folder;
  }
  return {
    segments: () => segments,
    steps: () => steps,
    async readLink(name: string): Promise<string | undefined> {
      const here = await open();
      return here === undefined ? undefined : readLinkIn(here, name);
    },
    async enter(name: string): Promise<void> {
      const here = await open();
      if (here === undefined) {
        segments = [...segments, name];
        return;
      }
      steps += 1;
      const next = await openFolderBeneath(placeIn(here, '.'), [name], { create: false }).catch(ignoreMissing);
      await here.handle.close();
      segments = [...segments, name];
      folder = next;
    },
    async leave(): Promise<'left' | 'outside' | 'nowhere'> {
      if (segments.length === 0) return 'outside';
      if ((await open()) === undefined) return 'nowhere';
      await moveTo(segments.slice(0, -1));
      return 'left';
    },
    restart: () => moveTo([]),
    close: () => moveTo([]),
  };
}

/**
 * Error codes that are treated like the absence of a folder. They include the code for a link that was created in the
 * meantime, in which case the caller refuses the path.
 */
const NO_FOLDER: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENAMETOOLONG', 'EACCES']);

function ignoreMissing(error: unknown): undefined {
  if (NO_FOLDER.has((error as NodeJS.ErrnoException).code)) return undefined;
  throw error;
}

/** Returns the target of a link; undefined for anything else. */
async function readLinkIn(folder: OpenFolder, name: string): Promise<string | undefined> {
  try {
    const target = await readlink(placeIn(folder, name), 'buffer');
    // A target that is not valid UTF-8 cannot be resolved: it is treated as outside the root.
    return isUtf8(target) ? target.toString() : '/';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || NO_FOLDER.has(code)) return undefined;
    throw error;
  }
}
