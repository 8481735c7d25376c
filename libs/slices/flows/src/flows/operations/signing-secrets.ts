import type { SecretBox } from '@steward/crypto';
import type { FlowRow } from '../../schema.ts';

/** What they are sealed with: moved to another flow, or to the column of the URL's secret, they do not open. */
export function describeSigningContext(flowId: string): string {
  return `signing:${flowId}`;
}

/** Null where there are none. */
export function sealSigningSecrets(secrets: readonly string[], flowId: string, box: SecretBox): Buffer | null {
  return secrets.length === 0 ? null : box.seal(JSON.stringify(secrets), describeSigningContext(flowId));
}

/** In clear: to verify a signature with, to be answered to nobody. */
export function openSigningSecrets(
  { id, webhook_signing_sealed: sealed }: Pick<FlowRow, 'id' | 'webhook_signing_sealed'>,
  box: SecretBox,
): string[] {
  return sealed === null ? [] : (JSON.parse(box.open(sealed, describeSigningContext(id))) as string[]);
}
