import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { AnyDatabase } from '@steward/database';
import { readSeals } from '../../seals/operations/read-seals.ts';
import { renderEnd, renderSeal, renderStart } from '../../seals/rules/render-lines.ts';
import type { PlannedObject } from '../store/audit-export.store.ts';

export interface WrittenObject {
  readonly sizeBytes: number;
  /** Digest of the file, in hexadecimal. */
  readonly sha256: string;
  readonly entries: number;
  /** Digest of the last seal. */
  readonly digest: Buffer;
}

/**
 * Writes the planned seals to a new file, in the format of the API's export (ACC-51). The same seals always result in
 * the same bytes.
 */
export async function writeObject(
  db: AnyDatabase,
  path: string,
  { accountId, planned }: { readonly accountId: string; readonly planned: PlannedObject },
): Promise<WrittenObject> {
  const { number, digest, removed_entries: removed, last } = planned;
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    sizeBytes += bytes.length;
    await file.writeFile(bytes);
  };
  try {
    let [seals, entries, head] = [0, 0, digest];
    await write(
      renderStart({
        accountId,
        number,
        digest,
        removed: removed === null ? undefined : { seals: number, entries: removed },
      }),
    );
    for await (const sealed of readSeals(db, { accountId, after: number })) {
      await write(renderSeal(sealed));
      seals += 1;
      entries += sealed.rows.length;
      head = sealed.seal.digest;
      if (sealed.seal.number >= last) break;
    }
    await write(renderEnd({ seals, entries }));
    return { sizeBytes, sha256: hash.digest('hex'), entries, digest: head };
  } finally {
    await file.close();
  }
}
