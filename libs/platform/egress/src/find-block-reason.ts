import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { BlockReason, TargetGuard } from './target-guard.ts';

/** Resolves a name to all of its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

const resolveBySystem: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Returns the reason why an address is not allowed; undefined if it is allowed. The address is checked when it is
 * saved, so that the user can see the reason. All addresses of the name have to be allowed, because a rebinding attack
 * begins with one private address among public ones. This check does not replace that of the guard when a connection is
 * opened, since the name may resolve to other addresses later.
 *
 * @param hostname - a name or an IP address; IPv6 without brackets
 */
export async function findBlockReason(
  guard: TargetGuard,
  hostname: string,
  resolve: ResolveName = resolveBySystem,
): Promise<BlockReason | undefined> {
  if (isIP(hostname) !== 0) return guard.classify(hostname);
  const answers = await resolve(hostname).catch(() => []);
  if (answers.length === 0) return 'unresolvable';
  return answers.map((address) => guard.classify(address)).find((reason) => reason !== undefined);
}
