import { listCollisions } from '@steward/flows/workspace-files';

/** Maximum size of a body that the trigger routes accept. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Returns the size of an encoded file: four characters for every three bytes, padded. */
export function countBase64Bytes(byteLength: number): number {
  return 4 * Math.ceil(byteLength / 3);
}

/** Describes all collisions of paths, although the service reports only the first one. */
export function describeCollisions(paths: readonly string[]): string[] {
  return listCollisions(paths).map(({ kind, path, other }) =>
    kind === 'twice'
      ? `"${path}" is attached twice${other === path ? '' : ` (also as "${other}")`}`
      : `"${path}" is a file, but also the folder that contains "${other}"`,
  );
}
