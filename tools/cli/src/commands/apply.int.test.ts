import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const FLOW = { id: 'f-1', name: 'review', timeout_seconds: 600, is_default: false };

describe('two applies at once', () => {
  const folder = useFolder();
  let service: HttpReceiver;
  afterEach(() => service.close());

  /**
   * Applies a document to a service whose list of flows changes after it was first read, as if another apply had
   * changed it.
   * @returns the error, and the methods of the requests other than GET
   */
  async function apply(spec: string, before: readonly object[], after: readonly object[]) {
    let reads = 0;
    service = await startService(({ method, path }) => {
      if (path === '/api/v1/users/me') return [200, { account_id: 'account-1' }];
      if (method !== 'GET') return [200, { ...FLOW, id: 'f-2' }];
      reads += 1;
      return [200, { items: reads === 1 ? before : after, next_cursor: null }];
    });
    const path = join(folder(), 'flow.yaml');
    writeFileSync(path, `kind: flow\nname: review\nspec: ${spec}\n`);
    const error = await runHere(service.url, ['apply', '-f', path, '--state', join(folder(), 'state.json')]).then(
      () => '',
      (thrown: unknown) => (thrown as Error).message,
    );
    return { error, changes: service.requests.map(({ method }) => method).filter((method) => method !== 'GET') };
  }

  it('do not create an object twice', async () => {
    const { error, changes } = await apply('{ timeout_seconds: 900 }', [], [FLOW]);
    expect(error).toMatch(/\(flow\/review\): the object was created while this command ran\. Run the command again/);
    expect(changes).toEqual([]);
  });

  it('do not overwrite what the other one changed', async () => {
    const { error, changes } = await apply('{ timeout_seconds: 900 }', [FLOW], [{ ...FLOW, timeout_seconds: 700 }]);
    expect(error).toMatch(
      /\(flow\/review\): spec\.timeout_seconds was changed while this command ran\. Run the command again/,
    );
    expect(changes).toEqual([]);
  });

  it('do not change an object that was deleted', async () => {
    const { error, changes } = await apply('{ timeout_seconds: 900 }', [FLOW], []);
    expect(error).toMatch(/the object was deleted while this command ran/);
    expect(changes).toEqual([]);
  });

  it('may change different fields, or a field to the same value', async () => {
    const other = await apply('{ timeout_seconds: 900 }', [FLOW], [{ ...FLOW, description: 'new' }]);
    expect([other.error, other.changes]).toEqual(['', ['PATCH']]);
    await service.close();
    const same = await apply('{ timeout_seconds: 900 }', [FLOW], [{ ...FLOW, timeout_seconds: 900 }]);
    expect([same.error, same.changes]).toEqual(['', ['PATCH']]);
  });
});
