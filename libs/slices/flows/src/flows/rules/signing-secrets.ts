import type { WebhookOptions } from '../../schema.ts';
import { SOURCES } from '../../sources/sources.ts';
import { HIDDEN_VALUE } from './agent-secrets.ts';

export type SigningOutcome =
  /** `secrets` undefined: they stay as they are sealed. */
  | {
      readonly kind: 'split';
      readonly config: WebhookOptions | null | undefined;
      readonly secrets: readonly string[] | undefined;
    }
  /** The mask was sent for something that has no stored value. */
  | { readonly kind: 'nothing_stored'; readonly field: string };

/**
 * Takes the signing secrets out of what a client sent, over those stored. Left out they stay; the mask stands for the stored one
 * at its place; null, an empty list and a config of null remove them.
 */
export function splitSigningSecrets(
  config: WebhookOptions | null | undefined,
  stored: readonly string[],
): SigningOutcome {
  if (config === undefined) return { kind: 'split', config, secrets: undefined };
  if (config === null) return { kind: 'split', config, secrets: [] };
  const { signing_secrets: given, ...rest } = config;
  // Kept they would be asked for by nobody, or fit nothing.
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
