/** Returns the results of `describe` in the order of the hashes; undefined for a hash without a row. */
export function mapFound<Row, Described>(
  hashes: readonly Buffer[],
  rows: readonly Row[],
  hashOf: (row: Row) => Buffer,
  describe: (row: Row) => Described,
): (Described | undefined)[] {
  const byHash = new Map(rows.map((row) => [hashOf(row).toString('hex'), row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash.toString('hex'));
    return row === undefined ? undefined : describe(row);
  });
}
