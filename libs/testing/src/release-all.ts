export type Release = () => Promise<unknown> | void;

/**
 * Releases all resources, the last one first, and each one even if another failed.
 * @throws the failure, when all have been released
 */
export async function releaseAll(releases: Release[]): Promise<void> {
  const failures: unknown[] = [];
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
    try {
      await release();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
