import { sql } from 'kysely';
import type { KeyPurpose, SecretBox } from '@steward/crypto';
import { StartupError, type Logger } from '@steward/process';
import type { SealedColumn } from './sealed-column.ts';
import type { AnyDatabase } from './transact.ts';

export interface KeyCheck {
  readonly columns: readonly SealedColumn[];
  /** The box of each purpose whose secrets the process decrypts; columns of other purposes are not checked. */
  readonly boxes: Readonly<Partial<Record<KeyPurpose, Pick<SecretBox, 'prefixes'>>>>;
  /** Name of the setting that the operator has to check. */
  readonly variable: string;
  /** True if the operator has declared that the previous key is permanently lost. */
  readonly isLost: boolean;
}

/**
 * First byte of values with a key id, that is, of version 2 (secret-box.ts); older values contain no key id and are not
 * checked.
 */
const NAMED = Buffer.from([2]);
const PREFIX_BYTES = 5;

/**
 * Refuses to start if there are stored secrets and none of them can be decrypted, for example after a restore with
 * another SECRET_KEY: otherwise webhooks and flows would fail one by one, and new secrets would be encrypted with a
 * second key. If only some of them can be decrypted, or if `isLost` is true, a warning is logged instead.
 *
 * @throws StartupError that names the setting and the number of secrets
 */
export async function assertKeysFit(db: AnyDatabase, check: KeyCheck, logger: Pick<Logger, 'warn'>): Promise<void> {
  const { variable } = check;
  const foreign = new Map<string, number>();
  let fitting = 0;
  for (const column of check.columns) {
    const known = check.boxes[column.purpose as KeyPurpose]?.prefixes;
    if (known === undefined) continue;
    for (const { prefix, count } of await countByKey(db, column)) {
      const id = prefix.subarray(1).toString('hex');
      if (known.some((each) => each.equals(prefix))) fitting += count;
      else foreign.set(id, (foreign.get(id) ?? 0) + count);
    }
  }
  if (foreign.size === 0) return;
  const secrets = [...foreign.values()].reduce((sum, count) => sum + count, 0);
  if (fitting > 0 || check.isLost) {
    logger.warn('secrets.key_missing', { variable, secrets, keys: [...foreign.keys()] });
    return;
  }
  throw new StartupError(
    `${variable} is not the key of this database: none of its ${secrets} stored secrets can be decrypted. Set ` +
      `${variable} or ${variable}_PREVIOUS to the key with which they were encrypted; if that key is permanently lost, ` +
      'set SECRET_KEY_LOST=true to start without it',
  );
}

async function countByKey(db: AnyDatabase, { table, column }: SealedColumn) {
  const sealed = sql.ref(column);
  const counted = await sql<{ prefix: Buffer; count: number }>`
    select substr(${sealed}, 1, ${sql.lit(PREFIX_BYTES)}) as prefix, count(*)::integer as count
    from ${sql.table(table)} where substr(${sealed}, 1, 1) = ${NAMED} group by 1 order by 2 desc
  `.execute(db);
  return counted.rows;
}
