import type { WebhookOptions } from '../../schema.ts';
import { SOURCES } from '../../sources/sources.ts';
import { HIDDEN_VALUE } from './agent-secrets.ts';

export type SigningOutcome =
  /**
   * The config with a mask instead of each secret, and the secrets; if `secrets` is undefined, the stored ones are not
   * changed.
   */
  | {
      readonly kind: 'split';
      readonly config: WebhookOptions | null | undefined;
      readonly secrets: readonly string[] | undefined;
    }
  /** The mask was sent for a secret that has no stored value. */
  | { readonly kind: 'nothing_stored'; readonly field: string };

/**
 * Separates the signing secrets from a client's fields, based on the stored ones. If `signing_secrets` is missing, the
 * stored ones are retained; the mask stands for the stored secret at the same index; null, an empty list and a null
 * config remove them.
 */
export function splitSigningSecrets(
  config: WebhookOptions | null | undefined,
  stored: readonly string[],
): SigningOutcome {
  if (config === undefined) return { kind: 'split', config, secrets: undefined };
  if (config === null) return { kind: 'split', config, secrets: [] };
  const { signing_secrets: given, ...rest } = config;
  // Signing secrets belong to a source that signs its requests; without such a source, they are dropped.
  if (rest.source === undefined || SOURCES[rest.source].signs === 'nothing')
    return { kind: 'split', config: rest, secrets: [] };
  if (given === undefined) return { kind: 'split', config: withMasks(rest, stored.length), secrets: undefined };
  const secrets: string[] = [];
  for (const [index, value] of (given ?? []).entries()) {
    const secret = value === HIDDEN_VALUE ? stored[index] : value;
    if (secret === undefined) return { kind: 'nothing_stored', field: `webhook_config.signing_secrets.${index}` };
    secrets.push(secret);
  }
  return { kind: 'split', config: withMasks(rest, secrets.length), secrets };
}

function withMasks(config: WebhookOptions, count: number): WebhookOptions {
  return count === 0 ? config : { ...config, signing_secrets: Array<string>(count).fill(HIDDEN_VALUE) };
}
