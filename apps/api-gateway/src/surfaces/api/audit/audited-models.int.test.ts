import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

/** Address at which no server listens. */
const NOWHERE = 'http://127.0.0.1:9';
const audit = useAudit({ MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: NOWHERE });
const { ask, call } = audit;
const PATH = '/ai-models';

let counter = 0;
const add = () =>
  call('POST', PATH, { alias: `m${(counter += 1)}`, provider: 'openai', model_identifier: 'x', base_url: NOWHERE });

/** Audit entries of models (MOD-1), which never contain a key, and of budgets (BUD-1). */
const MODELS: AuditedTable = [
  [
    'a model is added',
    async () => {
      const fields = { alias: 'fast', provider: 'openai', model_identifier: 'gpt-4o-mini' };
      return {
        request: ask('POST', PATH, { ...fields, api_key: 'sk-canary' }),
        answers: 201,
        row: ({ id }) => did('create', 'ai_model', id, { ...fields, api_key_changed: true }),
      };
    },
  ],
  [
    'a model is changed',
    async () => {
      const { id } = await add();
      return {
        request: ask('PATCH', `${PATH}/${id}`, { enabled: false }),
        answers: 200,
        row: () => did('update', 'ai_model', id, { enabled: false }),
      };
    },
  ],
  [
    'a model is deleted',
    async () => {
      const { id, alias } = await add();
      return {
        request: ask('DELETE', `${PATH}/${id}`),
        answers: 204,
        row: () => did('delete', 'ai_model', id, { alias }),
      };
    },
  ],
  [
    'a model is tested, which sends its key to its address',
    async () => {
      const { id } = await add();
      return {
        request: ask('POST', `${PATH}/${id}/test`),
        answers: 200,
        row: () => did('test', 'ai_model', id, { base_url: NOWHERE }),
      };
    },
  ],
  [
    'a budget is created',
    async () => {
      const fields = { scope: 'account', period: 'yearly', model_alias: `m${(counter += 1)}`, limit_amount: 5 };
      return {
        request: ask('POST', '/budgets', fields),
        answers: 201,
        row: ({ id }) => did('create', 'budget', id, fields),
      };
    },
  ],
  [
    'a budget is changed',
    async () => {
      const { id } = await call('POST', '/budgets', {
        scope: 'account',
        period: 'weekly',
        model_alias: `m${(counter += 1)}`,
        limit_amount: 5,
      });
      return {
        request: ask('PATCH', `/budgets/${id}`, { hard: false }),
        answers: 200,
        row: () => did('update', 'budget', id, { hard: false }),
      };
    },
  ],
  [
    'a budget is deleted',
    async () => {
      const fields = { scope: 'account', period: 'hourly', model_alias: `m${(counter += 1)}` };
      const { id } = await call('POST', '/budgets', { ...fields, limit_amount: 5 });
      return {
        request: ask('DELETE', `/budgets/${id}`),
        answers: 204,
        row: () => did('delete', 'budget', id, { scope: 'account', period: 'hourly' }),
      };
    },
  ],
];

describe('models', () => audit.describeTable('models', MODELS));
