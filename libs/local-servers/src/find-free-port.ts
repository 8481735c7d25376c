import { createServer } from 'node:net';

/** A port nobody listens on right now. Another process may take it before it is used: callers that lose try again. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('no port was given'));
      });
    });
  });
}
