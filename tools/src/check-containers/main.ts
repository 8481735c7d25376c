import { parseArgs } from 'node:util';
import { createChecks, renderSummary, type Checks } from './checks.ts';
import { checkCompose } from './compose/check-compose.ts';
import { buildImages } from './build-images.ts';
import { runProgram } from './docker.ts';
import { checkEvidence } from './evidence/check-evidence.ts';
import { checkKeys } from './keys/check-keys.ts';
import { checkRunner } from './runner/check-runner.ts';
import { checkServers } from './servers/check-servers.ts';

const HELP = `npm run check:containers [-- options]

Tests the container setup with a Docker engine on this machine: the compose file, the servers that npm start runs in Docker,
the docker runner, evidence in a volume and in a bucket, and the secret files. Everything it starts has separate names and is
removed afterwards.

  --no-build     uses the images steward/*:$STEWARD_VERSION (default: check) instead of building them
  --only NAMES   comma-separated list of compose, evidence, keys, runner, servers
  --help         print this help

Needs the docker client with compose 2.24 or newer, and an engine that can mount folders of this machine. Takes about ten
minutes. Exit code 0: all checks pass; 1: one fails; 2: there is no engine.`;

const AREAS: Readonly<Record<string, (checks: Checks) => Promise<void>>> = {
  compose: checkCompose,
  evidence: checkEvidence,
  keys: checkKeys,
  runner: checkRunner,
  servers: checkServers,
};

/** Runs `npm run check:containers`. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'no-build': { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys(AREAS).join(',') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const names = values.only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(name in AREAS));
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; available: ${Object.keys(AREAS).join(', ')}`);
  // `docker info` is not used, because with some clients it exits 0 although no engine responds.
  const engine = await runProgram(['docker', 'version', '--format', '{{.Server.Version}}']).catch(() => undefined);
  if (engine === undefined || engine.code !== 0) {
    const reason = engine === undefined ? 'there is no docker client' : engine.output.trim().split('\n').at(-1);
    console.error(`check:containers needs a Docker engine, and none responds: ${reason}`);
    return 2;
  }
  console.log(`Docker engine ${engine.stdout.trim()}\n`);
  const checks = createChecks((line) => console.log(line));
  if (!values['no-build'] && names.some((name) => name !== 'servers')) await buildImages(checks);
  for (const name of names) await AREAS[name]?.(checks);
  console.log(`\n${renderSummary(checks.results)}`);
  return checks.results.every(({ holds }) => holds) ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
