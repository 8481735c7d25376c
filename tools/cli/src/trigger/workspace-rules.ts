import { foldPath } from '@steward/slice-flows/workspace-files';

/** The trigger routes read no larger body. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Size of a file once encoded: four characters for every three bytes, padded. */
export function countBase64Bytes(byteLength: number): number {
  return 4 * Math.ceil(byteLength / 3);
}

/** Every two files at one place, or one below another; the service names the first alone (interface.md, workspace_files). */
export function describeCollisions(paths: readonly string[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const folded = foldPath(path);
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
