import { listDeclaredRoutes } from '../../../list-declared-routes.ts';
import { listAuditedRoutes } from '../../../testing/audited-routes.ts';

describe('a route that declares an audit record', () => {
  it('is called by one of the tests in the same folder, which check the record', () => {
    expect(listAuditedRoutes(undefined).map(({ path }) => path)).toEqual([]);
  });
});

describe('a route that reads a session or an execution', () => {
  it('records the reader, unless it returns metadata only (ACC-43)', () => {
    const reads = listDeclaredRoutes().filter(
      ({ method, path }) => method === 'get' && /\{(session|execution)_id\}/.test(path),
    );
    const silent = reads.filter(({ audit }) => audit === undefined).map(({ path }) => path);
    expect(silent.sort()).toEqual([
      '/api/v1/flows/executions/{execution_id}',
      // Not audited, because an event reports the vulnerabilities to receivers.
      '/api/v1/flows/executions/{execution_id}/vulnerabilities',
      '/api/v1/runtime-sessions/{session_id}',
    ]);
    expect(reads.length - silent.length).toBe(5);
  });
});
