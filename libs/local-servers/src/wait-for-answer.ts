const START_DEADLINE_MS = 60_000;
const PROBE_INTERVAL_MS = 20;

/**
 * Probes a server until it responds.
 * @throws an error with the reason that `ended` returns as soon as the server has ended; after a minute, the last error
 *   of `probe`
 */
export async function waitForAnswer(
  probe: () => Promise<void>,
  ended: () => string | undefined = () => undefined,
): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let last: unknown = 'no response';
  while (Date.now() < deadline) {
    const end = ended();
    if (end !== undefined) throw new Error(end);
    try {
      await probe();
      return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
  }
  throw last;
}
