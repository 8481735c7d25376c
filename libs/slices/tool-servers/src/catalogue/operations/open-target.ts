import type { SecretBox } from '@steward/crypto';
import { describeServerContext } from '../../servers/rules/server-context.ts';
import type { ServerTarget } from '../tool.ts';

/** What the server is sent with each request. @throws when the key is another one */
export function openHeaders(target: ServerTarget, box: Pick<SecretBox, 'open'>): Readonly<Record<string, string>> {
  if (target.headersSealed === null) return {};
  return JSON.parse(box.open(target.headersSealed, describeServerContext(target))) as Record<string, string>;
}
