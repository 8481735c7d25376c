import { SignJWT } from 'jose';
import { createTokenSigner } from './access-token.ts';

const signer = createTokenSigner('a-secret-key-for-tests-only-0123456789');
const claims = {
  userId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
  accountId: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
  generation: 3,
};
const now = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

describe('tokens', () => {
  it('carry user, account and generation', async () => {
    const token = await signer.sign('access', claims, 60, now);
    expect(await signer.verify('access', token, later(30))).toEqual(claims);
  });

  it('expire', async () => {
    const token = await signer.sign('access', claims, 60, now);
    expect(await signer.verify('access', token, later(61))).toBeUndefined();
  });

  it('of one kind are not accepted as the other', async () => {
    const refresh = await signer.sign('refresh', claims, 60, now);
    const access = await signer.sign('access', claims, 60, now);
    expect(await signer.verify('access', refresh, now)).toBeUndefined();
    expect(await signer.verify('refresh', access, now)).toBeUndefined();
  });

  it('of another key, without a signature or altered are refused', async () => {
    const token = await signer.sign('access', claims, 60, now);
    const other = createTokenSigner('another-secret-key-for-tests-0123456789');
    const [, body] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const foreign = await new SignJWT({ typ: 'access' }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
    expect(await other.verify('access', token, now)).toBeUndefined();
    for (const forged of [unsigned, foreign, `${token}x`, 'a.b.c', '']) {
      expect(await signer.verify('access', forged, now)).toBeUndefined();
    }
  });
});
