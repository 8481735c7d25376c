import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const JOB = {
  id: 'd-1',
  status: 'finished',
  dry_run: true,
  matched: 5,
  deleted: 0,
  kept: { legal_hold: 1, execution_active: 1 },
};

describe('deleting sessions on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  /** Runs one command against a service that responds to a dry run, and then reports a deletion that is in progress. */
  async function run(args: readonly string[], refused: readonly string[] = []) {
    service = await startService((request) => {
      const path = new URL(request.path, 'http://x').pathname.replace('/api/v1/runtime-sessions', '');
      if (request.method === 'DELETE')
        return refused.some((id) => path.endsWith(id))
          ? [409, { detail: { code: 'legal_hold', message: 'It is held.' }, request_id: 'r' }]
          : [204];
      if (path === '/deletions' && !request.body.includes('dry_run')) return [202, { ...JOB, status: 'running' }];
      if (path === '/deletions/d-1') return [200, { ...JOB, deleted: 3 }];
      return [200, JOB];
    });
    const out = await runHere(service.url, ['sessions', 'delete', ...args]).catch(
      (error: Error) => `! ${error.message}`,
    );
    const asked = service.requests.map(
      ({ method, path, body }) => `${method} ${path.replace('/api/v1/runtime-sessions', '')} ${body.toString()}`,
    );
    return { out, asked };
  }

  it('prints the number of matching sessions, deletes them, and reports the retained ones', async () => {
    const { out, asked } = await run(['--label', 'repo:api', '--ended', '--yes']);
    const filters = '"filters":{"active":false,"label":"repo:api"}';
    expect(asked).toEqual([
      `POST /deletions {${filters},"dry_run":true}`,
      `POST /deletions {${filters}}`,
      'GET /deletions/d-1 ',
    ]);
    expect(out).toBe(
      '3 sessions deleted so far\n3 sessions deleted; kept: 1 under legal hold, 1 of active executions\n',
    );
  });

  it('deletes nothing in a dry run, or without a terminal for the confirmation', async () => {
    const dry = await run(['--label', 'repo:api', '--dry-run']);
    expect(dry.asked).toHaveLength(1);
    expect(dry.out).toMatch(/^3 sessions would be deleted; /);
    await service.close();
    const unasked = await run(['s-1']);
    expect([unasked.asked, unasked.out]).toEqual([[], expect.stringContaining('--yes')]);
  });

  it('deletes the named sessions, and continues if one is refused', async () => {
    const { out, asked } = await run(['s-1', 's-2', 's-3', '--yes'], ['s-2']);
    expect(asked.map((each) => each.trim())).toEqual(['DELETE /s-1', 'DELETE /s-2', 'DELETE /s-3']);
    expect(out).toMatch(/^s-2: .*It is held\..*\nexit 2\n2 sessions deleted\n$/);
  });

  it.each([[[]], [['s-1', '--label', 'a:b']]])('requires sessions or filters, not %j', async (args) => {
    const { out, asked } = await run([...args, '--yes']);
    expect([asked, out]).toEqual([[], expect.stringContaining('Give either session ids')]);
  });
});
