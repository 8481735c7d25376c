/**
 * Returns the sorted ids, rotated to begin with the first id that is not less than `first`. Returns the original order
 * if `first` is undefined or greater than all ids.
 */
export function rotate(ids: readonly string[], first: string | undefined): string[] {
  const start =
    first === undefined
      ? 0
      : Math.max(
          0,
          ids.findIndex((id) => id >= first),
        );
  return [...ids.slice(start), ...ids.slice(0, start)];
}
