import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Removes a folder that an agent worked in, including files that it made unreadable for its own user. Links are not
 * followed.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await remove(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    await execute('chmod', ['-R', 'u+rwx', '--', path]).catch(() => undefined);
    await remove(path);
  }
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}
