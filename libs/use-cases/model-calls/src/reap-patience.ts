/** Tells the dead from those who could give no sign of life: while the database was away, nobody could. */
export interface ReapPatience {
  /** The database answers. @returns whether it has done so for long enough */
  see(): boolean;
}

export interface ReapPatienceOptions {
  /** Between two looks; whoever has not looked for twice as long was away, or the database was. */
  readonly passMs: number;
  /** In which everybody who lives gives a sign of it. */
  readonly signMs: number;
}

/** @param now - milliseconds of a clock that never goes back */
export function createReapPatience(
  { passMs, signMs }: ReapPatienceOptions,
  now: () => number = () => performance.now(),
): ReapPatience {
  let lastSeen = now();
  let since = lastSeen;
  return {
    see() {
      const at = now();
      if (at - lastSeen > 2 * passMs) since = at;
      lastSeen = at;
      return at - since >= signMs;
    },
  };
}
