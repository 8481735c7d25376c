import type { ApiKeyRow } from '../../schema.ts';

/** A key as the operations return it, without its hash. */
export type ApiKey = Omit<ApiKeyRow, 'key_hash'>;

export function withoutHash(row: ApiKeyRow): ApiKey {
  const { key_hash: _hash, ...record } = row;
  return record;
}
