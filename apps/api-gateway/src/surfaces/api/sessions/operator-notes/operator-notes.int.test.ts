import { randomUUID } from 'node:crypto';
import { useSessions } from '../../../../testing/session-tests.ts';

const { account, gateway, open, stranger } = useSessions();
const send = (body: unknown, token = account().accessToken) =>
  gateway().call('POST', '/api/v1/operator-notes', { token, body });

describe('an operator note (SESS-15)', () => {
  it('returns 201 with its author and expiry, and is found by the next search', async () => {
    const { id: sessionId } = await open({ runtime_principal_id: 'bot-1' });
    const answer = await send({ runtime_session_id: sessionId, text: 'beware the quokka', expires_in_seconds: 60 });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      runtime_session_id: sessionId,
      managed_agent_id: 'bot-1',
      kind: 'operator_note',
      text: 'beware the quokka',
      author: { user_id: account().userId, display: account().username, auth_method: 'token' },
    });
    expect(Date.parse(answer.body.expires_at as string) - Date.parse(answer.body.created_at as string)).toBe(60_000);
    const found = await gateway().call('POST', '/api/v1/runtime-sessions/search', {
      token: account().accessToken,
      body: { query: 'quokka' },
    });
    expect(found.body.results).toMatchObject([{ runtime_session_id: sessionId }]);
  });

  it('for an agent is sent to its open session, or waits for the next session of a known agent; an unknown agent results in a 404', async () => {
    const { id: sessionId } = await open({ runtime_principal_id: 'bot-2' });
    expect((await send({ managed_agent_id: 'bot-2', text: 'hi' })).body.runtime_session_id).toBe(sessionId);
    expect((await send({ managed_agent_id: 'bot-2', text: 'hi' }, stranger().accessToken)).status).toBe(404);
    await gateway().call('POST', `/api/v1/runtime-sessions/${sessionId}/end`, { token: account().accessToken });
    const waiting = await send({ managed_agent_id: 'bot-2', text: 'hi' });
    expect([waiting.status, waiting.body.runtime_session_id, waiting.body.state]).toEqual([201, null, 'pending']);
    expect((await send({ managed_agent_id: 'nobody', text: 'hi' })).status).toBe(404);
  });

  it('results in a 404 for an unknown session or one of another account', async () => {
    const { id: sessionId } = await open();
    expect((await send({ runtime_session_id: sessionId, text: 'x' }, stranger().accessToken)).status).toBe(404);
    expect((await send({ runtime_session_id: randomUUID(), text: 'x' })).status).toBe(404);
  });

  it('is accepted twenty times an hour from one author to one agent, even under simultaneous requests (SESS-28)', async () => {
    const { id: first } = await open({ runtime_principal_id: 'bot-3' });
    const { id: second } = await open({ runtime_principal_id: 'bot-3' });
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        send({ runtime_session_id: index % 2 ? first : second, text: `n${index}` }),
      ),
    );
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(refused.map((answer) => [answer.status, answer.body.detail])).toEqual(
      Array.from({ length: 2 }, () => [429, expect.objectContaining({ code: 'rate_limited', limit: 20 })]),
    );
    const seconds = Number(refused[0]!.headers.get('retry-after'));
    expect([seconds > 0, seconds <= 3600]).toEqual([true, true]);

    const { id: other } = await open({ runtime_principal_id: 'bot-4' });
    expect((await send({ runtime_session_id: other, text: 'hi' })).status).toBe(201);
    const { id: nameless } = await open();
    expect((await send({ runtime_session_id: nameless, text: 'hi' })).status).toBe(201);
  });

  it.each<[string, object, string]>([
    ['without a target', { text: 'x' }, 'runtime_session_id'],
    ['with two targets', { runtime_session_id: randomUUID(), managed_agent_id: 'bot', text: 'x' }, 'managed_agent_id'],
    ['without text', { managed_agent_id: 'bot', text: '' }, 'text'],
    ['with too much text', { managed_agent_id: 'bot', text: 'x'.repeat(4097) }, 'text'],
    ['that expires immediately', { managed_agent_id: 'bot', text: 'x', expires_in_seconds: 0 }, 'expires_in_seconds'],
    ['with an unknown field', { managed_agent_id: 'bot', text: 'x', urgent: true }, 'urgent'],
    ['with a malformed session id', { runtime_session_id: '7', text: 'x' }, 'runtime_session_id'],
  ])('%s is refused with 422 naming the field', async (_case, body, field) => {
    const answer = await send(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject({ code: 'invalid_request', field });
  });

  it('can have 4096 characters of any kind', async () => {
    const { id: sessionId } = await open();
    const answer = await send({ runtime_session_id: sessionId, text: '🙂'.repeat(4095) + '\u0000' });
    expect([answer.status, (answer.body.text as string).at(-1)]).toEqual([201, '\uFFFD']);
  });
});
