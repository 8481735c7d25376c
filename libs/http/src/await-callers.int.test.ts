import { eventually } from '@steward/testing';
import { defineRoute } from './define-route.ts';
import { ABOUT, AS_DANA, useHttpApp } from './testing/http-app-tests.ts';

let waiting: (() => void)[] = [];
beforeEach(() => {
  waiting = [];
});
const handler = () => ({ status: 204 }) as const;
/** Slots for bodies that are free. */
let free = 1;
const app = useHttpApp({
  async workOnBody(_size, _account, work) {
    free -= 1;
    try {
      return await work();
    } finally {
      free += 1;
    }
  },
  gate: { awaitCallers: () => new Promise<void>((resolve) => void waiting.push(resolve)) },
  routes: [
    defineRoute({ ...ABOUT, method: 'post', path: '/change', auth: 'bearer', handler }),
    defineRoute({ ...ABOUT, method: 'get', path: '/read', auth: 'bearer', handler }),
    defineRoute({ ...ABOUT, method: 'post', path: '/agents', auth: 'bearer', openTo: ['agent_key'], handler }),
    defineRoute({ ...ABOUT, method: 'post', path: '/hook', auth: 'none', leavesCallers: true, handler }),
  ],
});

describe('a request that may change callers (ACC-55)', () => {
  it('is answered after the wait for all processes, during which it does not keep the slot of its body', async () => {
    let status: number | undefined;
    const answered = app.call('/change', { method: 'POST', headers: AS_DANA }).then((response) => {
      status = response.status;
    });
    // This request is answered, so the first one has had the time to be answered too.
    while (waiting.length === 0) await app.call('/read', { headers: AS_DANA });
    await eventually(() => free === 1);
    await app.call('/read', { headers: AS_DANA });
    expect(status).toBeUndefined();
    waiting[0]?.();
    await answered;
    expect(status).toBe(204);
  });

  it.each([
    ['a read', 'GET', '/read'],
    ['a route that agents may use', 'POST', '/agents'],
    ['a route that changes nothing of callers', 'POST', '/hook'],
  ])('is not %s', async (_name, method, path) => {
    const { status } = await app.call(path, { method, headers: AS_DANA });
    expect([status, waiting.length]).toEqual([204, 0]);
  });
});
