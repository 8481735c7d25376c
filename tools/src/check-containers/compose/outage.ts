import { deepEqual, equal } from 'node:assert/strict';
import { eventually } from '@steward/testing';
import { APPS } from '../../workspace.ts';
import type { ComposeProject } from '../compose-project.ts';
import { docker, inspectContainer } from '../docker.ts';
import { upAndHealthy } from './start-up.ts';
import { expectFound, openSession, storeAndFind, type Deployment } from './use.ts';

const SESSIONS = 120;
const KILL_AT = 30;

/** Ends sessions one after the other while a server is killed and started again; each one must cause an event. */
export async function checkServerKill({ project, api, receiver }: Deployment, server: string): Promise<string> {
  const [id = ''] = await project.listContainers(server);
  const sessions: string[] = [];
  for (let count = 0; count < SESSIONS; count += 1) sessions.push(await openSession(api));
  let refused = 0;
  const end = async (sessionId: string): Promise<boolean> => {
    const answer = await api
      .call('POST', `/api/v1/runtime-sessions/${sessionId}/end`, { body: {} })
      .catch(() => undefined);
    // The session has already ended if the earlier response was lost.
    const isEnded = answer !== undefined && (answer.status === 200 || answer.status === 409);
    if (!isEnded) refused += 1;
    return isEnded;
  };
  let outage = Promise.resolve('');
  for (const [index, sessionId] of sessions.entries()) {
    if (index === KILL_AT) outage = docker('kill', '--signal=KILL', id).then(() => docker('start', id));
    await eventually(() => end(sessionId), { timeoutMs: 60_000, intervalMs: 200 });
  }
  await outage;
  const count = (sessionId: string): number => receiver.bodies.filter((body) => body.includes(sessionId)).length;
  await eventually(() => sessions.every((sessionId) => count(sessionId) > 0), {
    timeoutMs: 90_000,
    intervalMs: 500,
  }).catch(() => undefined);
  deepEqual(
    sessions.filter((sessionId) => count(sessionId) === 0),
    [],
    'sessions without a webhook',
  );
  const twice = sessions.filter((sessionId) => count(sessionId) > 1).length;
  return `${SESSIONS} ended, ${refused} answers refused, 0 lost, ${twice} twice`;
}

export async function checkStop(project: ComposeProject): Promise<string> {
  const startedAt = performance.now();
  await project.compose('stop', ...APPS);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  for (const app of APPS) {
    for (const id of await project.listContainers(app)) equal((await inspectContainer(id)).State.ExitCode, 0, app);
  }
  return `${seconds} s`;
}

export async function checkStaysOverDown({ project, api }: Deployment): Promise<string> {
  await upAndHealthy(project);
  const stored = await storeAndFind(api);
  await project.compose('down');
  const time = await upAndHealthy(project);
  await expectFound(api, stored);
  return time;
}
