import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const FLOW = '0190a1b2-0000-7000-8000-000000000001';
const arrival = {
  id: '0190a1b2-0000-7000-8000-000000000002',
  received_at: '2026-03-01T12:00:00.000Z',
  outcome: 'ignored',
  reason: 'the filter evaluated to false',
  source: { name: 'github', event: 'push', action: null },
  execution_id: null,
};

describe('arrivals on the command line (FLOW-55, FLOW-56)', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answer: object) {
    service = await startService(() => [200, answer]);
    const out = await runHere(service.url, args);
    return { out, asked: service.requests.map(({ method, path }) => `${method} ${path}`) };
  }

  it('are listed with their outcome', async () => {
    const { out, asked } = await run(['flow', 'arrivals', FLOW, '--limit', '5'], {
      items: [arrival],
      next_cursor: null,
    });
    expect(asked).toEqual([`GET /api/v1/flows/${FLOW}/arrivals?limit=5`]);
    expect(JSON.stringify(out)).toMatch(/github push {2}ignored {2}the filter evaluated to false/);
  });

  it('can be resent: the execution is printed, or the reason why the flow ignores it', async () => {
    const args = ['flow', 'send-again', FLOW, arrival.id];
    const { out, asked } = await run(args, { status: 'accepted', execution_id: 'e-1' });
    expect(asked).toEqual([`POST /api/v1/flows/${FLOW}/arrivals/${arrival.id}/send-again`]);
    expect(JSON.stringify(out)).toContain('e-1');
    await service.close();
    await expect(run(args, { status: 'ignored', reason: 'the filter evaluated to false' })).rejects.toThrow(
      'No execution was started; the flow ignored the trigger: the filter evaluated to false',
    );
  });
});
