import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

export interface FakeDocker {
  /** A search path (`PATH`) on which `docker` is this program. */
  readonly path: string;
  /** Lists every call of the client with its arguments and the names of its variables. */
  calls(): { readonly args: string[]; readonly variables: string[] }[];
  /**
   * Lists the ids of the programs that run in the container of an execution, each shortly after its start. @throws if
   * there is no container
   */
  pids(executionId: string): number[];
  remove(): void;
}

/**
 * Replaces the docker client on machines without an engine: it accepts the same arguments as the real one, represents a
 * "container" as a file and runs its programs directly in the folders that were mounted. It cannot show how an engine
 * interprets the arguments.
 */
export function createFakeDocker(): FakeDocker {
  const folder = mkdtempSync(resolve(tmpdir(), 'steward-docker-'));
  const bin = resolve(folder, 'bin');
  mkdirSync(bin);
  const log = resolve(folder, 'calls');
  writeFileSync(resolve(bin, 'docker'), `#!${process.execPath}\n${PROGRAM.replace('FOLDER', JSON.stringify(folder))}`);
  chmodSync(resolve(bin, 'docker'), 0o755);
  return {
    path: `${bin}:${process.env.PATH ?? ''}`,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as { args: string[]; variables: string[] })
        : [],
    pids(executionId) {
      const container = readFileSync(resolve(folder, `steward-${executionId}.json`), 'utf8');
      return (JSON.parse(container) as { pids: number[] }).pids;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const PROGRAM = `
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const folder = FOLDER;
const args = process.argv.slice(2);
fs.appendFileSync(folder + '/calls', JSON.stringify({ args, variables: Object.keys(process.env).sort() }) + '\\n');
const fail = (text, code) => { console.error(text); process.exit(code); };
const container = (name) => folder + '/' + name + '.json';
if (args[0] === 'version') console.log('fake');
else if (args[0] === 'run') {
  if (args.includes('no/such-image')) fail("docker: Unable to find image 'no/such-image' locally\\n\\nRun 'docker run --help' for more information", 125);
  const name = args.find((arg) => arg.startsWith('--name=')).slice(7);
  if (fs.existsSync(container(name))) fail('docker: the name is already in use', 125);
  const mounts = args.filter((arg) => arg.startsWith('--mount=')).map((arg) => /source=(.*),target=([^,]*)/.exec(arg));
  fs.writeFileSync(container(name), JSON.stringify({ mounts: mounts.map((m) => [m[2], m[1]]), pids: [] }));
  console.log('0123456789abcdef');
} else if (args[0] === 'exec') {
  const name = args[2];
  if (!fs.existsSync(container(name))) fail('Error response from daemon: No such container: ' + name, 1);
  const state = JSON.parse(fs.readFileSync(container(name), 'utf8'));
  const real = Object.fromEntries(state.mounts);
  const program = args.slice(3).map((arg) => arg.replaceAll('/steward/input', real['/steward/input']));
  const child = spawn(program[0], program.slice(1), {
    cwd: real['/workspace'], detached: true, stdio: 'inherit', env: { PATH: process.env.PATH },
  });
  state.pids.push(child.pid);
  fs.writeFileSync(container(name), JSON.stringify(state));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 137));
} else if (args[0] === 'rm') {
  const name = args.at(-1);
  if (!fs.existsSync(container(name))) process.exit(0);
  for (const pid of JSON.parse(fs.readFileSync(container(name), 'utf8')).pids) {
    try { process.kill(-pid, 'SIGKILL'); } catch { /* it is gone */ }
  }
  fs.rmSync(container(name));
} else if (args[0] === 'container') console.log(fs.existsSync(container(args.at(-1))));
else if (args[0] === 'ps') {
  for (const file of fs.readdirSync(folder)) if (file.endsWith('.json')) console.log(file.slice('steward-'.length, -'.json'.length));
} else fail('docker: unknown command', 1);
`;
