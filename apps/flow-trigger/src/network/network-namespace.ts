import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { isIP, type Server } from 'node:net';
import type { Destination } from '@steward/flows';

/**
 * File descriptors that keep the namespaces alive: a namespace exists as long as its file is open, or a program is
 * running in it.
 */
export interface NamespaceFiles {
  readonly network: number;
  /** The user namespace that owns the network namespace; undefined if the worker's own user namespace is the owner. */
  readonly user: number | undefined;
}

export interface NetworkNamespace {
  /**
   * Returns a server of this process that accepts connections to an address in the namespace; undefined if the
   * namespace has no such address.
   */
  listen(at: Destination): Promise<Server | undefined>;
  /** Ends the helper process, and returns the open files of the namespaces; the listeners stay open. */
  finish(): Promise<NamespaceFiles>;
  close(): void;
}

const TIMEOUT_MS = 15_000;
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Command that enables the loopback device, with iproute2 if it is installed, else with perl, which every Debian has.
 */
const LOOPBACK_UP = `ip link set lo up 2> /dev/null || perl -e 'socket(S, 2, 2, 0) && ioctl(S, 0x8914, pack("a16 s x14", "lo", 0x49)) || die "$!\\n"'`;

/**
 * Script that opens the requested listeners and passes them to the worker: a socket belongs to the namespace in which
 * it was created, not to the namespace of the process that uses the socket.
 */
const HELPER = `
const { createServer } = require('node:net');
process.on('message', (at) => {
  const server = createServer();
  server.once('error', (error) => process.send({ error: error.code }));
  server.listen({ ...at, exclusive: true }, () => process.send({}, server, () => server.close()));
});
process.on('disconnect', () => process.exit(0));
process.send({});
`;

/**
 * Creates a network namespace in which the loopback device is up and, if iproute2 is installed, has these additional
 * addresses.
 * @throws Error if the namespace cannot be created, with the error output of the programs
 */
export async function openNamespace(
  addresses: readonly string[],
  needsUserNamespace: boolean,
): Promise<NetworkNamespace> {
  const added = addresses
    .filter((address) => isIP(address) !== 0 && !address.startsWith('127.') && address !== '::1')
    .map((address) => `ip address add ${address}/${isIP(address) === 4 ? 32 : 128} dev lo 2> /dev/null || :`);
  const script = ['set -e', LOOPBACK_UP, ...added, 'exec "$0" -e "$1"'].join('\n');
  const helper = spawn(
    'unshare',
    [
      ...(needsUserNamespace ? ['--user', '--map-current-user', '--keep-caps'] : []),
      ...['--net', '--', '/bin/sh', '-c', script, process.execPath, HELPER],
    ],
    { cwd: '/', env: { PATH: SYSTEM_PATH }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  const ask = createAsk(helper);
  const files: number[] = [];
  const close = (): void => {
    helper.kill('SIGKILL');
    for (const file of files.splice(0)) closeSync(file);
  };
  try {
    await ask();
    const open = (name: string): number => {
      const file = openSync(`/proc/${helper.pid}/ns/${name}`, 'r');
      files.push(file);
      return file;
    };
    const opened = { network: open('net'), user: needsUserNamespace ? open('user') : undefined };
    return {
      listen: (at) => ask(at),
      finish() {
        helper.disconnect();
        return Promise.resolve(opened);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Creates the function that sends a request to the helper. The caller must wait for the response before it sends the
 * next request, because responses have no ids.
 */
function createAsk(helper: ChildProcess): (at?: Destination) => Promise<Server | undefined> {
  let said = '';
  helper.stderr?.on('data', (data: Buffer) => (said = `${said}${data.toString()}`.slice(0, 2000)));
  const fail = (why: string): Error => new Error(`no network namespace: ${said.trim() || why}`);
  return (at) =>
    new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        helper.off('message', answer).off('close', end).off('error', refuse);
        then();
      };
      const answer = (message: { error?: string }, server: unknown): void =>
        settle(() => {
          if (message.error === undefined || message.error === 'EADDRNOTAVAIL') return resolve(server as Server);
          reject(fail(`${at?.host} port ${at?.port}: ${message.error}`));
        });
      const end = (): void => settle(() => reject(fail('its first process ended')));
      const refuse = (error: Error): void => settle(() => reject(fail(error.message)));
      const timer = setTimeout(() => settle(() => reject(fail('it did not start'))), TIMEOUT_MS);
      helper
        .on('message', answer as never)
        .on('close', end)
        .on('error', refuse);
      if (at !== undefined) helper.send({ host: at.host, port: at.port }, () => undefined);
    });
}
