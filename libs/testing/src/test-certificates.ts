import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, bytes, integer, object, sequence, set, tagged, text, time, TRUE } from './der.ts';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestCertificates {
  /** Certificate of the authority that signed the certificates from `issue`. */
  readonly authority: string;
  /**
   * Issues a certificate for the host, which is a name or an IPv4 address; if `days` is negative, the certificate has
   * expired.
   */
  issue(host: string, days?: number): TestCertificate;
  issueSelfSigned(host: string): TestCertificate;
}

const DAY_MS = 24 * 60 * 60_000;
const ECDSA_WITH_SHA256 = sequence(object('1.2.840.10045.4.3.2'));
const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';

interface Party {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

/** Creates a certificate authority for tests, without requiring any installed program. */
export function createTestCertificates(): TestCertificates {
  const authority = createParty('test-authority');
  let serial = 1;
  const certify = (subject: Party, issuer: Party, extension: Buffer, days = 30): string => {
    const validity = sequence(time(new Date(Date.now() - 30 * DAY_MS)), time(new Date(Date.now() + days * DAY_MS)));
    const content = sequence(
      tagged(0xa0, integer(2)),
      integer((serial += 1)),
      ECDSA_WITH_SHA256,
      renderName(issuer.name),
      validity,
      renderName(subject.name),
      subject.publicKey,
      tagged(0xa3, sequence(extension)),
    );
    const signature = sign('sha256', content, issuer.privateKey);
    return renderPem(sequence(content, ECDSA_WITH_SHA256, bits(signature)));
  };
  const issue = (host: string, issuer: Party | undefined, days?: number): TestCertificate => {
    const subject = createParty(host);
    const key = subject.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { key, cert: certify(subject, issuer ?? subject, nameHost(host), days) };
  };
  return {
    authority: certify(authority, authority, sequence(object(BASIC_CONSTRAINTS), TRUE, bytes(sequence(TRUE)))),
    issue: (host, days) => issue(host, authority, days),
    issueSelfSigned: (host) => issue(host, undefined),
  };
}

function createParty(name: string): Party {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return { name, privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }) };
}

function renderName(name: string): Buffer {
  return sequence(set(sequence(object(COMMON_NAME), text(name))));
}

function nameHost(host: string): Buffer {
  const name =
    isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host));
  return sequence(object(SUBJECT_ALTERNATIVE_NAME), bytes(sequence(name)));
}

function renderPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
