export type Release = () => Promise<unknown> | void;

/** Takes the last first, and each although one before it failed. @throws the failure, when all are done */
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
