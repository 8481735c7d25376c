import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createTestCertificates } from './test-certificates.ts';

describe('certificates of a test', () => {
  const { authority, issue, issueSelfSigned } = createTestCertificates();
  const root = new X509Certificate(authority);

  it.each([
    ['receiver.example.test', 'DNS:receiver.example.test'],
    ['127.0.0.1', 'IP Address:127.0.0.1'],
  ])('for %s are signed by the authority, each with its own key', (host, alternativeName) => {
    const { key, cert } = issue(host);
    const leaf = new X509Certificate(cert);
    expect([leaf.subject, leaf.subjectAltName, leaf.ca]).toEqual([`CN=${host}`, alternativeName, false]);
    expect([leaf.checkIssued(root), leaf.verify(root.publicKey), root.ca]).toEqual([true, true, true]);
    expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(leaf.validToDate.getTime()).toBeGreaterThan(Date.now());
    expect(leaf.serialNumber).not.toBe(root.serialNumber);
  });

  it('can be expired or self-signed', () => {
    expect(new X509Certificate(issue('a.test', -1).cert).validToDate.getTime()).toBeLessThan(Date.now());
    const own = new X509Certificate(issueSelfSigned('a.test').cert);
    expect([own.verify(own.publicKey), own.checkIssued(root)]).toEqual([true, false]);
  });
});
