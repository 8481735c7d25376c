import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';
import { ABOUT, AS_DANA, CHANGE_THING, useHttpApp } from './testing/http-app-tests.ts';

const recorded: unknown[] = [];
const app = useHttpApp({
  surfaces: [
    {
      prefix: '',
      auditSource: 'console',
      routes: [
        defineRoute({
          ...CHANGE_THING,
          body: Type.Object({}),
          audit: { action: 'update', resourceType: 'flow' },
          handler: ({ params, audit }) => ({
            status: 200,
            body: audit({ resourceId: params.thing_id, details: { a: 1 } }),
          }),
        }),
        defineRoute({
          ...ABOUT,
          method: 'put',
          path: '/things/{thing_id}',
          auth: 'bearer',
          audit: { action: ['create', 'replace'], resourceType: 'flow' },
          handler: ({ audit }) => ({ status: 200, body: audit({ action: 'replace', resourceId: null }) }),
        }),
        defineRoute({
          ...ABOUT,
          method: 'post',
          path: '/logins',
          auth: 'none',
          audit: { action: 'login', resourceType: 'user' },
          handler: ({ audit }) => ({
            status: 200,
            body: audit({
              accountId: 'a',
              actor: { kind: 'anonymous', id: null },
              resourceId: null,
              status: 'failure',
            }),
          }),
        }),
      ],
    },
    {
      prefix: '/tools',
      auditSource: 'mcp',
      routes: [
        defineRoute({
          ...ABOUT,
          method: 'post',
          path: '/tools/questions',
          auth: 'bearer',
          permissions: ['manage_users'],
          audit: { action: 'query', resourceType: 'session_search' },
          onRefused: ({ audit }) => {
            recorded.push(audit({ resourceId: null, status: 'denied' }));
            return Promise.resolve();
          },
          handler: () => ({ status: 200 }),
        }),
      ],
    },
  ],
});
const send = async (method: string, path: string, body?: string): Promise<unknown> =>
  (await app.call(path, { method, headers: AS_DANA, ...(body === undefined ? {} : { body }) })).json();

describe('the audit row of a route', () => {
  const byDana = { accountId: 'account', actor: { kind: 'api_key', id: 'key' }, requestId: 'one' };

  it('has actor, action and surface without any code in the handler', async () => {
    expect(await send('POST', '/things/7', '{}')).toEqual({
      ...byDana,
      source: 'console',
      action: 'update',
      resourceType: 'flow',
      resourceId: '7',
      status: 'success',
      details: { a: 1 },
    });
  });

  it('names the action that was performed if the route has several', async () => {
    expect(await send('PUT', '/things/7')).toMatchObject({ ...byDana, action: 'replace', resourceType: 'flow' });
  });

  it('names the account determined by the handler for a caller without a credential', async () => {
    expect(await send('POST', '/logins')).toMatchObject({
      accountId: 'a',
      actor: { kind: 'anonymous', id: null },
      action: 'login',
      status: 'failure',
    });
  });

  it('is written for a caller who is refused before the handler runs', async () => {
    await send('POST', '/tools/questions');
    expect(recorded).toEqual([
      { ...byDana, source: 'mcp', action: 'query', resourceType: 'session_search', resourceId: null, status: 'denied' },
    ]);
  });
});
