/**
 * Accepts each event once and processes it after the response was sent.
 *
 * In production `put` is one statement against your database, before the response:
 *   insert into inbox (event_id, body) values ($1, $2) on conflict do nothing
 * and the work is done by the process that reads that table. This example stores events in memory: an event is lost if
 * the process ends between the response and the work, and after a restart, earlier events are no longer recognized.
 */
export function createInbox(handle, maxRemembered = 10_000) {
  const seen = new Set();
  return {
    /** Returns false if the event was stored before, because events are delivered at least once. */
    put(event) {
      if (seen.has(event.id)) return false;
      seen.add(event.id);
      if (seen.size > maxRemembered) seen.delete(seen.values().next().value);
      setImmediate(() => {
        Promise.resolve(event)
          .then(handle)
          .catch((error) => console.error(`event ${event.id} was not handled`, error));
      });
      return true;
    },
  };
}

/** Returns the endpoint's secret; during a rotation the new and the old one, separated by a comma. */
export function readSecrets(environment = process.env) {
  const secrets = (environment.WEBHOOK_SECRETS ?? '').split(',').filter((secret) => secret !== '');
  if (secrets.length > 0) return secrets;
  console.error('set WEBHOOK_SECRETS to the secret that the endpoint was created with');
  process.exit(1);
}
