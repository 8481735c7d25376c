import { AppError } from '@steward/contracts';
import { describeRowContext, newId, sealAddress, tryOpenAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { isSameService, readServerFields } from '../rules/read-server-fields.ts';
import { describeServerUrlContext } from '../rules/server-context.ts';
import { deleteGrant } from '../../logins/store/login.store.ts';
import {
  findToolServer,
  insertToolServer,
  isNameTaken,
  lockToolServers,
  updateToolServerRow,
  type ToolServerKey,
} from '../store/tool-server.store.ts';
import { requireServerQuota } from '../store/quota.store.ts';
import type { ToolServer, ToolServerPatch } from '../tool-server.ts';

export interface SaveServerInput {
  readonly accountId: string;
  readonly patch: ToolServerPatch;
  /** Origins for which http is allowed, in the format that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
  readonly now: Date;
}

export type SaveServerOutcome =
  { readonly kind: 'saved'; readonly server: ToolServer } | { readonly kind: 'name_taken' };

/**
 * Adds a tool server to the account.
 * @throws invalid_request, invalid_base_url, quota_reached
 */
export async function createToolServer(
  trx: AnyTransaction,
  { accountId, patch, insecureOrigins, now }: SaveServerInput,
  box: SecretBox,
): Promise<SaveServerOutcome> {
  const { url = '', ...fields } = readServerFields(undefined, patch, insecureOrigins);
  await lockToolServers(trx, accountId);
  await requireServerQuota(trx, accountId);
  const key = { accountId, id: newId() };
  if (await isNameTaken(trx, key, fields.name)) return { kind: 'name_taken' };
  const headersSealed = sealHeaders(patch.headers, key, box);
  return {
    kind: 'saved',
    server: await insertToolServer(trx, {
      ...fields,
      ...key,
      transport: patch.command === undefined ? 'streamable_http' : 'stdio',
      address: sealAddress(url, describeServerUrlContext(key), box),
      headersSealed,
      now,
    }),
  };
}

/**
 * Changes the given fields; undefined fields stay unchanged. If the new address has another origin, the login is
 * deleted, and so are the headers unless new ones are given. @throws invalid_request, invalid_base_url
 */
export async function updateToolServer(
  trx: AnyTransaction,
  { accountId, id, patch, insecureOrigins, now }: SaveServerInput & ToolServerKey,
  box: SecretBox,
): Promise<SaveServerOutcome | { readonly kind: 'not_found' }> {
  const key = { accountId, id };
  await lockToolServers(trx, accountId);
  const stored = await findToolServer(trx, key);
  if (stored === undefined) return { kind: 'not_found' };
  requireSameTransport(stored, patch);
  const { url, ...fields } = readServerFields(stored, patch, insecureOrigins);
  if (await isNameTaken(trx, key, fields.name)) return { kind: 'name_taken' };
  const isOther = url !== undefined && !isSameService(stored.address, url);
  // The tokens are deleted if the new address belongs to another service, because they are valid only for the former
  // one.
  if (isOther) await deleteGrant(trx, key);
  const headersSealed = isOther && patch.headers === undefined ? null : sealHeaders(patch.headers, key, box);
  const context = describeServerUrlContext(key);
  const isElsewhere = url !== undefined && url !== tryOpenAddress(stored.address, context, box);
  const address = isElsewhere ? sealAddress(url, context, box) : undefined;
  const isMoved = isElsewhere || headersSealed !== undefined;
  const saved = { ...fields, ...key, address, headersSealed, isMoved, now };
  return { kind: 'saved', server: await updateToolServerRow(trx, saved) };
}

/**
 * Refuses to change a web server into a program, or a program into a web server: agents would find a different server
 * under the same name.
 */
function requireSameTransport({ transport }: ToolServer, { url, command, headers = {} }: ToolServerPatch): void {
  const isOfWeb = url !== undefined || Object.keys(headers).length > 0;
  if (transport === 'stdio' ? !isOfWeb : command === undefined) return;
  const field = transport === 'stdio' ? 'url' : 'command';
  throw new AppError('invalid_request', {
    message: `"${field}" cannot be set for a server of this transport.`,
    detail: { field },
  });
}

/**
 * Encrypts headers. Returns undefined for undefined headers, so that the stored ones are not changed, and null for an
 * empty object, so that the stored ones are deleted.
 */
function sealHeaders(
  headers: ToolServerPatch['headers'],
  key: ToolServerKey,
  box: SecretBox,
): Buffer | null | undefined {
  if (headers === undefined) return undefined;
  return Object.keys(headers).length === 0
    ? null
    : box.seal(JSON.stringify(headers), describeRowContext(key.accountId, key.id));
}
