import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Removes archives past their retention and what a crash left half written. Returns how many went. 0 hours keep all. */
export async function purgeEvidence(directory: string, retentionHours: number, now: Date): Promise<number> {
  if (retentionHours === 0) return 0;
  let purged = 0;
  for (const account of await list(directory)) {
    const folder = resolve(directory, account);
    for (const name of await list(folder)) {
      if (!/\.tar\.gz(?:\.partial)?$/.test(name)) continue;
      const path = resolve(folder, name);
      const written = await stat(path).catch(() => undefined);
      if (written === undefined || now.getTime() - written.mtimeMs < retentionHours * 3_600_000) continue;
      await rm(path, { force: true });
      purged += 1;
    }
    // Only an empty one goes.
    await rmdir(folder).catch(() => undefined);
  }
  return purged;
}

async function list(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
