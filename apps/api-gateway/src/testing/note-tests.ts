import { eventually } from '@steward/testing';
import { useModelGateway } from './model-gateway-tests.ts';

export interface SentNote {
  readonly id: string;
  readonly state: string;
  readonly runtime_session_id: string | null;
  readonly delivery_channel: string | null;
  readonly turn_index: number | null;
}

const CHAT = '/openai/v1/chat/completions';

/** Sets up the test file: a model gateway, and agents with their own keys, to which people write. */
export function useNotes(settings?: Readonly<Record<string, string>>) {
  const gateway = useModelGateway(settings);
  let counter = 0;
  beforeAll(() =>
    gateway.people.call('POST', '/event-webhooks/endpoints', gateway.token(), { url: 'http://127.0.0.1:9/hook' }),
  );

  const call = (method: string, path: string, body?: unknown, token = gateway.token()) =>
    gateway.people.call(method, path, token, body);
  async function readNote(id: string): Promise<SentNote> {
    const { body } = await call('GET', '/operator-notes?limit=200');
    const found = (body.items as SentNote[]).find((note) => note.id === id);
    if (found === undefined) throw new Error('no such note');
    return found;
  }
  return {
    gateway,
    call,
    readNote,
    /** Creates an agent; returns its id and a key that acts as the agent. */
    async addAgent() {
      counter += 1;
      const id = `agent-${counter}`;
      const runtime_principal = { type: 'agent', id, name: `Agent ${counter}` };
      const { body } = await call('POST', '/auth/api-keys', { name: id, runtime_principal });
      return { id, key: body.key as string };
    },
    /** Sends a note as the owner, by default to an agent. */
    async send(target: object | string, text: string, more: object = {}): Promise<SentNote> {
      const to = typeof target === 'string' ? { managed_agent_id: target } : target;
      const { status, body } = await call('POST', '/operator-notes', { ...to, text, ...more });
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body as SentNote;
    },
    /** Makes one turn of an agent; returns the status. */
    async turn(key: string, { path = CHAT, body = {}, headers = {} }: Turn = {}): Promise<number> {
      const model = path.startsWith('/anthropic') ? 'claude' : 'smart';
      const said = JSON.stringify({ model, messages: [{ role: 'user', content: 'go on' }], ...body });
      const response = await gateway.post(path, said, { authorization: `Bearer ${key}`, ...headers });
      await response.text();
      return response.status;
    },
    /** Returns the number of bodies sent to the provider that contain a text. */
    countSent: (text: string): number =>
      gateway.provider().requests.filter(({ body }) => body.toString().includes(text)).length,
    waitForState: (id: string, state: string): Promise<SentNote> =>
      eventually(async () => {
        const note = await readNote(id);
        return note.state === state ? note : undefined;
      }),
    async readEvents(type: string, noteId: string): Promise<Record<string, unknown>[]> {
      const rows = await gateway.people.query(
        `select convert_from(body, 'utf8')::jsonb -> 'data' as data from webhooks.event where type = $1 and account_id = $2`,
        [type, gateway.accountId()],
      );
      return rows.map(({ data }) => data as Record<string, unknown>).filter((data) => data['note_id'] === noteId);
    },
  };
}

interface Turn {
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}
