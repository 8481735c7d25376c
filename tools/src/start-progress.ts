export type Say = (line: string) => void;

/** Prints lines during a long run, each with the seconds since this call. */
export function startProgress(): Say {
  const startedAt = performance.now();
  return (line) => console.log(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${line}`);
}
