import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readSecretFile } from './read-secret-file.ts';
import { setting } from './setting-kinds.ts';
import { SettingsError, type Setting } from './settings.ts';

/**
 * Paths of PEM files for TLS to one server. The files are read again for each connection, so a renewed certificate
 * needs no restart.
 */
export interface TlsFiles {
  /** Path of the file with the certificate authorities that are trusted, instead of those that Node trusts. */
  readonly caFile?: string | undefined;
  /** Path of the client certificate that this process presents; `keyFile` is the path of its key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

const database = declareFiles('DATABASE', 'Postgres', 'sslmode=verify-full');
const nats = declareFiles('NATS', 'NATS', 'TLS');
/** The three settings of each server: paths of PEM files, checked when the settings are read. */
export const tlsSettings = {
  database: { databaseCaFile: database.ca, databaseCertFile: database.cert, databaseKeyFile: database.key },
  nats: { natsCaFile: nats.ca, natsCertFile: nats.cert, natsKeyFile: nats.key },
} as const;

/**
 * Declares the three settings of a server.
 * @param turnsOn - describes what is enabled by setting the authorities
 */
function declareFiles(prefix: string, server: string, turnsOn: string) {
  return {
    ca: pemFile(`${prefix}_CA_FILE`, requireCertificates, {
      description: `Certificate authorities for ${server}, a PEM file; enables ${turnsOn}.`,
    }),
    cert: pemFile(`${prefix}_CERT_FILE`, requireCertificates, {
      description: `Certificate that this process presents to ${server}, a PEM file.`,
    }),
    key: pemFile(`${prefix}_KEY_FILE`, requirePrivateKey, {
      description: `Key of ${prefix}_CERT_FILE, a PEM file without a passphrase.`,
    }),
  };
}

/**
 * Returns the TLS files for the database.
 * @throws SettingsError if only one of certificate and key is set, or if they do not match
 */
export function readDatabaseTls(settings: {
  readonly databaseCaFile: string | undefined;
  readonly databaseCertFile: string | undefined;
  readonly databaseKeyFile: string | undefined;
}): TlsFiles {
  const { databaseCaFile: caFile, databaseCertFile: certFile, databaseKeyFile: keyFile } = settings;
  return requirePair('DATABASE', { caFile, certFile, keyFile });
}

/**
 * Returns the TLS files for the broker.
 * @throws SettingsError if only one of certificate and key is set, or if they do not match
 */
export function readNatsTls(settings: {
  readonly natsCaFile: string | undefined;
  readonly natsCertFile: string | undefined;
  readonly natsKeyFile: string | undefined;
}): TlsFiles {
  const { natsCaFile: caFile, natsCertFile: certFile, natsKeyFile: keyFile } = settings;
  return requirePair('NATS', { caFile, certFile, keyFile });
}

function requirePair(server: string, files: TlsFiles): TlsFiles {
  const { certFile, keyFile } = files;
  const cert = `${server}_CERT_FILE`;
  const key = `${server}_KEY_FILE`;
  if (certFile !== undefined && keyFile === undefined)
    throw new SettingsError([`${cert} needs ${key}, the file of its private key`]);
  if (certFile === undefined && keyFile !== undefined)
    throw new SettingsError([`${key} needs ${cert}, the file of its certificate`]);
  if (certFile === undefined || keyFile === undefined) return files;
  const isPair = new X509Certificate(readPem(certFile)).checkPrivateKey(createPrivateKey(readPem(keyFile)));
  if (!isPair) throw new SettingsError([`${key} is not the key of the certificate in ${cert}`]);
  return files;
}

function pemFile(
  variable: string,
  check: (text: string) => void,
  options: { readonly description: string },
): Setting<string | undefined> {
  const parse = (path: string): string => {
    const text = readPem(path);
    try {
      check(text);
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${path}`, { cause: error });
    }
    return path;
  };
  return { ...setting.text(variable, options), parse };
}

function readPem(path: string): string {
  return readSecretFile(path, { maxBytes: MAX_BYTES }).text;
}

/** Maximum size of a file in bytes, four times that of a bundle of all public authorities. */
const MAX_BYTES = 1024 * 1024;

function requireCertificates(text: string): void {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  if (blocks.length === 0) throw new Error('contains no certificate in PEM format');
  for (const block of blocks) attempt(() => new X509Certificate(block), 'contains a certificate that cannot be read');
}

function requirePrivateKey(text: string): void {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw new Error('contains no private key in PEM format');
  if (/ENCRYPTED/.test(text)) throw new Error('contains a private key with a passphrase; remove the passphrase');
  attempt(() => createPrivateKey(text), 'contains a private key that cannot be read');
}

/**
 * Throws an error with this reason if reading fails, since the library's own error message does not say what is wrong
 * with the file.
 */
function attempt(read: () => unknown, reason: string): void {
  try {
    read();
  } catch (cause) {
    throw new Error(reason, { cause });
  }
}
