import { Ajv2020 } from 'ajv/dist/2020.js';
import { ErrorBodySchema } from './error-body.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

const entries = Object.entries(ERROR_CODES) as [ErrorCode, (typeof ERROR_CODES)[ErrorCode]][];

describe('error codes (ERR-1)', () => {
  it.each(entries)('%s is in snake case', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it.each(entries)('%s has a message that tells users what to do', (_code, { message }) => {
    expect(message).toMatch(/^[A-Z].{15,}[.]$|^[A-Z].*".*"\.$/);
  });

  it.each(entries)('%s has a status that shows whether the client or the server caused it', (code, { status }) => {
    const isOurs = ['internal', 'unavailable', 'search_timeout'].includes(code);
    const isOfProvider = ['provider_unreachable', 'provider_timeout'].includes(code);
    expect(status >= 500).toBe(isOurs || isOfProvider);
    expect([502, 504].includes(status)).toBe(isOfProvider);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  });

  it('uses 408, 429 or 503 for requests that can be repeated (ERR-3, ERR-5)', () => {
    const repeatable = entries.filter(([, { status }]) => [408, 429, 503].includes(status)).map(([code]) => code);
    expect(repeatable).toEqual([
      ...['request_timeout', 'key_limit_reached', 'rate_limited', 'outbox_full', 'search_timeout', 'unavailable'],
    ]);
  });

  it('tell the client only how an operator can find an internal error (ERR-4)', () => {
    expect(ERROR_CODES.internal.message).toContain('request id');
  });

  it('uses one code for unknown and foreign ids (API-10), and another one for model names (GW-2)', () => {
    const unknown = entries.filter(([, { status }]) => status === 404).map(([code]) => code);
    expect(unknown).toEqual(['not_found', 'model_not_found']);
  });
});

describe('the error body (ERR-1, ERR-2)', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const accepts = ajv.compile(ErrorBodySchema);
  const body = { detail: { code: 'not_found', message: 'There is no such resource.' }, request_id: 'a' };

  it('consists only of detail and request id', () => {
    expect(accepts(body)).toBe(true);
    expect(accepts({ ...body, error: 'not_found' })).toBe(false);
    expect(accepts({ detail: body.detail })).toBe(false);
    expect(accepts({ request_id: 'a' })).toBe(false);
  });

  it('requires code and message', () => {
    expect(accepts({ ...body, detail: { code: 'not_found' } })).toBe(false);
    expect(accepts({ ...body, detail: { message: 'There is no such resource.' } })).toBe(false);
    expect(accepts({ ...body, detail: 'There is no such resource.' })).toBe(false);
  });

  it.each([
    ['field', 'query'],
    ['permission', 'view_flows'],
    ['limit', 20],
    ['actual', 21],
    ['overage', 1],
    ['reason', 'loopback'],
  ])('can have %s', (key, value) => {
    expect(accepts({ ...body, detail: { ...body.detail, [key]: value } })).toBe(true);
  });

  it('contains sizes as numbers, so that a client need not parse the message', () => {
    expect(accepts({ ...body, detail: { ...body.detail, limit: '20' } })).toBe(false);
  });
});
