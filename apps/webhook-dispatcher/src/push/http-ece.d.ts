/** The part of the package that is used; the package contains no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export interface EncryptOptions {
    readonly version: 'aes128gcm';
    /** Public key of the receiver, base64url. */
    readonly dh: string;
    readonly privateKey: ECDH;
    readonly salt: string;
    readonly authSecret: string;
  }

  export function encrypt(plaintext: Buffer, options: EncryptOptions): Buffer;
}
