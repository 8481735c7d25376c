import { createHmac } from 'node:crypto';
import { verifySignature } from './verify-signature.ts';

const BODY = Buffer.from('{"id":"1","text":"ä"}');
const NOW = new Date('2026-05-08T12:00:00Z');
const STAMP = NOW.getTime() / 1000;
const sign = (secret: string, stamp = STAMP, body: Buffer = BODY) =>
  createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex');
const verify = (header: string | undefined, secrets = ['whsec_one'], body = BODY) =>
  verifySignature(body, header === undefined ? {} : { 'x-service-signature': header }, secrets, { now: NOW });

describe('verifying a signature', () => {
  it('takes a request signed with any of the secrets, next to parts it does not know', () => {
    expect(verify(`t=${STAMP},v1=${sign('whsec_one')}`).kind).toBe('valid');
    expect(
      verify(`t=${STAMP},v2=zz,v1=${sign('other')}, v1=${sign('whsec_two')}`, ['whsec_one', 'whsec_two']).kind,
    ).toBe('valid');
  });

  it.each([299, 300, -300])('takes a clock that differs by %i s', (age) => {
    expect(verify(`t=${STAMP - age},v1=${sign('whsec_one', STAMP - age)}`).kind).toBe('valid');
  });

  it.each([
    ['another secret', `t=${STAMP},v1=${sign('whsec_two')}`],
    ['another body', `t=${STAMP},v1=${sign('whsec_one', STAMP, Buffer.from('{}'))}`],
    ['another time than the signed one', `t=${STAMP + 1},v1=${sign('whsec_one')}`],
    ['an old time', `t=${STAMP - 301},v1=${sign('whsec_one', STAMP - 301)}`],
    ['a future time', `t=${STAMP + 301},v1=${sign('whsec_one', STAMP + 301)}`],
    ['no time', `v1=${sign('whsec_one')}`],
    ['no v1 part', `t=${STAMP},v2=${sign('whsec_one')}`],
    ['a signature cut short', `t=${STAMP},v1=${sign('whsec_one').slice(0, 62)}`],
    ['rubbish', 'hello'],
    ['no header', undefined],
  ])('refuses %s', (_what, header) => {
    expect(verify(header).kind).toBe('invalid');
  });
});
