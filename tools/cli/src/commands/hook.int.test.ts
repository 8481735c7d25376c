import { PassThrough, Readable } from 'node:stream';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const CALL = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };
const VERDICT = { decision: 'deny', reason: 'Nobody deletes everything.', approval_request_id: null, expires_at: null };
const deny = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
});

async function* breakOff(): AsyncGenerator<Buffer> {
  yield Buffer.from('{');
  throw await Promise.resolve(new Error('gone'));
}

describe('the hook of a coding agent', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(stdin: string | Readable, answer: [number, string], args: readonly string[] = []) {
    service = await startHttpReceiver((_request, response) => {
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
    });
    const out = await runHere(service.url, ['hook', ...(args[0] === 'codex' ? [] : ['claude-code']), ...args], stdin);
    return { out, asked: service.requests.map(({ path, body }) => [path, JSON.parse(body.toString()) as unknown]) };
  }

  it.each(['claude-code', 'codex'])('denies calls for %s if the policy denies them, with the reason', async (agent) => {
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

  it('sends the arguments unchanged (APR-6)', async () => {
    const written = '{"id": 1917043659912705297, "x":[1.0,-0, 1e400],"__proto__":{"tool_input":2}}';
    await run(`{"tool_input":{},"tool_name":"Bash","tool_input" : ${written} }`, [200, JSON.stringify(VERDICT)]);
    expect(service.requests[0]?.body.toString()).toContain(`"arguments":${written}`);
  });

  it('prints nothing for an allowed call, so that the agent continues as it does without the hook', async () => {
    expect((await run(JSON.stringify(CALL), [200, JSON.stringify({ ...VERDICT, decision: 'allow' })])).out).toBe('');
  });

  it.each(['allow', 'deny'])('passes notes of operators to the agent when a call is %sed', async (decision) => {
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

  it('recognizes MCP tools by their names', async () => {
    const call = { tool_name: 'mcp__github__create__issue', tool_input: { title: 'x' } };
    const { asked } = await run(JSON.stringify(call), [200, JSON.stringify(VERDICT)], ['--wait', '0']);
    expect(asked[0]?.[1]).toEqual({
      tool_name: 'create__issue',
      server: 'github',
      arguments: { title: 'x' },
      wait_seconds: 0,
    });
  });

  it('denies calls that wait for a decision, and asks the agent to retry', async () => {
    const pending = {
      decision: 'pending',
      reason: 'Waits.',
      approval_request_id: 'r-1',
      expires_at: '2026-11-23T10:00:00Z',
    };
    const { out } = await run(JSON.stringify(CALL), [200, JSON.stringify(pending)]);
    expect(JSON.parse(out)).toEqual(deny(expect.stringMatching(/^Waits\. \(request r-1, .*exactly the same call/)));
  });

  it.each<[string, string, [number, string]]>([
    ['the service fails', JSON.stringify(CALL), [500, '{}']],
    ['the credential is refused', JSON.stringify(CALL), [401, '{}']],
    ['something else answers', JSON.stringify(CALL), [200, '<html>']],
    ['the decision is none that is known', JSON.stringify(CALL), [200, '{"decision": "maybe"}']],
  ])('denies if %s; with --fail-open it allows the call with a warning', async (_what, stdin, answer) => {
    expect(JSON.parse((await run(stdin, answer)).out)).toEqual(
      deny(expect.stringMatching(/^Steward could not be queried/)),
    );
    await service.close();
    const { out } = await run(stdin, answer, ['--fail-open']);
    const [note, message] = out.trim().split('\n');
    expect(note).toMatch(/could not be queried .* is allowed without a check/);
    expect(JSON.parse(message ?? '')).toEqual({ systemMessage: note });
  });

  const ALLOWED: [number, string] = [200, JSON.stringify({ ...VERDICT, decision: 'allow' })];
  /** Writes the input, and leaves the pipe open. */
  const leaveOpen = (...parts: readonly (string | Buffer)[]): PassThrough => {
    const stdin = new PassThrough();
    for (const part of parts) stdin.write(part);
    return stdin;
  };

  it.each<[string, () => string | Readable, RegExp]>([
    ['is no JSON', () => '{"tool_name": ', /not JSON/],
    ['is empty', () => '', /empty/],
    ['is null', () => 'null', /not an object/],
    ['is a list', () => '[]', /no tool/],
    ['names no tool', () => '{}', /no tool/],
    ['names a tool that is no text', () => '{"tool_name": 7}', /no tool/],
    ['names an event that is no text', () => '{"hook_event_name": 7, "tool_name": "Bash"}', /is not a string/],
    [
      'names an event that nobody knows',
      () => JSON.stringify({ ...CALL, hook_event_name: 'BeforeAnything' }),
      /BeforeAny/,
    ],
    ['is of two calls', () => JSON.stringify(CALL).repeat(2), /not JSON/],
    ['holds bytes that are no text', () => leaveOpen(Buffer.from([0x7b, 0xff, 0x7d])).end(), /not JSON/],
    [
      'is huge',
      () => leaveOpen('{"tool_name": "Bash", "tool_input": "', 'x'.repeat(9_000_000), '"}').end(),
      /larger than 8 MiB/,
    ],
    ['breaks off', () => Readable.from(breakOff()), /ended early/],
    ['does not end', () => leaveOpen('{"tool_name": "Bash", "tool_'), /was not received completely in time/],
    ['does not begin', () => leaveOpen(), /was not received completely in time/],
  ])('denies by its answer and by exit code 2 if its input %s (APR-21)', async (_what, stdin, why) => {
    const { out, asked } = await run(stdin(), ALLOWED);
    const [answer, note, code] = out.trim().split('\n');
    const said = JSON.parse(answer ?? '') as { hookSpecificOutput: Record<string, string> };
    expect(said.hookSpecificOutput['permissionDecision']).toBe('deny');
    expect(said.hookSpecificOutput['permissionDecisionReason']).toMatch(why);
    expect([note, code, asked]).toEqual([said.hookSpecificOutput['permissionDecisionReason'], 'exit 2', []]);
    await service.close();
    expect((await run(stdin(), ALLOWED, ['--fail-open'])).out).toMatch(/is allowed without a check/);
  });

  it.each<[string, () => Readable]>([
    ['begins with a byte order mark', () => leaveOpen('\ufeff', JSON.stringify(CALL)).end()],
    ['comes in pieces', () => leaveOpen(...(JSON.stringify(CALL).match(/.{1,9}/gs) ?? [])).end()],
    ['is never closed', () => leaveOpen(JSON.stringify(CALL))],
    ['is never closed behind its last line', () => leaveOpen(`${JSON.stringify(CALL)}\r\n`)],
    [
      'is UTF-16, as shells of Windows write it',
      () => leaveOpen(Buffer.from(`\ufeff${JSON.stringify(CALL)}`, 'utf16le')).end(),
    ],
    [
      'names no event, as older agents do',
      () => leaveOpen(JSON.stringify({ ...CALL, hook_event_name: undefined })).end(),
    ],
  ])('decides on a call whose input %s (APR-21)', async (_what, stdin) => {
    const { out, asked } = await run(stdin(), [200, JSON.stringify(VERDICT)]);
    expect(JSON.parse(out)).toEqual(deny(VERDICT.reason));
    expect(asked).toHaveLength(1);
  });

  it('denies within its time limit if the service does not respond (APR-21)', async () => {
    service = await startHttpReceiver(() => undefined);
    const begun = performance.now();
    const out = await runHere(service.url, ['hook', 'codex', '--wait', '0'], JSON.stringify(CALL));
    expect(JSON.parse(out)).toEqual(deny(expect.stringMatching(/no response in time/)));
    expect(performance.now() - begun).toBeLessThan(9_500);
  });

  it('denies without a service address and without a login (APR-21)', async () => {
    service = await startHttpReceiver(() => undefined);
    const { url } = service;
    await service.close();
    const unreachable = await runHere(url, ['hook', 'codex'], JSON.stringify(CALL));
    expect(JSON.parse(unreachable)).toEqual(deny(expect.stringMatching(/could not be reached/)));
    const env = { STEWARD_API_KEY: '', HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' };
    const strange = await runHere(url, ['hook', 'codex'], JSON.stringify(CALL), undefined, env);
    expect(JSON.parse(strange)).toEqual(deny(expect.stringMatching(/^Steward could not be queried/)));
  });

  describe.each(['claude-code', 'codex'])('called by %s for a PermissionRequest (APR-22)', (agent) => {
    const request = JSON.stringify({ ...CALL, hook_event_name: 'PermissionRequest' });
    const args = agent === 'codex' ? ['codex'] : [];
    const refuse = (message: unknown) => ({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
    });

    it('denies in the format of that event, also for waiting and failing calls', async () => {
      const { out, asked } = await run(request, [200, JSON.stringify(VERDICT)], args);
      expect(JSON.parse(out)).toEqual(refuse(VERDICT.reason));
      // The agent accepts no context, so notes are delivered in another way.
      expect(asked[0]?.[1]).toMatchObject({ tool_name: 'Bash', takes_operator_notes: false });
      await service.close();
      const pending = { ...VERDICT, decision: 'pending', approval_request_id: 'r-1' };
      const held = await run(request, [200, JSON.stringify(pending)], args);
      expect(JSON.parse(held.out)).toEqual(refuse(expect.stringMatching(/exactly the same call/)));
      await service.close();
      const failed = await run(request, [500, '{}'], args);
      expect(JSON.parse(failed.out)).toEqual(refuse(expect.stringMatching(/could not be queried/)));
    });

    it('leaves allowed calls to the agent and its user', async () => {
      const notes = [{ id: '1', framed: 'Stop.' }];
      const answer = JSON.stringify({ ...VERDICT, decision: 'allow', operator_notes: notes });
      expect((await run(request, [200, answer], args)).out).toBe('');
    });
  });

  it.each([
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionDenied',
    'UserPromptSubmit',
    'Stop',
    'SessionStart',
    'SubagentStart',
  ])('prints nothing for %s, which is not about a call (APR-22)', async (event) => {
    const { out, asked } = await run(JSON.stringify({ ...CALL, hook_event_name: event }), [500, '{}']);
    expect([out, asked]).toEqual(['', []]);
  });

  it('identifies the service’s own tools, whatever the agent calls them (TOOL-21)', async () => {
    const call = JSON.stringify({ tool_name: 'mcp__gov__github__get_issue', tool_input: {} });
    const { asked } = await run(call, ALLOWED, ['--door', 'gov']);
    expect(asked[0]?.[1]).toMatchObject({ server: 'steward', tool_name: 'github__get_issue' });
  });

  it('exits with 2, which agents treat as a denial, if it is configured incorrectly', async () => {
    await run(JSON.stringify(CALL), [200, '{}']);
    await expect(runHere(service.url, ['hook', 'claude-code', '--wait', 'long'], '')).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });
});
