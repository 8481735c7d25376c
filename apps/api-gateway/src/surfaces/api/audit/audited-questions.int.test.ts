import { createHash, randomUUID } from 'node:crypto';
import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const audit = useAudit();
const { ask, call } = audit;
const hash = (query: string) => `sha256:${createHash('sha256').update(query).digest('hex')}`;
const missing = { error_code: 'permission_denied', permission: 'view_runtime_sessions' };

/** Audit entries of questions (SRCH-29, SRCH-30, MASK-8): the response is sent even if the row cannot be stored. */
const QUESTIONS: AuditedTable = (
  [
    [
      'session_search',
      '/search',
      { query: 'kiwi' },
      { mode: 'keyword', filters: [], query_hash: hash('kiwi'), query_chars: 4 },
      { effective_mode: 'keyword', result_count: 0, total_matched: 0 },
    ],
    ['credential_sighting', '/credential-sightings', { value: 'kiwi' }, {}, { result_count: 0, session_count: 0 }],
  ] as const
).flatMap(([resource_type, path, body, asked, found]): AuditedTable => {
  const url = `/runtime-sessions${path}`;
  const row = { action: 'query', resource_type } as const;
  return [
    [
      `a ${resource_type} is answered`,
      async () => ({
        request: ask('POST', url, body),
        answers: 200,
        row: () => ({ ...row, details: { ...asked, ...found } }),
        unlogged: 200,
      }),
    ],
    [
      `a ${resource_type} is refused for its body`,
      async () => ({
        request: ask('POST', url, { ...body, limit: 'x' }),
        answers: 422,
        row: () => ({ ...row, status: 'failure', details: { ...asked, error_code: 'invalid_request' } }),
        unlogged: 422,
      }),
    ],
    [
      `a ${resource_type} is refused for want of a permission`,
      async () => {
        const { id, key } = await audit.createNarrowKey();
        return {
          request: ['POST', `/api/v1${url}`, { token: key, body }],
          answers: 403,
          row: () => ({ ...row, actor: ['api_key', id], status: 'denied', details: missing }),
          unlogged: 403,
        };
      },
    ],
  ];
});

/** A question about one session (SRCH-53). */
const SIMILAR: AuditedTable = [
  [
    'similar sessions are requested',
    async () => {
      const { id } = await call('POST', '/runtime-sessions', { session_source_type: 'ci', session_source_id: 'run 1' });
      return {
        request: ask('GET', `/runtime-sessions/${id}/similar`),
        answers: 200,
        row: () => did('query', 'similar_session', id, { result_count: 0, reasons: ['semantic_not_enabled'] }),
        unlogged: 200,
      };
    },
  ],
  [
    'similar sessions are requested for an unknown session',
    async () => ({
      request: ask('GET', `/runtime-sessions/${randomUUID()}/similar`),
      answers: 404,
      row: () => ({ ...did('query', 'similar_session', null, { error_code: 'not_found' }), status: 'failure' }),
      unlogged: 404,
    }),
  ],
  [
    'a request for similar sessions lacks a permission',
    async () => {
      const { id, key } = await audit.createNarrowKey();
      return {
        request: ['GET', `/api/v1/runtime-sessions/${randomUUID()}/similar`, { token: key }],
        answers: 403,
        row: () => ({ ...did('query', 'similar_session', null, missing), actor: ['api_key', id], status: 'denied' }),
        unlogged: 403,
      };
    },
  ],
];

/** Audit entries of settings with a provider. They come last, because the questions above need no provider. */
const PROVIDER: AuditedTable = [
  [
    'the model for titles is removed',
    async () => ({
      request: ask('PUT', '/runtime-sessions/settings/titles', { title_model: null }),
      answers: 200,
      row: () => did('update', 'title_setting', audit.owner().accountId, { title_model: null }),
    }),
  ],
  [
    'the provider of embeddings is changed',
    async () => {
      const setting = { enabled: true, model_identifier: 'm', base_url: 'https://embeddings.example.com' };
      return {
        request: ask('PUT', '/runtime-sessions/settings/embedding', { ...setting, api_key: 'a key of the provider' }),
        answers: 200,
        row: () => did('update', 'embedding_setting', audit.owner().accountId, { ...setting, api_key_changed: true }),
      };
    },
  ],
];

audit.describeTable('questions', [...QUESTIONS, ...SIMILAR, ...PROVIDER]);
