import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Version of the format. An object consists of version, nonce, tag and the ciphertext of the compressed body. */
const VERSION = 1;
export const SEAL_NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + SEAL_NONCE_BYTES + TAG_BYTES;
const KEY_BYTES = 32;

/**
 * Returns the compressed body, sealed for one object: the result cannot be decrypted if it is stored under another
 * object key.
 */
export async function sealBody(
  text: string,
  accountKey: Buffer,
  { objectKey, nonce }: { readonly objectKey: string; readonly nonce: Buffer },
): Promise<Buffer> {
  const packed = await compress(Buffer.from(text));
  const cipher = createCipheriv('aes-256-gcm', deriveObjectKey(accountKey, objectKey), nonce);
  cipher.setAAD(Buffer.from(objectKey));
  const sealed = Buffer.concat([cipher.update(packed), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Returns the body of an object.
 * @throws if the bytes were not sealed with this account key for this object key, or if the body is larger than
 * `maxBytes`
 */
export async function openBody(
  bytes: Buffer,
  accountKey: Buffer,
  { objectKey, maxBytes }: { readonly objectKey: string; readonly maxBytes: number },
): Promise<Buffer> {
  if (bytes[0] !== VERSION || bytes.length < HEAD_BYTES) throw new Error('not a sealed body');
  const nonce = bytes.subarray(1, 1 + SEAL_NONCE_BYTES);
  const tag = bytes.subarray(1 + SEAL_NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', deriveObjectKey(accountKey, objectKey), nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(objectKey))
    .setAuthTag(tag);
  const packed = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
  return decompress(packed, { maxOutputLength: Math.max(1, maxBytes) });
}

/** Derives the encryption key of one object, so that each encryption key is used with only one random nonce. */
function deriveObjectKey(accountKey: Buffer, objectKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', accountKey, 'steward-content-object', objectKey, KEY_BYTES));
}
