import { X509Certificate } from 'node:crypto';
import { AppError } from '@steward/contracts';
import { HIDDEN_VALUE, mayKeepHeader, SOURCES, type FlowFields, type WebhookOptions } from '@steward/flows';
import { checkEventFilter } from '@steward/policies';

const NEED_SOURCE = ['event_types', 'filter', 'headers', 'signing_secrets'] as const;

/** Refuses settings with which a request could never be verified, matched or stored. */
export function checkWebhookFields({ webhook_config: config }: Partial<Pick<FlowFields, 'webhook_config'>>): void {
  if (config === undefined || config === null) return;
  checkSource(config);
  const { filter, headers = [] } = config;
  for (const [index, name] of headers.entries())
    if (!mayKeepHeader(name)) refuse(`headers.${index}`, 'is a header that may contain a credential');
  const [problem] = filter === undefined ? [] : checkEventFilter(filter);
  if (problem !== undefined) refuse('filter', `cannot be used: ${problem.replace(/\.$/, '')}`);
  checkSecrets(config);
}

function checkSource(config: WebhookOptions): void {
  const { source } = config;
  for (const field of NEED_SOURCE) {
    const isSet = (config[field] ?? []).length > 0;
    if (isSet && source === undefined)
      refuse(field, 'requires webhook_config.source; "generic" accepts any sender of JSON');
  }
  if (source === 'generic' && (config.event_types ?? []).length > 0)
    refuse('event_types', 'has no effect: requests of a generic source have no event name; use filter');
}

function checkSecrets({ source, signing_secrets: secrets }: WebhookOptions): void {
  if (source === undefined) return;
  for (const [index, secret] of (secrets ?? []).entries()) {
    const field = `signing_secrets.${index}`;
    if (SOURCES[source].signs === 'nothing')
      refuse(field, `has no effect: requests of a ${source} source are not signed`);
    if (secret === HIDDEN_VALUE) continue;
    if (source === 'sns' && !isCertificate(secret))
      refuse(field, 'must be the PEM certificate at the SigningCertURL of a message');
    if (source === 'standard_webhooks' && !/^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
      refuse(field, 'must be base64, usually after the prefix whsec_');
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).publicKey.asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function refuse(field: string, problem: string): never {
  const path = `webhook_config.${field}`;
  throw new AppError('invalid_request', { message: `"${path}" ${problem}.`, detail: { field: path } });
}
