import { AppError } from '@steward/contracts';
import {
  listSecretReferences,
  mayCarrySecret,
  normalizeHost,
  readAllowedDestination,
  type FlowFields,
} from '@steward/flows';

type NetworkFields = Partial<Pick<FlowFields, 'network_allow' | 'network_secrets'>>;

/**
 * Refuses destinations and request headers that no worker could use, header values without a secret, and repeated
 * headers.
 */
export function checkNetworkFields({ network_allow: allow, network_secrets: secrets }: NetworkFields): void {
  for (const [index, text] of (allow ?? []).entries()) {
    if (readAllowedDestination(text) === undefined)
      refuse(`network_allow.${index}`, 'must be "host", "host:port", "*.host", "*" or an address, IPv6 in brackets');
  }
  const seen = new Set<string>();
  for (const [index, { host, header, value }] of (secrets ?? []).entries()) {
    const field = `network_secrets.${index}`;
    const read = readAllowedDestination(host);
    if (read === undefined || read.isWildcard || host.includes(':'))
      refuse(`${field}.host`, 'must be the name of one host, without a port');
    if (!mayCarrySecret(header))
      refuse(`${field}.header`, 'must be a header that does not control the connection or the framing of a request');
    if (listSecretReferences([value]).length === 0)
      refuse(
        `${field}.value`,
        'must contain {{secret.NAME}}, because the header value is stored and returned unencrypted',
      );
    const key = `${normalizeHost(host)} ${header.toLowerCase()}`;
    if (seen.has(key)) refuse(field, 'repeats a header of a host that is already listed');
    seen.add(key);
  }
}

function refuse(field: string, problem: string): never {
  throw new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
