export type Say = (line: string) => void;

/** Returns a function that prints a line during a long run, with the seconds since this call. */
export function startProgress(): Say {
  const startedAt = performance.now();
  return (line) => console.log(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${line}`);
}
