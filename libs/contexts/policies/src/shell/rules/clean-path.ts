/** Matches the prefix of a Windows path with a drive letter. */
const DRIVE = /^[A-Za-z]:[\\/]/;
/** Matches links that exist on every Linux system: to the root, and to the working folder of a process. */
const PROCESS_LINK = /^proc\/(?:self|thread-self|\d+)\/(root|cwd)$/;

/**
 * Returns a path in which `.`, `..`, double slashes, `file:` URLs and the home folder are resolved. Uses only the
 * string: no links are followed except `/proc/PID/root` and `/proc/PID/cwd`, whose targets are known. `$HOME` and
 * `${HOME}` at the start become `~`, and `$PWD` becomes `.`; a relative path stays relative, and starts with `..` if it
 * leaves its folder. Takes linear time in the length of the path and never fails.
 */
export function cleanPath(text: string): string {
  return resolve(readHome(readAddress(text)));
}

/**
 * Returns whether a path is a folder or below it; for the folder `.`, true for all relative paths that do not leave
 * their folder.
 */
export function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [cleanPath(path), cleanPath(folder)];
  if (inner.includes('\u0000')) return false;
  if (outer === '.') return !/^(?:\/|~|\.\.(?:\/|$)|[a-z]:\/)/.test(inner);
  if (outer === '/') return inner.startsWith('/');
  return (inner === outer || inner.startsWith(`${outer}/`)) && !/(?:^|\/)\.\.(?:\/|$)/.test(inner.slice(outer.length));
}

function readAddress(text: string): string {
  if (!/^file:/i.test(text)) return DRIVE.test(text) ? text.replaceAll('\\', '/') : text;
  const path = text.slice(5).replace(/^\/\/(?:localhost)?(?=\/)/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readHome(text: string): string {
  return text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, '~').replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, '.');
}

function resolve(text: string): string {
  const [, anchor = ''] = /^(~[^/]*|[A-Za-z]:(?=\/)|(?=\/))/.exec(text) ?? [];
  const isHome = anchor.startsWith('~');
  let isAbsolute = text.startsWith('/') || (anchor !== '' && !isHome);
  let parts: string[] = [];
  for (const part of text.slice(anchor.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      goUp(parts, isAbsolute);
      continue;
    }
    parts.push(part);
    const link = isAbsolute ? readLink(parts) : undefined;
    if (link === undefined) continue;
    parts = [];
    isAbsolute = link === 'root';
  }
  const below = parts.join('/');
  if (isHome) return below === '' ? anchor : `${anchor}/${below}`;
  if (isAbsolute) return `${anchor.toLowerCase()}/${below}`;
  return below === '' ? '.' : below;
}

function goUp(parts: string[], isAbsolute: boolean): void {
  if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
  else if (!isAbsolute) parts.push('..');
}

function readLink(parts: readonly string[]): string | undefined {
  return parts.length === 3 ? PROCESS_LINK.exec(parts.join('/'))?.[1] : undefined;
}
