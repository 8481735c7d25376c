import { useFlows } from '../../../testing/flow-tests.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const { create, createHook, gateway, token, viewer } = useFlows();

describe('the manual trigger', () => {
  it('takes the body as payload and unwraps an object whose only field is payload, with and without the path prefix', async () => {
    const { body: flow } = await create();
    const plain = await gateway().call('POST', `/api/v1/flows/${flow.id}/trigger`, {
      token: token(),
      body: { payload: { a: 1 } },
    });
    const other = await gateway().call('POST', `/flows/${flow.id}/trigger`, {
      token: token(),
      body: { payload: { a: 1 }, b: 2 },
    });
    const payloadOf = async (answer: { body: { execution_id: string } }) =>
      (await gateway().call('GET', `/api/v1/flows/executions/${answer.body.execution_id}`, { token: token() })).body
        .trigger_event_details.payload;
    expect([plain.status, await payloadOf(plain)]).toEqual([202, { a: 1 }]);
    expect(await payloadOf(other)).toEqual({ payload: { a: 1 }, b: 2 });
  });

  it('refuses files declared both inside and beside the payload', async () => {
    const { body: flow } = await create();
    const answer = await gateway().call('POST', `/api/v1/flows/${flow.id}/trigger`, {
      token: token(),
      body: { payload: { workspace_files: [] }, workspace_files: [] },
    });
    expect([answer.status, answer.body.detail.code]).toEqual([400, 'invalid_workspace_files']);
  });

  it('requires execute_flows (FLOW-23)', async () => {
    const { body: flow } = await create();
    const refused = await gateway().call('POST', `/api/v1/flows/${flow.id}/trigger`, { token: viewer(), body: {} });
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'execute_flows']);
  });
});

describe('executions', () => {
  it('are stopped, are retried only from STOPPED, and prevent the deletion of their flow while active (EXEC-8, EXEC-9, FLOW-5)', async () => {
    const hook = await createHook();
    const { body } = await gateway().call('POST', hook.url, {
      body: { a: 1, workspace_files: [{ path: 'a', content_base64: base64('x') }] },
    });
    const path = `/api/v1/flows/executions/${body.execution_id}`;
    expect((await gateway().call('POST', `${path}/retry`, { token: token() })).status).toBe(409);
    expect((await gateway().call('DELETE', `/api/v1/flows/${hook.id}`, { token: token() })).body.detail.code).toBe(
      'execution_active',
    );
    const stopped = await gateway().call('POST', `${path}/stop`, { token: token() });
    expect([stopped.status, stopped.body.status]).toEqual([202, 'STOPPED']);
    expect((await gateway().call('POST', `${path}/stop`, { token: token() })).status).toBe(202);
    const retried = await gateway().call('POST', `${path}/retry`, { token: token() });
    expect([retried.status, retried.body.execution_id === body.execution_id]).toEqual([202, false]);
    const again = await gateway().call('GET', `/api/v1/flows/executions/${retried.body.execution_id}`, {
      token: token(),
    });
    expect(again.body.trigger_event_details._workspace_file_paths).toEqual(['a']);
  });

  it('let a waiting request return as soon as they end, or after the requested time (EXEC-10)', async () => {
    const hook = await createHook();
    const { body } = await gateway().call('POST', hook.url, { body: {} });
    const path = `/api/v1/flows/executions/${body.execution_id}`;
    expect((await gateway().call('GET', `${path}?wait=1`, { token: token() })).body.status).toBe('PENDING');
    const waiting = gateway().call('GET', `${path}?wait=30`, { token: token() });
    await gateway().call('POST', `${path}/stop`, { token: token() });
    expect((await waiting).body.status).toBe('STOPPED');
    expect((await gateway().call('GET', `${path}?wait=61`, { token: token() })).status).toBe(422);
  });

  it('are not found in another account', async () => {
    const hook = await createHook();
    const { body } = await gateway().call('POST', hook.url, { body: {} });
    const stranger = (await gateway().registerAccount()).accessToken;
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/logs'],
      ['POST', '/stop'],
      ['POST', '/retry'],
    ] as const) {
      expect(
        (await gateway().call(method, `/api/v1/flows/executions/${body.execution_id}${suffix}`, { token: stranger }))
          .status,
      ).toBe(404);
    }
    expect((await gateway().call('GET', `/api/v1/flows/${hook.id}`, { token: stranger })).status).toBe(404);
  });

  it('stream their logs until they end (EXEC-11)', async () => {
    const hook = await createHook();
    const { body } = await gateway().call('POST', hook.url, { body: {} });
    const path = `/api/v1/flows/executions/${body.execution_id}`;
    const stream = fetch(`${gateway().url}${path}/logs?follow=1`, { headers: { authorization: `Bearer ${token()}` } });
    await gateway().call('POST', `${path}/stop`, { token: token() });
    const response = await stream;
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/event: end\ndata: \{"status":"STOPPED"/);
  });
});
