import { AppError } from '@steward/contracts';
import { checkBaseUrl, createTargetGuard, findBlockReason, readOrigin, type ResolveName } from '@steward/egress';
import type { GatewaySettings } from '../../../../config.ts';

type TargetSettings = Pick<GatewaySettings, 'embeddingInsecureOrigins' | 'embeddingAllowedPrivateCidrs'>;

/**
 * Refuses an endpoint whose name leads to an address nobody should send a key to, while whoever typed it is there to read why.
 * A name that nobody resolves now is taken: every connection is checked again.
 */
export async function requireProviderTarget(
  baseUrl: string,
  settings: TargetSettings,
  resolve?: ResolveName,
): Promise<void> {
  const checked = checkBaseUrl(baseUrl, listInsecureOrigins(settings));
  if (checked.kind === 'invalid' || checked.hostname === undefined) return;
  const guard = createTargetGuard(settings.embeddingAllowedPrivateCidrs);
  const reason = await findBlockReason(guard, checked.hostname, resolve);
  if (reason === undefined || reason === 'unresolvable') return;
  throw new AppError('invalid_base_url', {
    message: `base_url points at an address this deployment does not embed with (${reason}).`,
    detail: { field: 'base_url', reason },
  });
}

export function listInsecureOrigins(settings: Pick<GatewaySettings, 'embeddingInsecureOrigins'>): string[] {
  return settings.embeddingInsecureOrigins.map(readOrigin);
}
