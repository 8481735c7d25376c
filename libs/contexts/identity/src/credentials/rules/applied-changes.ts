/** Maximum duration of a read whose result is kept; the result of a longer read is used only for its own request. */
const MAX_READ_MS = 1000;

/**
 * Returns whether the result of a read may be kept: nothing of the account has changed since the read began, and the
 * read took no longer than `MAX_READ_MS`.
 */
export type IsUnchanged = (accountId: string) => boolean;

/**
 * The changes that a process has applied, in their order: they show whether the result of a read is still current if
 * changes were applied while the read was running.
 */
export class AppliedChanges {
  readonly #now: () => number;
  #serial = 0;
  #everythingAt = 0;
  readonly #changed = new Map<string, { readonly serial: number; readonly at: number }>();

  /** @param now - the monotonic time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  noteEverything(): void {
    this.#serial += 1;
    this.#everythingAt = this.#serial;
  }

  note(accountIds: readonly string[]): void {
    this.#serial += 1;
    const at = this.#now();
    for (const accountId of accountIds) {
      this.#changed.delete(accountId);
      this.#changed.set(accountId, { serial: this.#serial, at });
    }
    // Changes that are older than twice `MAX_READ_MS` are deleted: a read that began before them has taken too long for
    // its result to be kept.
    for (const [accountId, change] of this.#changed) {
      if (at - change.at <= 2 * MAX_READ_MS) break;
      this.#changed.delete(accountId);
    }
  }

  beginRead(): IsUnchanged {
    const [serial, at] = [this.#serial, this.#now()];
    return (accountId) =>
      this.#now() - at <= MAX_READ_MS &&
      this.#everythingAt <= serial &&
      (this.#changed.get(accountId)?.serial ?? 0) <= serial;
  }
}
