import pg from 'pg';
import { useFlows } from '../../../testing/flow-tests.ts';

const { create, gateway, token, viewer } = useFlows();
const PASSWORD = 'canary-Hunter2-of-a-run';
const LINE = `export DB_PASSWORD=${PASSWORD}`;

/** Creates a completed execution with the credential in each of its strings. */
async function endWithCredential(): Promise<string> {
  const { body: flow } = await create();
  const payload = { log: LINE, nested: { db_password: PASSWORD }, encoded: JSON.stringify({ line: LINE }) };
  const { body } = await gateway().call('POST', `/api/v1/flows/${flow.id}/trigger`, { token: token(), body: payload });
  const client = new pg.Client({ connectionString: gateway().database.url });
  await client.connect();
  await client.query(
    `update flows.execution set status = 'FAILED', failure_category = 'agent_error', error_message = $2,
       resolved_input_prompt = $2, result = $3, finished_at = now() where id = $1`,
    [body.execution_id, LINE, JSON.stringify({ output: LINE, db_password: PASSWORD })],
  );
  await client.end();
  return body.execution_id;
}

describe('the input and output of an execution', () => {
  it('are shown without credentials to users who may not write content, wherever they are returned (MASK-2)', async () => {
    const id = await endWithCredential();
    for (const path of [`executions/${id}`, `executions/${id}?wait=1`, 'executions']) {
      const { status, body } = await gateway().call('GET', `/api/v1/flows/${path}`, { token: viewer() });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('[redacted]');
      expect(JSON.stringify(body)).not.toContain(PASSWORD);
    }
    const scopes = ['execute_flows', 'view_flows'];
    const key = await gateway().call('POST', '/api/v1/auth/api-keys', { token: token(), body: { name: 'k', scopes } });
    const path = `/api/v1/flows/executions/${id}/stop`;
    const stopped = await gateway().call('POST', path, { token: key.body.key, body: {} });
    expect([stopped.status, JSON.stringify(stopped.body).includes(PASSWORD)]).toEqual([202, false]);
  });

  it('are shown unmasked to users who may write content', async () => {
    const id = await endWithCredential();
    const { body } = await gateway().call('GET', `/api/v1/flows/executions/${id}`, { token: token() });
    expect([body.error_message, body.resolved_input_prompt, body.result.db_password]).toEqual([LINE, LINE, PASSWORD]);
    expect(body.trigger_event_details.payload.nested).toEqual({ db_password: PASSWORD });
  });
});
