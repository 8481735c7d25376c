import { describeRowContext, openAddress, type SecretBox } from '@steward/crypto';
import { describeServerUrlContext } from '../../servers/rules/server-context.ts';
import type { ServerTarget } from '../tool.ts';

export interface OpenedTarget {
  readonly url: string;
  /** Headers of each request to the server. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Decrypts the address and the headers of a server.
 * @throws if the address or the headers were encrypted with another key
 */
export function openTarget(target: ServerTarget, box: Pick<SecretBox, 'open'>): OpenedTarget {
  const { address, headersSealed } = target;
  const url = openAddress(address, describeServerUrlContext(target), box);
  if (headersSealed === null) return { url, headers: {} };
  const headers = JSON.parse(box.open(headersSealed, describeRowContext(target.accountId, target.id))) as Record<
    string,
    string
  >;
  return { url, headers };
}
