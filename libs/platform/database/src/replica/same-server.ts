import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/**
 * Error of a connection that led to a different server than the open connections, or that was closed so that the
 * process can connect to another server.
 */
export class OtherServerError extends Error {
  override readonly name = 'OtherServerError';
}

/**
 * Keeps the connections of several pools on one server, because the name of a service may resolve to several standbys,
 * each with its own position. While connections to one server are open, a new connection to another one is closed.
 */
export interface SameServer {
  /** Called for each new connection. @throws OtherServerError if the other connections are to another server */
  admit(client: ClientBase): Promise<void>;
  /** Closes all connections, so that the next one may reach another server. */
  leave(): void;
}

const IDENTITY = `select concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`;

export function keepSameServer(): SameServer {
  const open = new Map<ClientBase, string>();
  return {
    async admit(client) {
      const { rows } = await client.query<{ server: string }>(IDENTITY);
      const server = rows[0]?.server ?? '';
      const [current = server] = open.values();
      if (server !== current) throw new OtherServerError('the connection reached another server');
      open.set(client, server);
      client.once('end', () => void open.delete(client));
    },
    leave() {
      for (const client of open.keys())
        readSocket(client).destroy(
          new OtherServerError('the connection was closed, so that the process can connect to another server'),
        );
    },
  };
}

/**
 * Returns the socket of a connection: closing it is the only way to remove an idle connection from its pool and to make
 * the statement of a busy one fail.
 */
function readSocket(client: ClientBase): Socket {
  return (client as ClientBase & { readonly connection: { readonly stream: Socket } }).connection.stream;
}
