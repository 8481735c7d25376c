import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { interaction, message, useSessions } from '../../testing/use-sessions.ts';
import { appendSessionContent } from './append-session-content.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import type { ToolCallRange } from '../store/tool-call.store.ts';
import { listToolCalls } from './list-tool-calls.ts';

const sessions = useSessions();
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const call = (toolName: string, minute: number, args: unknown = {}): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName, arguments: args, occurredAt: at(minute) },
});
const list = (accountId: string, range: Partial<ToolCallRange> = {}) =>
  listToolCalls(sessions.db(), { accountId, since: at(0), until: at(59), before: undefined, limit: 100, ...range });
const names = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ toolName }) => toolName);

describe('the tool calls of an account', () => {
  it('are the calls of all its sessions, of no other kind or account, newest first (API-10)', async () => {
    const key = await sessions.openSession();
    const other = await sessions.openSession({ accountId: key.accountId });
    const foreign = await sessions.openSession();
    await sessions.append(key, [
      call('first', 1),
      message('words', null, at(2)),
      interaction('p', 'r'),
      call('third', 3),
    ]);
    await sessions.append(other, [call('second', 2)]);
    await sessions.append(foreign, [call('foreign', 2)]);
    expect(await names(key.accountId)).toEqual(['third', 'second', 'first']);
    expect(await names(newId())).toEqual([]);
  });

  it('are limited to a range with an inclusive start and an exclusive end', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [call('a', 1), call('b', 2), call('c', 3)]);
    expect(await names(key.accountId, { since: at(1), until: at(3) })).toEqual(['b', 'a']);
    expect(await names(key.accountId, { since: at(2), until: at(2) })).toEqual([]);
  });

  it('are paged, each once, even if many have the same time (API-11)', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [...Array.from({ length: 8 }, (_, index) => call(`t${index}`, 5)), call('late', 6)]);
    const seen: string[] = [];
    let before: ToolCallRange['before'];
    for (;;) {
      const page = await list(key.accountId, { before, limit: 3 });
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...page.map(({ toolName }) => toolName));
      before = { at: last.occurredAt, id: last.id };
    }
    expect(seen).toEqual(['late', ...Array.from({ length: 8 }, (_, index) => `t${7 - index}`)]);
  });

  it('include the caller: agent and run of the session, and the key of the call, otherwise of the session', async () => {
    const [opener, caller, executionId, flowId] = [newId(), newId(), newId(), newId()];
    const key = await sessions.openSession({
      ...{ sessionSourceType: 'ci', apiKeyId: opener, executionId, flowId },
      ...{ runtimePrincipalId: 'bot', runtimePrincipalName: 'Bot' },
    });
    await sessions.append(key, [call('own', 1, { a: [1, null] })]);
    await sessions.run((trx, hints) => {
      const input = { ...key, apiKeyId: caller, entries: [call('named', 2)], now: new Date() };
      return appendSessionContent(trx, hints, input, WRITE_OPTIONS);
    });
    const common = {
      ...{ sessionId: key.sessionId, session: { sourceType: 'ci' } },
      ...{ agent: { id: 'bot', name: 'Bot' }, execution: { id: executionId, flowId } },
    };
    expect(await list(key.accountId)).toMatchObject([
      { ...common, toolName: 'named', apiKeyId: caller, arguments: {} },
      { ...common, toolName: 'own', apiKeyId: opener, arguments: { a: [1, null] }, occurredAt: at(1) },
    ]);
  });

  it('include no agent or run if the session has none, and no name if the agent has none', async () => {
    const bare = await sessions.openSession();
    await sessions.append(bare, [call('x', 1)]);
    expect(await list(bare.accountId)).toMatchObject([{ agent: undefined, execution: undefined, apiKeyId: null }]);
    const nameless = await sessions.openSession({ runtimePrincipalId: 'bot', executionId: newId() });
    await sessions.append(nameless, [call('x', 1)]);
    // A run without a flow has no flow name to show.
    expect(await list(nameless.accountId)).toMatchObject([{ agent: { id: 'bot', name: '' }, execution: undefined }]);
  });
});
