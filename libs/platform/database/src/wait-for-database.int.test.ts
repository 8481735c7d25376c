import { connect, createServer } from 'node:net';
import { findFreePort } from '@steward/local-servers';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { waitForDatabase } from './wait-for-database.ts';

describe('waiting for the database', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const atPort = (port: number): string => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };

  it('continues until it is available, and reports at every attempt the reason and the remaining time', async () => {
    const port = await findFreePort();
    const { hostname, port: realPort } = new URL(database.url);
    const server = createServer((socket) => {
      const toDatabase = connect(Number(realPort), hostname);
      for (const one of [socket, toDatabase]) one.on('error', () => undefined);
      socket.pipe(toDatabase).pipe(socket);
    });
    const lines: string[] = [];
    await waitForDatabase(atPort(port), {
      seconds: 60,
      log(line) {
        lines.push(line);
        if (lines.length === 1) server.listen(port, '127.0.0.1');
      },
    });
    server.close();
    expect(lines.at(-1)).toBe('the database responds');
    expect(lines[0]).toMatch(/^the database of DATABASE_URL \(.*\) cannot be reached: .*; trying again for \d+ s$/);
    expect(lines[0]).not.toContain(new URL(database.url).password || 'no password');
  });

  it('fails with the reason when its time is over', async () => {
    const log = (): void => undefined;
    const url = atPort(await findFreePort());
    await expect(waitForDatabase(url, { seconds: 0, log })).rejects.toThrow('cannot be reached: connect ECONNREFUSED');
    await expect(waitForDatabase(url, { seconds: 0.5, log })).rejects.toThrow('cannot be reached');
    const unknown = 'postgres://user@database.invalid/steward';
    await expect(waitForDatabase(unknown, { seconds: 0.5, log })).rejects.toThrow('cannot be reached');
  });

  it('does not wait for errors that do not resolve over time', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    const lines: string[] = [];
    await expect(waitForDatabase(url.href, { seconds: 60, log: (line) => lines.push(line) })).rejects.toThrow(
      'does not exist',
    );
    expect(lines).toEqual([]);
  });
});
