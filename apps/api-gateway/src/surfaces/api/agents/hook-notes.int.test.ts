import { connect } from 'node:net';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { useNotes } from '../../../testing/note-tests.ts';

const notes = useNotes();
const { addAgent, call, gateway, readEvents, readNote, send } = notes;

const take = (key: string, body: object = {}) => call('POST', '/agents/notes/pending', body, key);
const open = async (agentId: string): Promise<string> => {
  const session = { session_source_type: 'ci', session_source_id: newId(), runtime_principal_id: agentId };
  return (await call('POST', '/runtime-sessions', session)).body.id as string;
};
const check = (key: string, body: object = {}) =>
  call('POST', '/agents/permission-check', { tool_name: 'Bash', arguments: {}, ...body }, key);

describe('the operator notes that a hook fetches (SESS-33)', () => {
  it('are returned once to the key of their agent, framed as notes, and their delivery channel is recorded', async () => {
    const { id: agentId, key } = await addAgent();
    const { id } = await send(agentId, 'Not that table & not this.');
    const { status, body } = await take(key, { channel: 'assistant_message' });
    expect([status, body.operator_notes]).toEqual([
      200,
      [
        expect.objectContaining({
          id,
          text: 'Not that table & not this.',
          framed: expect.stringContaining('table &amp; not'),
        }),
      ],
    ]);
    expect((await take(key)).body.operator_notes).toEqual([]);
    const note = await eventually(async () => {
      const found = await readNote(id);
      return found.state === 'delivered' ? found : undefined;
    });
    expect(note).toMatchObject({ delivery_channel: 'assistant_message', turn_index: null });
    expect(await readEvents('agent.note_delivered', id)).toMatchObject([{ delivery_channel: 'assistant_message' }]);
  });

  it('are returned with the response to a permission check, unless the hook cannot show them', async () => {
    const { id: agentId, key } = await addAgent();
    await open(agentId);
    const { id } = await send(agentId, 'Mind the gap.');
    expect((await check(key, { takes_operator_notes: false })).body.operator_notes).toEqual([]);
    const { body } = await check(key);
    expect([body.decision, body.operator_notes]).toEqual(['allow', [expect.objectContaining({ id })]]);
    expect((await check(key)).body.operator_notes).toEqual([]);
    await eventually(async () => (await readNote(id)).state === 'delivered');
    expect(await readNote(id)).toMatchObject({ delivery_channel: 'hook', turn_index: 0 });
  });

  it('are claimed by only one of many simultaneous requests, five notes at a time', async () => {
    const { id: agentId, key } = await addAgent();
    for (let index = 0; index < 7; index += 1) await send(agentId, `Note ${index}.`);
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(key)));
    const lists = answers.map(({ body }) => (body.operator_notes as { text: string }[]).map(({ text }) => text));
    expect(Math.max(...lists.map((list) => list.length))).toBeLessThanOrEqual(5);
    expect(lists.flat().toSorted()).toEqual(Array.from({ length: 7 }, (_, index) => `Note ${index}.`));
  });

  it('stay pending if the agent disconnects before the response is written', async () => {
    const { id: agentId, key } = await addAgent();
    const { id } = await send(agentId, 'Are you there?');
    const { hostname, port } = new URL(gateway.people.gateway().url);
    const head = `POST /api/v1/agents/permission-check HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
    const body = JSON.stringify({ tool_name: 'Bash' });
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`, () => socket.resetAndDestroy());
    await new Promise((resolve) => socket.once('close', resolve));
    // The next connected caller gets the note, unless it was already delivered.
    await eventually(async () => {
      const { operator_notes: found } = (await take(key)).body as { operator_notes: { id: string }[] };
      return found.some((note) => note.id === id) || (await readNote(id)).state === 'delivered';
    });
  });

  it('can be requested for a session by id, if the session belongs to the agent', async () => {
    const [mine, other] = [await addAgent(), await addAgent()];
    const [first, second] = [await open(mine.id), await open(mine.id)];
    await send({ runtime_session_id: first }, 'To the first.');
    await send({ runtime_session_id: second }, 'To the second.');
    const texts = async (key: string, body: object) =>
      ((await take(key, body)).body.operator_notes as { text: string }[]).map(({ text }) => text);
    expect(await texts(other.key, { runtime_session_id: first })).toEqual([]);
    expect(await texts(other.key, {})).toEqual([]);
    expect(await texts(mine.key, { runtime_session_id: second })).toEqual(['To the second.']);
    expect(await texts(mine.key, {})).toEqual(['To the first.']);
    expect((await take(mine.key, { runtime_session_id: newId() })).status).toBe(404);
    expect((await take(mine.key, { channel: 'gateway' })).status).toBe(422);
  });

  it('without a named agent are delivered only to the key that opened the session', async () => {
    const [agent, other] = [
      await addAgent(),
      (await call('POST', '/auth/api-keys', { name: newId() })).body.key as string,
    ];
    const key = (await call('POST', '/auth/api-keys', { name: newId() })).body.key as string;
    const session = { session_source_type: 'ci', session_source_id: newId() };
    const { id: runtime_session_id } = (await call('POST', '/runtime-sessions', session, key)).body;
    await send({ runtime_session_id }, 'For the one who opened it.');
    for (const stranger of [agent.key, other])
      expect((await take(stranger, { runtime_session_id })).body.operator_notes).toEqual([]);
    expect((await take(key, { runtime_session_id })).body.operator_notes).toHaveLength(1);
  });

  it('are delivered to no key if a person opened the session', async () => {
    const agent = await addAgent();
    const session = { session_source_type: 'ci', session_source_id: newId() };
    const { id: runtime_session_id } = (await call('POST', '/runtime-sessions', session)).body;
    await send({ runtime_session_id }, 'For a person.');
    const plain = (await call('POST', '/auth/api-keys', { name: newId() })).body.key as string;
    for (const key of [agent.key, plain])
      expect((await take(key, { runtime_session_id })).body.operator_notes).toEqual([]);
    expect((await take(gateway.token(), { runtime_session_id })).body.operator_notes).toHaveLength(1);
  });

  it('for a session that has ended are only comments for its readers, and are delivered to no agent (SESS-16)', async () => {
    const { id: agentId, key } = await addAgent();
    const id = await open(agentId);
    await call('POST', `/runtime-sessions/${id}/end`);
    await send({ runtime_session_id: id }, 'It went well.');
    expect((await take(key, { runtime_session_id: id })).body.operator_notes).toEqual([]);
  });
});
