import { isUtf8 } from 'node:buffer';
import { readlink } from 'node:fs/promises';
import { openFolderBeneath, placeIn, type OpenFolder } from './open-folder.ts';

export type Resolution =
  /** The way without links; `isFolder` when it can only be a folder, by how it ends. Empty: the root itself. */
  | { readonly kind: 'resolved'; readonly segments: readonly string[]; readonly isFolder: boolean }
  /** A link on the way leads out of the root. */
  | { readonly kind: 'outside' }
  /** A link leads back up out of a folder that does not exist. */
  | { readonly kind: 'nowhere' }
  /** Links lead to links without end, or the way is too long to be walked. */
  | { readonly kind: 'endless' };

/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Folders entered for one path; each way back up enters those above anew. */
const MAX_STEPS = 4096;

/**
 * Follows the symbolic links on a way below a canonical root, one component after the other, as a kernel would that must not
 * leave the root: `..` of a link counts from where the link stands, an absolute target has to lie below the root. What does
 * not exist is taken as it is written, on the way down.
 *
 * It opens nothing for the caller: who then walks the segments without following links stays below the root and on this
 * very way, whatever changes the tree in between.
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

/** Where a link leads: from the root, or from where it stands. Undefined where an absolute one leads out of the root. */
function readTarget(
  root: string,
  target: string,
): { readonly isAbsolute: boolean; readonly segments: string[] } | undefined {
  if (!target.startsWith('/')) return { isAbsolute: false, segments: target.split('/') };
  if (target !== root && !target.startsWith(`${root}/`)) return undefined;
  return { isAbsolute: true, segments: target.slice(root.length).split('/') };
}

/** A place below the root, with the folder it is while that exists. */
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
  /** The folder of the place; undefined where nothing is, or a file. */
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

/** Of a link that was put there meanwhile, too: the way is then refused by who walks it. */
const NO_FOLDER: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENAMETOOLONG', 'EACCES']);

function ignoreMissing(error: unknown): undefined {
  if (NO_FOLDER.has((error as NodeJS.ErrnoException).code)) return undefined;
  throw error;
}

/** Where a link leads; undefined for everything that is none. */
async function readLinkIn(folder: OpenFolder, name: string): Promise<string | undefined> {
  try {
    const target = await readlink(placeIn(folder, name), 'buffer');
    // A name that is no text cannot be walked as one: it leads nowhere that is known to be inside.
    return isUtf8(target) ? target.toString() : '/';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || NO_FOLDER.has(code)) return undefined;
    throw error;
  }
}
