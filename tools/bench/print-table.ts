/** Prints rows under a heading, numbers right-aligned. */
export function printTable(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [heading, ...rows.map((row) => row.map(format))];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const isNumeric = heading.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  console.log(`  ${line(heading)}`);
  console.log(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const row of cells.slice(1)) console.log(`  ${line(row)}`);
}

function format(value: string | number): string {
  if (typeof value === 'string') return value;
  if (Number.isNaN(value)) return '-';
  return Math.abs(value) >= 100 ? Math.round(value).toString() : value.toFixed(2);
}
