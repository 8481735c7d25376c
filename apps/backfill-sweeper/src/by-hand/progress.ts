const WIDTH = 30;
/** Number of rows per log line if there is no terminal for a progress bar. */
const ROWS_PER_LINE = 500;

/** Progress of a manual walk: a bar on a terminal, otherwise an occasional line. */
export interface Progress {
  add(rows: number): void;
  end(): void;
}

/** Creates the display of the progress. @param expected - estimated total number of rows; 0 if unknown */
export function createProgress(out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>, expected: number): Progress {
  let rows = 0;
  let said = 0;
  const draw = (): void => {
    const part = expected === 0 ? 1 : Math.min(1, rows / expected);
    const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.');
    out.write(`\r[${bar}] ${Math.floor(part * 100)} %, ${rows} rows`);
  };
  return {
    add(more) {
      rows += more;
      if (out.isTTY) draw();
      else if (rows - said >= ROWS_PER_LINE) out.write(`${(said = rows)} of about ${Math.max(expected, rows)} rows\n`);
    },
    end() {
      if (out.isTTY && rows > 0) out.write('\n');
    },
  };
}
