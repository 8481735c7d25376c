/** Returns the ids from `first` on, followed by the ids before it; returns the original order if `first` is unknown. */
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
