import { request as sendRequest } from 'node:http';
import { findFreePort } from '@steward/local-servers';
import { eventually } from '@steward/testing';
import { serveLocally, type LocalServer } from '../servers/serve-locally.ts';
import { endTicking, expectEachTick, listTicks, TICKING } from './ticking.ts';
import { startSuiteOf } from './start-suite.ts';
import { useCli, type TestFlow } from './use-cli.ts';

describe('the steward command that starts flows', () => {
  const tests = useCli(() => startSuiteOf(['api-gateway', 'flow-trigger']));

  it('exits with 0 when the flow succeeded, after streaming its log and result', async () => {
    const flow = await tests.createFlow(
      `cat in/diff.txt; sha256sum in/blob.bin; printf '{"verdict":"fine"}' > result.json`,
    );
    tests.file('payload.json', '{"sha":"59b20b8"}');
    tests.file('in/diff.txt', '+ added ä\n');
    tests.file('in/blob.bin', Buffer.from([0, 255, 128]));
    const args = ['flow', 'trigger', flow.name, '--file', 'payload.json', '--attach', 'in', '--wait'];
    const done = await tests.cli.run(args, tests.inWork());
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringMatching(/^accepted: execution [0-9a-f-]{36}, 2 workspace/),
    ]);
    expect(done.stdout).toContain('| + added ä\n');
    expect(done.stdout).toContain('| f742b965f156c10374bc23aea96e3a8aff8facd6fc079defeaa30219ad86f211');
    expect(done.stdout).toMatch(/SUCCEEDED after \d/);
    expect(done.stdout).toContain('"verdict": "fine"');
  });

  it('exits with 1 when the flow failed, with the reason', async () => {
    const flow = await tests.createFlow('echo about to fail; exit 7');
    const done = await tests.cli.run(['flow', 'trigger', flow.id, '--wait']);
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('| about to fail');
    expect(done.stdout).toContain('FAILED (agent_error)');
    expect(done.stderr).toContain('7');
  });

  it('starts a flow with only its webhook URL and prints the execution', async () => {
    const flow = await tests.createFlow('true');
    const env = { STEWARD_API_KEY: '', STEWARD_WEBHOOK_URL: flow.url };
    const done = await tests.cli.run(['flow', 'trigger', '--file', '-'], { env, input: '{"a":1}' });
    const [execution] = await tests.listExecutions(flow);
    expect([done.code, done.stdout]).toEqual([0, `${execution?.id ?? ''}\n`]);
  });

  it('waits for a run started by a webhook with an additional key, and prints one JSON document with --json', async () => {
    const flow = await tests.createFlow('echo line');
    const done = await tests.cli.run(['flow', 'trigger', flow.url, '--wait', '--json']);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ flow_id: flow.id, status: 'SUCCEEDED' });
    expect(done.stderr).toContain('| line');
  });

  describe('exits with 2 and starts nothing', () => {
    let flow: TestFlow;
    beforeAll(async () => {
      flow = await tests.createFlow('true');
    });
    afterAll(async () => {
      expect(await tests.listExecutions(flow)).toEqual([]);
    });

    it.each([
      ['an unknown flag', () => ['flow', 'trigger', flow.id, '--frobnicate'], /unknown option '--frobnicate'/],
      ['a surplus argument', () => ['flow', 'trigger', flow.id, 'more'], /too many arguments/],
      ['a wrong secret', () => ['flow', 'trigger', flow.url.slice(0, -4) + 'AAAA'], /flow id or the secret is wrong/],
      ['an unknown name', () => ['flow', 'trigger', 'no such flow'], /no flow named "no such flow"/],
      [
        'a URL that is no webhook',
        () => ['flow', 'trigger', `${tests.baseUrl}/hook/hunter2hunter2`],
        /must have the form/,
      ],
      ['an empty target', () => ['flow', 'trigger'], /Give a flow/],
    ])('for %s', async (_what, args, message) => {
      const done = await tests.cli.run(args());
      expect([done.code, done.stdout]).toEqual([2, '']);
      expect(done.stderr).toMatch(message);
    });

    it('for a file above its limit, naming file, limit and excess', async () => {
      tests.file('big.bin', Buffer.alloc(73_729));
      const done = await tests.cli.run(['flow', 'trigger', flow.id, '--attach', 'big.bin'], tests.inWork());
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('"big.bin" has 98308 base64 bytes; the limit is 98304 (4 over)');
    });

    it('for --wait with a webhook URL and no login', async () => {
      const done = await tests.cli.run(['flow', 'trigger', flow.url, '--wait'], { env: { STEWARD_API_KEY: '' } });
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('Nothing was sent');
    });

    it('for --wait with a refused key', async () => {
      const env = { STEWARD_API_KEY: 'stw_this-key-was-revoked-long-ago' };
      const done = await tests.cli.run(['flow', 'trigger', flow.url, '--wait'], { env });
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('unauthenticated');
    });

    it('for a disabled flow', async () => {
      await tests.api.call('PATCH', `/api/v1/flows/${flow.id}`, { body: { is_enabled: false } });
      const done = await tests.cli.run(['flow', 'trigger', flow.url]);
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('flow_disabled');
    });
  });

  it('exits with 3 at the time limit, and can wait for the same run again', async () => {
    const flow = await tests.createFlow('sleep 600');
    const late = await tests.cli.run(['flow', 'trigger', flow.id, '--wait', '--timeout', '1']);
    expect(late.code).toBe(3);
    const [execution] = await tests.listExecutions(flow);
    expect(late.stderr).toContain(`steward flow wait ${execution?.id ?? ''}`);
    const joined = tests.cli.start(['flow', 'wait', execution?.id ?? '']);
    await tests.api.call('POST', `/api/v1/flows/executions/${execution?.id ?? ''}/stop`);
    const done = await joined.ended;
    expect([done.code, done.stdout]).toEqual([1, expect.stringContaining('STOPPED (cancelled)')]);
  });

  it('exits with 3 if the service cannot be reached, and prints the idempotency key with which the command can be repeated', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/webhooks/flows/x/flw_unreachable-secret-0123456789`;
    const done = await tests.cli.run(['flow', 'trigger', url, '--retries', '1', '--idempotency-key', 'job-1']);
    expect(done.code).toBe(3);
    expect(done.stderr).toContain('retrying in');
    expect(done.stderr).toContain('--idempotency-key job-1');
  });

  it('does not stop the run on Ctrl-C, except on request', async () => {
    const flow = await tests.createFlow('echo up; sleep 600');
    const left = tests.cli.start(['flow', 'trigger', flow.id, '--wait']);
    await eventually(() => left.printed().includes('| up'));
    left.child.kill('SIGINT');
    expect([(await left.ended).code, left.printed()]).toEqual([
      130,
      expect.stringContaining('the execution continues'),
    ]);
    const [first] = await tests.listExecutions(flow);
    expect(first?.status).toBe('RUNNING');

    const stopped = tests.cli.start(['flow', 'wait', first?.id ?? '', '--stop-on-interrupt']);
    await eventually(() => stopped.printed().includes('| up'));
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).toBe(130);
    await eventually(async () => (await tests.listExecutions(flow))[0]?.status === 'STOPPED');
  });

  it('starts only one execution if the response to the first request is lost', async () => {
    const flow = await tests.createFlow('true');
    const proxy = await startLossyProxy(tests.baseUrl);
    const done = await tests.cli.run(['flow', 'trigger', flow.url.replace(tests.baseUrl, proxy.origin)]);
    await proxy.close();
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('an earlier request already started it');
    expect(await tests.listExecutions(flow)).toHaveLength(1);
  });

  it('prints every log line once if the gateway is killed during the stream', async () => {
    const flow = await tests.createFlow(TICKING);
    const running = tests.cli.start(['flow', 'trigger', flow.id, '--wait']);
    const countTicks = (): number => listTicks(running.printed()).length;
    await eventually(() => countTicks() > 2);
    await tests.suite.crash('api-gateway');
    const before = countTicks();
    await eventually(() => countTicks() > before + 2);
    const [execution] = await tests.listExecutions(flow);
    endTicking(tests.suite, execution?.id ?? '');
    const done = await running.ended;
    expect(done.code).toBe(0);
    expectEachTick(done.stdout);
  });

  it('never prints a credential', () => {
    for (const secret of tests.secrets) expect(tests.cli.everything()).not.toContain(secret);
    expect(tests.cli.everything()).not.toMatch(/hunter2|(?:flw|whsec|stw)_[\w-]{16}/);
  });
});

/**
 * Starts a proxy that forwards requests, but closes the first connection instead of responding, to simulate a network
 * failure.
 */
function startLossyProxy(target: string): Promise<LocalServer> {
  let requests = 0;
  return serveLocally((incoming, outgoing) => {
    requests += 1;
    const isLost = requests === 1;
    const { method, headers, url } = incoming;
    const passed = sendRequest(`${target}${url ?? ''}`, { method, headers }, (answer) => {
      if (isLost) incoming.socket.destroy();
      else answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    incoming.pipe(passed);
  });
}
