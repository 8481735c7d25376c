import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { ReceivedRequest } from '@steward/testing';

export interface PushedMessage {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly tag: string;
}

/** Simulates a browser with a push subscription: decrypts messages according to RFC 8291 and RFC 8188. */
export function playBrowser() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    /** @throws if it is not encrypted for this browser */
    read({ body }: Pick<ReceivedRequest, 'body'>): PushedMessage {
      const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
      const serverKey = body.subarray(21, 21 + keyLength);
      const secret = pair.computeSecret(serverKey);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, serverKey]);
      const material = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const derive = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${name}\0`, length));
      const sealed = body.subarray(21 + keyLength);
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      // The last record ends with a delimiter of value 2 and zeros.
      const end = padded.lastIndexOf(2);
      return JSON.parse(padded.subarray(0, end).toString()) as PushedMessage;
    },
  };
}

export interface VapidClaims {
  readonly aud: string;
  readonly exp: number;
  readonly sub: string;
}

/** Verifies the signature of a message as a push service does (RFC 8292). @throws if it is not valid */
export function verifyVapid({ headers }: Pick<ReceivedRequest, 'headers'>, publicKey: string): VapidClaims {
  const { token = '', key } = /^vapid t=(?<token>[^,]+), k=(?<key>.+)$/.exec(headers.authorization ?? '')?.groups ?? {};
  if (key !== publicKey) throw new Error('another key');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const isValid = verify('sha256', Buffer.from(`${header}.${claims}`), verifier, Buffer.from(signature, 'base64url'));
  if (!isValid) throw new Error('the signature is not valid');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as VapidClaims;
}
