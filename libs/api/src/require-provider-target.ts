import { AppError } from '@steward/contracts';
import { checkBaseUrl, createTargetGuard, findBlockReason, type ResolveName } from '@steward/egress';

export interface ProviderTargets {
  /** Origins in the format that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
  readonly allowedPrivateCidrs?: readonly string[];
  /** Name of the request field that contains the address; default: base_url. */
  readonly field?: string;
}

/**
 * Refuses an endpoint whose host name resolves to an address to which no key may be sent. This check is made when the
 * endpoint is saved, so that the user sees the reason. A host name that cannot be resolved now is accepted, because
 * every connection is checked again.
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
