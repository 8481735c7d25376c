import type pg from 'pg';
import type { SecretBox } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

export interface ResealReport {
  readonly table: string;
  readonly column: string;
  /** Number of sealed values. */
  readonly total: number;
  /** Number of values that were sealed with an earlier key, or in the older format, at the beginning. */
  readonly old: number;
  readonly resealed: number;
  /**
   * Number of values that are sealed with an earlier key, or in the older format, at the end: those that cannot be
   * decrypted, and those that an app has sealed with an earlier key since the beginning; after a dry run, all of them.
   */
  readonly left: number;
  /**
   * Primary keys of rows whose values cannot be decrypted with any of the given SECRET_KEYs; these rows are not
   * changed.
   */
  readonly unopened: readonly string[];
}

interface Options {
  readonly box: SecretBox;
  readonly dryRun: boolean;
  readonly batchSize: number;
  readonly log: (line: string) => void;
}

interface SealedRow {
  /** Columns of the primary key and the other columns needed for the encryption context, as strings. */
  readonly row: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
}

/**
 * Processes one column in the order of the primary key and re-encrypts values that are not sealed with the current key.
 */
export async function resealColumn(client: pg.Client, target: SealedColumn, options: Options): Promise<ResealReport> {
  const name = `${target.table}.${target.column}`;
  const { total, old } = await countSealed(client, target, options.box);
  const unopened: string[] = [];
  let resealed = 0;
  let after: readonly string[] | undefined;
  for (;;) {
    const rows: readonly SealedRow[] = await listOld(client, target, { ...options, after });
    for (const { row, sealed } of rows) {
      const key = target.key.map((column) => row[column] ?? '');
      const renewed = reseal(target, options.box, { row, sealed });
      if (renewed === undefined) unopened.push(key.join('/'));
      else if (!options.dryRun && (await replace(client, target, { key, sealed, renewed }))) resealed += 1;
      after = key;
    }
    if (rows.length > 0 && !options.dryRun) options.log(`${name}: ${resealed} of ${old} values re-encrypted`);
    if (rows.length < options.batchSize) break;
  }
  const { old: left } = await countSealed(client, target, options.box);
  return { table: target.table, column: target.column, total, old, resealed, left, unopened };
}

function reseal(target: SealedColumn, box: SecretBox, { row, sealed }: SealedRow): Buffer | undefined {
  const context = target.describeContext(row);
  let text: string;
  try {
    text = box.open(sealed, context);
  } catch {
    return undefined;
  }
  return box.seal(text, context);
}

async function countSealed(
  client: pg.Client,
  { table, column }: SealedColumn,
  box: SecretBox,
): Promise<{ readonly total: number; readonly old: number }> {
  const counted = await client.query<{ total: string; old: string }>(
    `select count(*) as total, count(*) filter (where substr(${column}, 1, ${box.prefix.length}) <> $1) as old
     from ${table} where ${column} is not null`,
    [box.prefix],
  );
  return { total: Number(counted.rows[0]?.total), old: Number(counted.rows[0]?.old) };
}

async function listOld(
  client: pg.Client,
  { table, column, key, needs = [] }: SealedColumn,
  page: Options & { readonly after: readonly string[] | undefined },
): Promise<readonly SealedRow[]> {
  const columns = key.join(', ');
  const shown = [...key, ...needs].map((name) => `'${name}', ${name}::text`).join(', ');
  const from =
    page.after === undefined ? '' : `and (${columns}) > (${key.map((_, index) => `$${index + 2}`).join(', ')})`;
  const found = await client.query<SealedRow>(
    `select json_build_object(${shown}) as row, ${column} as sealed from ${table}
     where ${column} is not null and substr(${column}, 1, ${page.box.prefix.length}) <> $1 ${from}
     order by ${columns} limit ${page.batchSize}`,
    [page.box.prefix, ...(page.after ?? [])],
  );
  return found.rows;
}

/**
 * Replaces only the value that was decrypted: a value that an app stored in the meantime is newer, and stays unchanged.
 */
async function replace(
  client: pg.Client,
  { table, column, key }: SealedColumn,
  change: { readonly key: readonly string[]; readonly sealed: Buffer; readonly renewed: Buffer },
): Promise<boolean> {
  const where = key.map((name, index) => `${name} = $${index + 3}`).join(' and ');
  const updated = await client.query(`update ${table} set ${column} = $1 where ${column} = $2 and ${where}`, [
    change.renewed,
    change.sealed,
    ...change.key,
  ]);
  return updated.rowCount === 1;
}
