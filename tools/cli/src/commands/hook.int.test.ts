import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const CALL = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };
const VERDICT = { decision: 'deny', reason: 'Nobody deletes everything.', approval_request_id: null, expires_at: null };
const deny = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
});

describe('the hook of a coding agent', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(stdin: string, answer: [number, string], args: readonly string[] = []) {
    service = await startHttpReceiver((_request, response) => {
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
    });
    const out = await runHere(service.url, ['hook', ...(args[0] === 'codex' ? [] : ['claude-code']), ...args], stdin);
    return { out, asked: service.requests.map(({ path, body }) => [path, JSON.parse(body.toString()) as unknown]) };
  }

  it.each(['claude-code', 'codex'])('of %s denies what the policy denies, with its reason', async (agent) => {
    const { out, asked } = await run(
      JSON.stringify(CALL),
      [200, JSON.stringify(VERDICT)],
      agent === 'codex' ? ['codex'] : [],
    );
    expect(JSON.parse(out)).toEqual(deny(VERDICT.reason));
    const takes = agent === 'codex' ? { takes_operator_notes: false } : {};
    const body = { tool_name: 'Bash', arguments: CALL.tool_input, ...takes, wait_seconds: 50 };
    expect(asked).toEqual([['/api/v1/agents/permission-check', body]]);
  });

  it('says nothing of what is allowed: the agent goes on as it would without it', async () => {
    expect((await run(JSON.stringify(CALL), [200, JSON.stringify({ ...VERDICT, decision: 'allow' })])).out).toBe('');
  });

  it.each(['allow', 'deny'])('tells the agent what people wrote to it, when a call is %sed', async (decision) => {
    const framed = '<operator_note id="1">Stop \u001b[31mhere.</operator_note>';
    const answer = JSON.stringify({
      ...VERDICT,
      decision,
      operator_notes: [
        { id: '1', framed },
        { id: '2', framed: 'Rest.' },
      ],
    });
    const { out } = await run(JSON.stringify(CALL), [200, answer]);
    const { hookSpecificOutput: said } = JSON.parse(out) as { hookSpecificOutput: Record<string, string> };
    expect(said['additionalContext']).toMatch(/^<operator_note id="1">Stop .*here\.<\/operator_note>\n\nRest\.$/);
    expect(said['permissionDecision']).toBe(decision === 'deny' ? 'deny' : undefined);
  });

  it('knows the tools of servers by their names', async () => {
    const call = { tool_name: 'mcp__github__create__issue', tool_input: { title: 'x' } };
    const { asked } = await run(JSON.stringify(call), [200, JSON.stringify(VERDICT)], ['--wait', '0']);
    expect(asked[0]?.[1]).toEqual({
      tool_name: 'create__issue',
      server: 'github',
      arguments: { title: 'x' },
      wait_seconds: 0,
    });
  });

  it('denies what waits for people, and tells the agent to come again', async () => {
    const pending = {
      decision: 'pending',
      reason: 'Waits.',
      approval_request_id: 'r-1',
      expires_at: '2026-11-23T10:00:00Z',
    };
    const { out } = await run(JSON.stringify(CALL), [200, JSON.stringify(pending)]);
    expect(JSON.parse(out)).toEqual(deny(expect.stringMatching(/^Waits\. \(request r-1, .*very same call again/)));
  });

  it.each<[string, string, [number, string]]>([
    ['the service fails', JSON.stringify(CALL), [500, '{}']],
    ['the credential is refused', JSON.stringify(CALL), [401, '{}']],
    ['something else answers', JSON.stringify(CALL), [200, '<html>']],
    ['the decision is none that is known', JSON.stringify(CALL), [200, '{"decision": "maybe"}']],
    ['the input is no JSON', '{"tool_name": ', [200, JSON.stringify({ ...VERDICT, decision: 'allow' })]],
    ['the input is empty', '', [200, JSON.stringify({ ...VERDICT, decision: 'allow' })]],
    ['the input is null', 'null', [200, JSON.stringify({ ...VERDICT, decision: 'allow' })]],
    ['the input names no tool', '{}', [200, JSON.stringify({ ...VERDICT, decision: 'allow' })]],
  ])('denies when %s; with --fail-open it lets the call through and says so', async (_what, stdin, answer) => {
    expect(JSON.parse((await run(stdin, answer)).out)).toEqual(
      deny(expect.stringMatching(/^Steward could not be asked/)),
    );
    await service.close();
    const { out } = await run(stdin, answer, ['--fail-open']);
    const [note, message] = out.trim().split('\n');
    expect(note).toMatch(/could not be asked .* goes through unchecked/);
    expect(JSON.parse(message ?? '')).toEqual({ systemMessage: note });
  });

  it('that is set up wrongly ends with 2, which agents take for a no', async () => {
    await run(JSON.stringify(CALL), [200, '{}']);
    await expect(runHere(service.url, ['hook', 'claude-code', '--wait', 'long'], '')).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });
});
