import type { SecretBox } from '@steward/crypto';
import type { FlowRow } from '../../schema.ts';

/**
 * Returns the sealing context, which ensures that the secrets cannot be decrypted for another flow, or as the URL's
 * secret.
 */
export function describeSigningContext(flowId: string): string {
  return `signing:${flowId}`;
}

/** Seals the signing secrets of a flow; returns null if there are none. */
export function sealSigningSecrets(secrets: readonly string[], flowId: string, box: SecretBox): Buffer | null {
  return secrets.length === 0 ? null : box.seal(JSON.stringify(secrets), describeSigningContext(flowId));
}

/**
 * Returns the signing secrets in plaintext, for verifying signatures, updating the flow and registering its hook at a
 * tracker; they are never returned to a client.
 */
export function openSigningSecrets(
  { id, webhook_signing_sealed: sealed }: Pick<FlowRow, 'id' | 'webhook_signing_sealed'>,
  box: SecretBox,
): string[] {
  return sealed === null ? [] : (JSON.parse(box.open(sealed, describeSigningContext(id))) as string[]);
}
