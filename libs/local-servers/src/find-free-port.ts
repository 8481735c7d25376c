import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * First port that is tried: the range is below those from which Linux, macOS and Windows assign ports, so that no
 * connection and no test server uses one of them.
 */
const FIRST_PORT = 15_000;
const PORTS = 17_000;

/** Finds a port of this machine on which no program listens. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
