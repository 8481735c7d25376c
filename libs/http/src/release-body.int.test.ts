import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Type } from '@sinclair/typebox';
import { eventually } from '@steward/testing';
import { defineRoute } from './define-route.ts';
import { ABOUT, AS_DANA, useHttpApp } from './testing/http-app-tests.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const held: WeakRef<object>[] = [];

const app = useHttpApp({
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/json',
      auth: 'bearer',
      body: Type.Object({ parts: Type.Array(Type.String()) }),
      bodyExample: { parts: ['x'] },
      handler: ({ rawBody, body }) => {
        held.push(new WeakRef(rawBody), new WeakRef(body.parts));
        return { status: 204 };
      },
    }),
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/raw',
      auth: 'bearer',
      bodyKind: 'raw',
      handler: ({ rawBody }) => {
        held.push(new WeakRef(rawBody));
        return { status: 204 };
      },
    }),
  ],
});

describe('a keep-alive connection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());

  it.each(['/json', '/raw'])('releases the body of its last request: %s', async (path) => {
    held.length = 0;
    const body = JSON.stringify({ parts: Array.from({ length: 10_000 }, () => 'x') });
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: app.server.port(), path, method: 'POST', agent, headers: AS_DANA }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode)),
      )
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(204);
    await eventually(() => {
      collect();
      return held.every((each) => each.deref() === undefined);
    });
    expect(Object.values(agent.freeSockets)).toHaveLength(1);
  });
});
