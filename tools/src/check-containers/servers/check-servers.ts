import type { Checks } from '../checks.ts';
import { docker, inspectContainer } from '../docker.ts';
import { registerVisitor } from '../visitor.ts';
import { storeAndFind, expectFound } from '../compose/use.ts';
import { createLocalStack, type LocalStack } from './local-stack.ts';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';

/** Checks `npm start` with both servers from Docker, in a copy of this folder that has its own data. */
export async function checkServers(checks: Checks): Promise<void> {
  const stack = await createLocalStack();
  const check = (title: string, work: () => Promise<string | void>): Promise<void> =>
    checks.check('servers', title, work);
  try {
    await check('npm start with servers from Docker becomes healthy', () => stack.start());
    await check('its servers are published only to this machine', () => checkPublished(stack));
    const api = await registerVisitor(stack.apiUrl);
    const stored = await storeAndFind(api);
    await check('Ctrl-C stops it and removes its containers', async () => {
      const time = await stack.end('SIGINT');
      deepEqual(await stack.listContainers(), []);
      return time;
    });
    await check('a second npm start has the data of the first, and Postgres needs no recovery', async () => {
      const time = await stack.start();
      await expectFound(api, stored);
      const [postgres = ''] = await stack.listContainers('postgres');
      ok(!(await docker('logs', postgres)).includes('was not properly shut down'), 'it was killed');
      return time;
    });
    await check(
      'after kill -9, the next npm start runs one server per volume and no app of the killed one, and has the data',
      async () => {
        await stack.end('SIGKILL');
        const time = await stack.start();
        equal((await stack.listContainers('postgres')).length, 1);
        await expectFound(api, stored);
        equal(stack.listApps().length, 5, stack.listApps().join('\n'));
        return time;
      },
    );
    await check('npm run reset is refused while it runs', async () => {
      equal(await stack.reset(), 1);
    });
    await check('npm run reset leaves no container, no volume, no data', async () => {
      await stack.end('SIGTERM');
      equal(await stack.reset(), 0);
      deepEqual(
        [await stack.listContainers(), await stack.listVolumes(), existsSync(stack.dataFolder)],
        [[], [], false],
      );
    });
    await check('npm start after a reset starts with empty data', () => stack.start());
  } catch (error) {
    await check('the stack can be used', () => Promise.reject(error));
  } finally {
    await stack.remove();
  }
}

async function checkPublished(stack: LocalStack): Promise<void> {
  const containers = await Promise.all((await stack.listContainers()).map(inspectContainer));
  const addresses = containers.flatMap(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Ports).flatMap((bindings) => (bindings ?? []).map(({ HostIp }) => HostIp)),
  );
  equal(containers.length, 2);
  deepEqual([...new Set(addresses)], [existsSync('/.dockerenv') ? await findBridge() : '127.0.0.1']);
}

/**
 * Returns the address at which a machine that is itself a container reaches neighboring containers, whose loopback
 * interfaces are separate.
 */
async function findBridge(): Promise<string> {
  return docker('network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', 'bridge');
}
