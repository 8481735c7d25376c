const ATTEMPTS = 5;
/** Matches messages of Postgres, nats-server and the Docker engine for a port that is in use. */
const IS_TAKEN = /address already in use|port is already allocated/i;

/** Starts a server on ports that `start` finds: if another process binds one of them first, other ports are tried. */
export async function retryTakenPort<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !IS_TAKEN.test(String(error))) throw error;
    }
  }
}
