import { sql } from 'kysely';
import { beginTrace, newId } from '@steward/crypto';
import { transact, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { appendSessionContent } from '@steward/sessions';
import { openSharedGateway } from '../../../testing/shared-gateway.ts';
import type { TestAccount, TestGateway } from '../../../testing/start-gateway.ts';

describe('the log of an execution', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let database: Database;
  let path: string;
  let sessionId: string;
  beforeAll(async () => {
    gateway = await openSharedGateway();
    account = await gateway.registerAccount();
    database = connectTestDatabase(gateway.database.url);
    const { accessToken: token } = account;
    const flow = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: { name: newId(), prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
    });
    const session = await gateway.call('POST', '/api/v1/runtime-sessions', {
      token,
      body: { session_source_type: 'flow_execution', session_source_id: 'x' },
    });
    const execution = await gateway.call('POST', `/api/v1/flows/${flow.body.id}/trigger`, { token, body: {} });
    path = `/api/v1/flows/executions/${execution.body.execution_id}`;
    sessionId = session.body.id;
    await sql`update flows.execution set status = 'RUNNING', runtime_session_id = ${sessionId}
      where id = ${execution.body.execution_id}`.execute(database.db);
  });
  afterAll(async () => {
    await database.close();
    await gateway.close();
  });

  /** Stores blocks as the worker does: a block contains the lines of one step that were received together. */
  const write = async (...blocks: string[]): Promise<void> => {
    const entries = blocks.map((text) => ({ kind: 'flow_log' as const, text, step: 'agent', level: 'info' }));
    const input = { accountId: account.accountId, sessionId, entries, now: new Date() };
    const options = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 };
    await transact(
      { db: database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) => appendSessionContent(trx, hints, input, options),
    );
  };
  const follow = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url}${path}/logs?follow=1`, {
      headers: { authorization: `Bearer ${account.accessToken}`, ...headers },
    });
    const events = (await response.text()).split('\n\n').filter((text) => text !== '');
    return events.map((text) => ({
      id: /^id: (.*)$/m.exec(text)?.[1],
      event: /^event: (.*)$/m.exec(text)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as { text?: string; status?: string },
    }));
  };

  it('is streamed line by line to its end, and resumes after the last event a client saw (EXEC-11)', async () => {
    await write('first\nsecond', 'third');
    const streaming = follow();
    await write('fourth\n\nsixth');
    await sql`update flows.execution set status = 'SUCCEEDED', finished_at = now()
      where runtime_session_id = ${sessionId}`.execute(database.db);
    const events = await streaming;
    const lines = events.filter(({ event }) => event === 'log');
    expect(lines.map(({ data }) => data.text)).toEqual(['first', 'second', 'third', 'fourth', '', 'sixth']);
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'SUCCEEDED' } });
    // Only the last line of a block has an id: a client that resumes there misses no line and gets none twice.
    expect(lines.map(({ id }) => id !== undefined)).toEqual([false, true, true, false, false, true]);
    const resumed = await follow({ 'last-event-id': lines[2]?.id ?? '' });
    expect(resumed.map(({ data }) => data.text ?? data.status)).toEqual(['fourth', '', 'sixth', 'SUCCEEDED']);
  });
});
