import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { findFreePort } from './find-free-port.ts';

const MODULE = pathToFileURL(resolve(import.meta.dirname, 'find-free-port.ts')).href;
/** So many that ports chosen at random, without reservations, would almost certainly meet. */
const PORTS = 400;
/** Finds ports, prints them, and holds them until its standard input ends. */
const FINDER = `
  import { findFreePort } from ${JSON.stringify(MODULE)};
  const ports = [];
  for (let count = 0; count < ${PORTS}; count += 1) ports.push(await findFreePort());
  process.stdout.end(JSON.stringify(ports));
  process.stdin.resume();`;

/** Starts a process that finds ports. */
function startFinder() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', FINDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { ports: text(child.stdout).then((printed) => JSON.parse(printed) as number[]), end: () => child.stdin.end() };
}

describe('a free port', () => {
  it('is outside of the range from which this machine assigns ports', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, findFreePort));
    const given = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/)[0]);
    // Ports in the excluded range are used only if an administrator has extended the range that the system assigns.
    expect(ports.filter((port) => port < 1024 || port >= Math.max(given, 32_000))).toEqual([]);
    expect(new Set(ports).size).toBe(50);
  });

  it('is found once only, by all running processes, even before a server listens on it', async () => {
    const finders = [startFinder(), startFinder()];
    try {
      const ports = (await Promise.all(finders.map((finder) => finder.ports))).flat();
      expect(ports).toHaveLength(2 * PORTS);
      expect(ports.filter((port, place) => ports.indexOf(port) !== place)).toEqual([]);
    } finally {
      for (const finder of finders) finder.end();
    }
  });
});
