import type { Server } from 'node:http';
import { StartupError } from './startup-error.ts';

/** Opens the port; if this fails, the error names the variable with which another port can be set. */
export function listen(
  server: Server,
  options: { readonly host: string; readonly port: number; readonly variable: string },
): Promise<void> {
  const { host, port, variable } = options;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const reason =
        error.code === 'EADDRINUSE' ? `port ${port} on ${host} is already in use` : `cannot listen on ${host}:${port}`;
      reject(
        new StartupError(`${reason} (${error.code ?? 'error'}); set ${variable} to another port`, { cause: error }),
      );
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
