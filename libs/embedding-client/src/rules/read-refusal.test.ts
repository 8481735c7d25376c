import { readRefusal, refusesEncoding } from './read-refusal.ts';

const now = new Date('2026-11-20T09:00:00Z');
const KEY = 'sk-secret-0123456789abcdef';
const refuse = (status: number, answer: unknown = '', retryAfter?: string, apiKey = KEY) =>
  readRefusal(
    { status, retryAfter, body: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)) },
    { apiKey, now },
  );

describe('a response with a status other than 200 (EMB-35)', () => {
  it.each([
    [301, 'misconfigured'],
    [302, 'misconfigured'],
    [307, 'misconfigured'],
    [400, 'refused'],
    [401, 'misconfigured'],
    [402, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    [405, 'misconfigured'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [413, 'refused'],
    [422, 'refused'],
    [425, 'unavailable'],
    [429, 'rate_limited'],
    [451, 'misconfigured'],
    [201, 'misconfigured'],
    [204, 'misconfigured'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [529, 'unavailable'],
  ])('with the status %i is %s', (status, kind) => {
    expect(refuse(status).kind).toBe(kind);
  });

  it.each<[number, string | undefined, unknown]>([
    [429, '7', { kind: 'rate_limited', retryAfterMs: 7000 }],
    [429, 'Fri, 20 Nov 2026 09:05:00 GMT', { kind: 'rate_limited', retryAfterMs: 300_000 }],
    [429, '999999', { kind: 'rate_limited', retryAfterMs: 3_600_000 }],
    [429, 'soon', { kind: 'rate_limited', retryAfterMs: undefined }],
    [503, '7', { kind: 'rate_limited', retryAfterMs: 7000 }],
    [503, undefined, { kind: 'unavailable', detail: 'HTTP 503' }],
    [500, '7', { kind: 'unavailable', detail: 'HTTP 500' }],
  ])('%i with Retry-After %p', (status, retryAfter, outcome) => {
    expect(refuse(status, '', retryAfter)).toEqual(outcome);
  });

  it.each<[string, unknown]>([
    ['names the field "model"', { error: { message: 'no such thing', param: 'model' } }],
    ['has a code about the model', { error: { message: 'x', code: 'model_not_found' } }],
    ['speaks of the API key', [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }]],
  ])('a 400 that %s concerns the setting, not the texts', (_name, answer) => {
    expect(refuse(400, answer).kind).toBe('misconfigured');
  });

  it('counts as a refusal of the text if it is a 400 about the length of the text', () => {
    const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";
    const answer = { error: { message, type: 'invalid_request_error', param: null, code: null } };
    expect(refuse(400, answer)).toEqual({ kind: 'refused', status: 400, detail: 'HTTP 400 (invalid_request_error)' });
  });
});

describe('the description of a refusal (EMB-37)', () => {
  it.each<[unknown, string]>([
    [{ error: { code: 'invalid_api_key', message: `Incorrect: ${KEY}` } }, 'HTTP 401 (invalid_api_key)'],
    [{ error: { code: 401, type: 'auth-error' } }, 'HTTP 401 (auth-error)'],
    [{ object: 'error', type: 'BadRequestError', code: 401 }, 'HTTP 401 (BadRequestError)'],
    [{ error: { code: KEY } }, 'HTTP 401'],
    [{ error: { code: 'my text with words' } }, 'HTTP 401'],
    [{ error: { code: 'x'.repeat(65) } }, 'HTTP 401'],
    [{ error: 'no' }, 'HTTP 401'],
    [{ error: null, code: 'denied' }, 'HTTP 401 (denied)'],
    ['<html>denied</html>', 'HTTP 401'],
  ])('is the status and a short code of %j', (answer, detail) => {
    expect(refuse(401, answer)).toEqual({ kind: 'misconfigured', status: 401, detail });
  });

  it.each([
    ['letters', 'letters'],
    ['letters', 'wrong_letters'],
    ['letters', 'let'],
  ])('does not contain the key %s that was returned as the code %s', (apiKey, code) => {
    expect(refuse(401, { error: { code } }, undefined, apiKey)).toMatchObject({ detail: 'HTTP 401' });
  });
});

it.each([
  [400, 'Unknown parameter: encoding_format', true],
  [422, '{"loc":["body","encoding_format"]}', true],
  [400, 'too long', false],
  [500, 'encoding_format', false],
  [200, 'encoding_format', false],
])('%i %j refuses the encoding: %p (EMB-36)', (status, body, refuses) => {
  expect(refusesEncoding({ status, body: Buffer.from(body), retryAfter: undefined })).toBe(refuses);
});
