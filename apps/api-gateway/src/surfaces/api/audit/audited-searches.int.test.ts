import { createHash } from 'node:crypto';
import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit({ SERVICE_EDITION: 'enterprise' });
const { ask, call } = audit;
const SAVED = '/runtime-sessions/search/saved';

let counter = 0;
const save = (more: object = {}) =>
  call('POST', SAVED, { name: `saved ${(counter += 1)}`, query: 'kiwi', filters: { role: 'user' }, ...more });
const asked = {
  mode: 'keyword',
  filters: ['role'],
  query_hash: `sha256:${createHash('sha256').update('kiwi').digest('hex')}`,
  query_chars: 4,
};

/** Audit entries of saved searches and of grants (SRCH-61, SRCH-77). */
const SEARCHES: AuditedTable = [
  [
    'a search is saved',
    async () => ({
      request: ask('POST', SAVED, { name: 'the fruit', query: 'kiwi', visibility: 'account' }),
      answers: 201,
      row: ({ id }) => did('create', 'saved_search', id, { mode: 'keyword', visibility: 'account' }),
    }),
  ],
  [
    'a saved search is changed',
    async () => {
      const { id } = await save();
      return {
        request: ask('PATCH', `${SAVED}/${id}`, { query: 'plum', name: 'other fruit' }),
        answers: 200,
        row: () => did('update', 'saved_search', id, { changed: ['name', 'query'] }),
      };
    },
  ],
  [
    'a saved search is deleted',
    async () => {
      const { id } = await save();
      return {
        request: ask('DELETE', `${SAVED}/${id}`),
        answers: 204,
        row: () => did('delete', 'saved_search', id),
      };
    },
  ],
  [
    'a saved search is run',
    async () => {
      const { id } = await save();
      return {
        request: ask('POST', `${SAVED}/${id}/run`),
        answers: 200,
        row: () =>
          did('query', 'session_search', null, {
            ...asked,
            saved_search_id: id,
            effective_mode: 'keyword',
            result_count: 0,
            total_matched: 0,
          }),
        unlogged: 200,
      };
    },
  ],
  [
    'an unknown saved search is run',
    async () => ({
      request: ask('POST', `${SAVED}/01a1fd83-e0f6-74f3-a4d4-3894501df164/run`),
      answers: 404,
      row: () => ({ ...did('query', 'session_search', null, { error_code: 'not_found' }), status: 'failure' }),
      unlogged: 404,
    }),
  ],
  [
    'a run is refused because of its body',
    async () => {
      const { id } = await save();
      return {
        request: ask('POST', `${SAVED}/${id}/run`, { query: 'plum' }),
        answers: 422,
        row: () => ({ ...did('query', 'session_search', null, { error_code: 'invalid_request' }), status: 'failure' }),
        unlogged: 422,
      };
    },
  ],
  [
    'a run is refused because of a missing permission',
    async () => {
      const [saved, { id, key }] = [await save(), await audit.createNarrowKey()];
      return {
        request: ['POST', `/api/v1${SAVED}/${saved.id}/run`, { token: key }],
        answers: 403,
        row: () => ({
          action: 'query',
          resource_type: 'session_search',
          actor: ['api_key', id],
          status: 'denied',
          details: { error_code: 'permission_denied', permission: 'view_runtime_sessions' },
        }),
        unlogged: 403,
      };
    },
  ],
  [
    'search grants are saved',
    async () => {
      const former = { subject_type: 'managed_agent', subject_id: 'former', session_search_account_scope: true };
      const next = { ...former, subject_id: 'next', session_search_account_scope: false };
      await call('PUT', '/session-search/grants', { grants: [former] });
      return {
        request: ask('PUT', '/session-search/grants', { grants: [next] }),
        answers: 200,
        row: () =>
          did('update', 'session_search_grants', audit.owner().accountId, {
            grants: 1,
            changes: [
              { subject_type: 'managed_agent', subject_id: 'next', before: null, after: false },
              { subject_type: 'managed_agent', subject_id: 'former', before: true, after: null },
            ],
          }),
      };
    },
  ],
];

audit.describeTable('searches', SEARCHES);
