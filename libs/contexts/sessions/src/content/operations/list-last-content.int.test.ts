import { newId } from '@steward/crypto';
import { interaction, logLine, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { listLastContent } from './list-last-content.ts';

const sessions = useSessions();
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const call = (minute: number): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'bash', arguments: { minute }, occurredAt: at(minute) },
});
const list = (key: Key, limit = 10, maxLength = 1000) => listLastContent(sessions.db(), { ...key, limit, maxLength });

describe('the last messages and calls of a session', () => {
  it('are ordered by time, oldest first, without other content', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [
      message('second', null, at(2)),
      call(3),
      interaction('p', 'r'),
      { kind: 'operator_note', text: 'note' },
      logLine('line', at(2)),
      message('first', null, at(1)),
    ]);
    expect(await list(key)).toEqual([
      { kind: 'transcript_message', role: 'user', toolName: null, text: '"first"' },
      { kind: 'transcript_message', role: 'user', toolName: null, text: '"second"' },
      { kind: 'tool_call', role: null, toolName: 'bash', text: expect.stringContaining('"minute":3') as string },
    ]);
  });

  it('are the newest ones, up to the requested number', async () => {
    const key = await sessions.openSession();
    await sessions.append(
      key,
      [1, 4, 2, 3].map((minute) => message(`m${minute}`, null, at(minute))),
    );
    expect((await list(key, 2)).map(({ text }) => text)).toEqual(['"m3"', '"m4"']);
    expect(await list(key, 0)).toEqual([]);
  });

  it('contain the beginning of each, counted in characters and not in bytes', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('äöüß'.repeat(100), null, at(1)), message('x', null, at(2))]);
    expect((await list(key, 10, 5)).map(({ text }) => text)).toEqual(['"äöüß', '"x"']);
  });

  it('contain nothing of another session or account (API-10)', async () => {
    const key = await sessions.openSession();
    const other = await sessions.openSession({ accountId: key.accountId });
    await sessions.append(key, [message('mine')]);
    expect([await list(other), await list({ ...key, accountId: newId() })]).toEqual([[], []]);
  });
});
