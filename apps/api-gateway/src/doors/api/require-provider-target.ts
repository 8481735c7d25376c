import { AppError } from '@steward/contracts';
import { checkBaseUrl, createTargetGuard, findBlockReason, type ResolveName } from '@steward/egress';

export interface ProviderTargets {
  /** In the form that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
  readonly allowedPrivateCidrs?: readonly string[];
  /** What the request calls the address. */
  readonly field?: string;
}

/**
 * Refuses an endpoint whose name leads to an address nobody should send a key to, while whoever typed it is there to read why.
 * A name that nobody resolves now is taken: every connection is checked again.
 */
export async function requireProviderTarget(
  baseUrl: string,
  { insecureOrigins, allowedPrivateCidrs = [], field = 'base_url' }: ProviderTargets,
  resolve?: ResolveName,
): Promise<void> {
  const checked = checkBaseUrl(baseUrl, insecureOrigins);
  if (checked.kind === 'invalid' || checked.hostname === undefined) return;
  const reason = await findBlockReason(createTargetGuard(allowedPrivateCidrs), checked.hostname, resolve);
  if (reason === undefined || reason === 'unresolvable') return;
  throw new AppError('invalid_base_url', {
    message: `${field} points to an address that this deployment does not call (${reason}).`,
    detail: { field, reason },
  });
}
