import { createHmac } from 'node:crypto';
import { checkSignature } from './check-signature.ts';

const SECRET = 'whsec_one';
const STAMP = Math.floor(Date.now() / 1000);

function check(body: string, { stamp = STAMP, secret = SECRET, toleranceSeconds = 300 } = {}) {
  const signature = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex');
  const headers = { 'x-service-signature': `t=${stamp},v1=${signature}` };
  return checkSignature(Buffer.from(body), headers, [SECRET, 'whsec_two'], { toleranceSeconds });
}

it.each(['{"id":"1","type":"session.ended","data":{}}', '{"text":"ä"}', 'not JSON'])(
  'accepts the signed body %s',
  (body) => {
    expect(check(body)).toEqual({ kind: 'valid' });
  },
);

it('reports why it refuses a different secret, an old timestamp and a request without a signature', () => {
  expect(check('{}', { secret: 'other' })).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(/secret/) });
  const before = Math.floor(Date.now() / 1000);
  const old = check('{}', { stamp: before - 999 });
  const [, seconds] = /(\d+) s ago/.exec(old.kind === 'invalid' ? old.reason : '') ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(999);
  expect(Number(seconds)).toBeLessThanOrEqual(1000 + Math.ceil(Date.now() / 1000) - before);
  expect(checkSignature(Buffer.from('{}'), {}, [SECRET])).toMatchObject({ kind: 'invalid' });
});

it('ignores the timestamp on request', () => {
  expect(check('{}', { stamp: 1_700_000_000, toleranceSeconds: Number.POSITIVE_INFINITY }).kind).toBe('valid');
});
