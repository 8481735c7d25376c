import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ComposeProject } from '../compose-project.ts';
import { docker, runProgram } from '../docker.ts';
import { awaitStatus, registerVisitor, runAgent, startAgent } from '../visitor.ts';
import type { Deployment } from './use.ts';

export async function checkSecretsStayInFiles(project: ComposeProject): Promise<string> {
  const secrets = project.listSecrets();
  const containers = await project.listContainers();
  for (const id of containers) {
    const facts = await docker('inspect', id);
    const log = (await runProgram(['docker', 'logs', id])).output;
    const running = await runProgram(['docker', 'exec', id, 'cat', '/proc/1/cmdline', '/proc/1/environ']);
    for (const secret of secrets) {
      for (const [place, text] of Object.entries({ facts, log, running: running.output }))
        ok(!text.includes(secret), `a secret is in the ${place} of ${id}`);
    }
  }
  return `${secrets.length} secrets, ${containers.length} containers`;
}

/** Commands with which the agent itself counts the findings, because they would be masked in its log. */
const LOOK = [
  'vars() { for file in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $file; done 2> /dev/null; }',
  'echo "variables=$(vars | grep -c -E "DATABASE_URL|NATS_URL|SECRET_KEY")"',
  'echo "secrets=$(cat /run/secrets/* 2> /dev/null | wc -c)"',
  'echo "evidence=$(ls -A /evidence 2> /dev/null | wc -l)"',
  'echo "foreign=$(find / -xdev -name "canary-of-another*" 2> /dev/null | wc -l)"',
  'echo "memory=$(head -c 1 /proc/1/mem 2> /dev/null | wc -c)"',
  'echo "own=$(ls canary-of-mine)"',
].join('; ');

export async function checkAgentSecrecy({ project, api }: Deployment): Promise<string> {
  const [worker = ''] = await project.listContainers('flow-trigger');
  const said = (await runProgram(['docker', 'logs', worker])).output;
  const separation = /"agents":"([^"]+)"/.exec(said)?.[1];
  ok(said.includes('"are_apart":true'), `the worker says: ${String(separation)}`);
  const other = await registerVisitor(project.apiUrl);
  const target = await startAgent(other, 'touch canary-of-another-run; sleep 60');
  await awaitStatus(other, target, 'RUNNING');
  const run = await runAgent(api, `touch canary-of-mine; ${LOOK}`);
  await other.call('POST', `/api/v1/flows/executions/${target}/stop`);
  equal(run.status, 'SUCCEEDED', run.failure);
  const found = Object.fromEntries(
    [...run.log.replaceAll(String.raw`\n`, ' ').matchAll(/(\w+)=([\w-]+)/g)].map(([, name, value]) => [name, value]),
  );
  deepEqual(found, { variables: '0', secrets: '0', evidence: '0', foreign: '0', memory: '0', own: 'canary-of-mine' });
  return separation ?? '';
}

/**
 * Checks that nothing is left behind: starts a process in its own session, a process that ignores signals, and children
 * that are not waited for.
 */
export async function checkLeftBehind({ project, api }: Deployment): Promise<void> {
  const mark = `471.${Date.now() % 1_000_000}`;
  const run = await runAgent(
    api,
    `setsid sleep ${mark} > /dev/null 2>&1 & ( ( setsid sh -c "trap '' TERM HUP; sleep ${mark}; :" > /dev/null 2>&1 & ) & ); sleep 0.3`,
  );
  equal(run.status, 'SUCCEEDED', run.failure);
  const table = await project.exec(
    'flow-trigger',
    'sh',
    '-c',
    'for pid in /proc/[0-9]*; do echo "$(cut -d" " -f3 $pid/stat) $(tr "\\0" " " < $pid/cmdline)"; done 2> /dev/null',
  );
  deepEqual(
    table.split('\n').filter((line) => line.includes(mark) || line.startsWith('Z')),
    [],
  );
}
