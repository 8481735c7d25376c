import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openDatabase, type OpenDatabase } from '../testing/open-database.ts';
import { followReplica, type ReplicaFollower } from './follow-replica.ts';

let database: OpenDatabase;
let silent: Server;
let sockets: Socket[];
beforeAll(async () => {
  database = await openDatabase();
  silent = createServer((socket) => void sockets.push(socket));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
beforeEach(() => void (sockets = []));
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await database.drop();
});

function follow(url?: string): ReplicaFollower & { readonly logged: string[] } {
  const logged: string[] = [];
  const write = (message: string): void => void logged.push(message);
  const logger = { debug: write, info: write, warn: write, error: write } as never;
  const { pool } = database.open({ poolSize: 1, checkoutTimeoutMs: 1500, ...(url === undefined ? {} : { url }) });
  return { ...followReplica({ pool, waitMs: 5000, logger, leave: () => undefined }), logged };
}

describe('a replica (PROC-21)', () => {
  it('is unavailable if the server does not follow a primary', async () => {
    const follower = follow();
    expect(await follower.reach('0/1')).toBe('away');
    expect(await follower.readState()).toBeUndefined();
    expect(follower.logged).toEqual(['replica.is_away']);
  });

  it('is unavailable if the server does not respond, and is not called again immediately', async () => {
    const { port } = silent.address() as AddressInfo;
    const follower = follow(`postgres://nobody@127.0.0.1:${port}/nothing`);
    expect(await follower.reach('0/1')).toBe('away');
    expect(await follower.reach('0/1')).toBe('away');
    expect(sockets).toHaveLength(1);
    expect(follower.logged).toEqual(['replica.is_away']);
  });

  it('is unavailable if no server is listening, and after a failed read', async () => {
    const follower = follow('postgres://nobody@127.0.0.1:1/nothing');
    expect(await follower.reach('0/1')).toBe('away');
    const other = follow();
    other.noteFailure(new Error('gone'));
    expect(await other.reach('0/1')).toBe('away');
  });
});
