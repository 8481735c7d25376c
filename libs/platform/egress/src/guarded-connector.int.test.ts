import { resolvingTo, startHttpReceiver } from '@steward/testing';
import { Agent, request } from 'undici';
import { createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.ts';
import { createTargetGuard } from './target-guard.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function openReceiver() {
  const receiver = await startHttpReceiver();
  opened.push(receiver);
  return receiver;
}

function openAgent(options: Partial<GuardedConnectorOptions>): Agent {
  const connector = createGuardedConnector({ guard: createTargetGuard(), timeoutMs: 10_000, ...options });
  const agent = new Agent({ connect: connector.connect });
  opened.push(agent);
  return agent;
}

describe('a client with guarded connections', () => {
  it('does not reach a private address as a literal, by a name, or by a name whose address has changed', async () => {
    const receiver = await openReceiver();
    let answer = '127.0.0.1';
    const agent = openAgent({ resolve: (name, options, callback) => resolvingTo(answer)(name, options, callback) });
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'name.example.test']) {
      await expect(request(`http://${host}:${receiver.port}/`, { dispatcher: agent })).rejects.toThrow(
        'the target address is loopback',
      );
    }
    answer = '10.0.0.1';
    await expect(request(`http://name.example.test:${receiver.port}/`, { dispatcher: agent })).rejects.toThrow(
      'the target address is private',
    );
    expect(receiver.requests).toHaveLength(0);
  });

  it('reaches an allowed network if one of several addresses is allowed', async () => {
    const receiver = await openReceiver();
    const agent = openAgent({ guard: createTargetGuard(['127.0.0.1']), resolve: resolvingTo('10.0.0.1', '127.0.0.1') });
    const answer = await request(`http://two.example.test:${receiver.port}/`, { dispatcher: agent, method: 'POST' });
    await answer.body.dump();
    expect(answer.statusCode).toBeLessThan(300);
    expect(receiver.requests).toHaveLength(1);
  });

  it('does not reach a port that is not allowed', async () => {
    const receiver = await openReceiver();
    const agent = openAgent({ guard: undefined, allowedPorts: [443] });
    await expect(request(`http://127.0.0.1:${receiver.port}/`, { dispatcher: agent })).rejects.toThrow(
      'the target port is not allowed',
    );
    expect(receiver.requests).toHaveLength(0);
  });
});
