import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { BlockReason, TargetGuard } from './target-guard.ts';

/** Every address of a name. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

const resolveBySystem: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * For the moment an address is saved, so that whoever types it learns why it is refused. Every address of the name has to
 * be acceptable: one private answer among public ones is how rebinding begins. It does not replace the guard at the
 * connection: the name may lead elsewhere by then.
 *
 * @param hostname a name or a literal, IPv6 without brackets.
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
