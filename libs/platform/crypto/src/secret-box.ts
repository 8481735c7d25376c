import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { deriveKeys, identifyKey } from './key-ring.ts';

/** Encrypts stored secrets with the first key of its ring, and decrypts values encrypted with any of its keys. */
export interface SecretBox {
  /**
   * Encrypts a value. `context` (for example the row id) is authenticated: a ciphertext that was moved to another row
   * cannot be decrypted.
   */
  seal(plaintext: string, context: string): Buffer;
  /**
   * Decrypts a value.
   * @throws if the value was not encrypted with any of the keys, its bytes were changed, or the context differs
   */
  open(ciphertext: Buffer, context: string): string;
  /**
   * First bytes of every new encrypted value. Values that begin with other bytes have the older format, or were
   * encrypted with another key.
   */
  readonly prefix: Buffer;
  /**
   * The prefixes of all keys of the ring: a value in the format with key ids that has none of these prefixes cannot be
   * decrypted.
   */
  readonly prefixes: readonly Buffer[];
}

/**
 * Returns the encryption context of a value in a row of an account, so that the value cannot be decrypted in another
 * row.
 */
export function describeRowContext(accountId: string, id: string): string {
  return `${accountId}/${id}`;
}

/**
 * Version of the format without key ids: version, nonce, tag, ciphertext. Values in this format are still decrypted,
 * but no longer written.
 */
const UNNAMED_KEY = 1;
/**
 * Version of the format with key ids: version, key id, nonce, tag, ciphertext; the first two are also authenticated.
 */
const NAMED_KEY = 2;
const PREFIX_BYTES = 5;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface RingKey {
  /** Key as an object, because with a Buffer each decryption takes 14 us instead of 3 (Node 24.21). */
  readonly key: KeyObject;
  readonly prefix: Buffer;
}

/** Creates a box with keys derived from one or more SECRET_KEYs, the current one first. */
export function createSecretBox(secretKeys: string | readonly string[], purpose: string): SecretBox {
  return createDerivedSecretBox(deriveKeys(typeof secretKeys === 'string' ? [secretKeys] : secretKeys, purpose));
}

/** Creates a box with keys that have already been derived, the current one first. */
export function createDerivedSecretBox(derivedKeys: readonly string[]): SecretBox {
  const ring = derivedKeys.map(readKey);
  const [current] = ring;
  if (current === undefined) throw new Error('a secret box needs a key');
  return {
    prefix: current.prefix,
    prefixes: ring.map(({ prefix }) => prefix),
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
      cipher.setAAD(Buffer.concat([current.prefix, Buffer.from(context)]));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([current.prefix, nonce, cipher.getAuthTag(), sealed]);
    },
    open(ciphertext, context) {
      if (ciphertext[0] === UNNAMED_KEY) {
        return openWithAny(ring, ciphertext.subarray(1), Buffer.from(context));
      }
      if (ciphertext[0] !== NAMED_KEY) throw new Error('unknown secret format');
      const prefix = ciphertext.subarray(0, PREFIX_BYTES);
      const named = ring.filter((entry) => entry.prefix.equals(prefix));
      if (named.length === 0) {
        throw new Error(`encrypted with the key ${prefix.subarray(1).toString('hex')}, which is not configured`);
      }
      const additional = Buffer.concat([prefix, Buffer.from(context)]);
      return openWithAny(named, ciphertext.subarray(PREFIX_BYTES), additional);
    },
  };
}

function readKey(hex: string): RingKey {
  const bytes = Buffer.from(hex, 'hex');
  return {
    key: createSecretKey(bytes),
    prefix: Buffer.concat([Buffer.from([NAMED_KEY]), identifyKey(bytes)]),
  };
}

/** Decrypts a value with the first matching key: the authentication tag shows whether a key matches. */
function openWithAny(ring: readonly RingKey[], body: Buffer, additional: Buffer): string {
  let failure: unknown;
  for (const { key } of ring) {
    try {
      return decrypt(key, body, additional);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function decrypt(key: KeyObject, body: Buffer, additional: Buffer): string {
  const nonce = body.subarray(0, NONCE_BYTES);
  const tag = body.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(additional)
    .setAuthTag(tag);
  const sealed = body.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}
