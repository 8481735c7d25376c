import { listDeclaredRoutes } from '../../../list-declared-routes.ts';
import { listAuditedRoutes } from '../../../testing/audited-routes.ts';

describe('a route that changes something', () => {
  it('declares what it records, apart from what agents write and from triggers, which the statement that accepts them records', () => {
    const silent = listDeclaredRoutes()
      .filter(({ method, audit }) => method !== 'get' && audit === undefined)
      .map(({ path }) => path);
    expect(silent.sort()).toEqual([
      // Reports of machines are recorded with the candidate, by an event.
      '/api/v1/agents/discovery-reports',
      // Taken notes are recorded with the note, by an event.
      '/api/v1/agents/notes/pending',
      // The request that it raises is a record of its own.
      '/api/v1/agents/permission-check',
      '/api/v1/flows/{flow_id}/arrivals/{arrival_id}/send-again',
      '/api/v1/flows/{flow_id}/schedule/run',
      '/api/v1/flows/{flow_id}/trigger',
      // These change nothing: they tell what a document or a call would do.
      '/api/v1/policies/diff',
      '/api/v1/policies/test',
      '/api/v1/policies/validate',
      '/api/v1/runtime-sessions',
      '/api/v1/runtime-sessions/{session_id}/interactions',
      '/api/v1/runtime-sessions/{session_id}/tool-calls',
      '/api/v1/runtime-sessions/{session_id}/transcript',
      '/api/v1/schedules/preview',
      '/otlp/v1/traces',
      '/webhooks/flows/{flow_id}/{webhook_secret}',
    ]);
  });

  it('is asked by one of the tests beside this one, which look at what it records', () => {
    expect(listAuditedRoutes(undefined).map(({ path }) => path)).toEqual([]);
  });
});

describe('a route that reads of a session or an execution', () => {
  it('records who asked, unless it says what they are and not what was said in them (ACC-43)', () => {
    const reads = listDeclaredRoutes().filter(
      ({ method, path }) => method === 'get' && /\{(session|execution)_id\}/.test(path),
    );
    const silent = reads.filter(({ audit }) => audit === undefined).map(({ path }) => path);
    expect(silent.sort()).toEqual([
      '/api/v1/flows/executions/{execution_id}',
      // A record of its own, which an event reports to receivers.
      '/api/v1/flows/executions/{execution_id}/vulnerabilities',
      '/api/v1/runtime-sessions/{session_id}',
    ]);
    expect(reads.length - silent.length).toBe(5);
  });
});
