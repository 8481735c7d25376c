/**
 * Crypto: one key per purpose, encryption of stored secrets and addresses, hashes of JSON values, row ids, trace ids.
 *
 * Not here: passwords and tokens (identity), signatures of deliveries (webhooks), patterns of credentials in strings
 * (masking). Used by: apps, contexts and libraries that encrypt or decrypt values, create rows or pass traces on.
 */
export { hashJson } from './hash-json.ts';
export { firstIdAt, readIdTime } from './id-time.ts';
export { deterministicId, isUuid, newId } from './ids.ts';
export {
  DERIVED_KEY_VARIABLES,
  deriveKey,
  deriveKeys,
  identifyKey,
  KEY_PURPOSES,
  type KeyPurpose,
} from './key-ring.ts';
export { createDerivedSecretBox, createSecretBox, describeRowContext, type SecretBox } from './secret-box.ts';
export {
  findOrigin,
  openAddress,
  readAddressOrigin,
  sealAddress,
  tryOpenAddress,
  type SealedAddress,
  type StoredAddress,
} from './stored-address.ts';
export {
  beginTrace,
  continueTrace,
  describeTrace,
  isTraceparent,
  nameTrace,
  nextSpan,
  readTraceId,
  setTraceSampling,
  type SampleTrace,
} from './trace-context.ts';
