import { constants } from 'node:fs';
import { isForeign, openFileIn, openFolderBeneath, type FileOwner } from '../../workspace/open-folder.ts';
import { isNestedTooDeep } from '../../agent/json-depth.ts';

const MAX_RESULT_BYTES = 1024 * 1024;

export type ResultOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Reads `result.json` of the workspace, if the agent wrote it. A link is not followed: it could point to any file that
 * the worker can read.
 */
export async function readResult(workspaceDirectory: string, owner?: FileOwner): Promise<ResultOutcome> {
  let handle;
  try {
    const folder = await openFolderBeneath(workspaceDirectory, [], { create: false });
    try {
      handle = await openFileIn(folder, 'result.json', constants.O_RDONLY);
    } finally {
      await folder.handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? { kind: 'none' }
      : { kind: 'unusable', reason: `it cannot be opened (${code ?? 'error'})` };
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { kind: 'unusable', reason: 'it is not a file' };
    if (isForeign(stat, owner)) return { kind: 'unusable', reason: 'it does not belong to the run' };
    if (stat.size > MAX_RESULT_BYTES)
      return { kind: 'unusable', reason: `it has ${stat.size} bytes; the limit is ${MAX_RESULT_BYTES}` };
    const value = JSON.parse(await handle.readFile('utf8')) as unknown;
    return isNestedTooDeep(value) ? { kind: 'unusable', reason: 'it is nested too deeply' } : { kind: 'read', value };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'unusable', reason: 'it is not valid JSON' };
    throw error;
  } finally {
    await handle.close();
  }
}
