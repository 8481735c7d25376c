import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestCertificates {
  /** Of the authority that signed what `issue` returns. */
  readonly authority: string;
  /** A certificate for the host; `days` below zero has expired. */
  issue(host: string, days?: number): TestCertificate;
  issueSelfSigned(host: string): TestCertificate;
  remove(): void;
}

/** A certificate authority of a test's own, made by the `openssl` command. */
export function createTestCertificates(): TestCertificates {
  const directory = mkdtempSync(join(tmpdir(), 'steward-test-tls-'));
  const at = (name: string): string => join(directory, name);
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  const run = (command: string): void =>
    void execFileSync('openssl', command.split(' '), { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  let serial = 0;

  run(`req -x509 ${newKey} -keyout ca.key -out ca.pem -days 30 -subj /CN=test-authority`);
  return {
    authority: read('ca.pem'),
    issue(host, days = 30) {
      serial += 1;
      const name = `leaf-${serial}`;
      writeFileSync(at(`${name}.ext`), `subjectAltName=DNS:${host}\n`);
      run(`req ${newKey} -keyout ${name}.key -out ${name}.csr -subj /CN=${host}`);
      const signed = `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -set_serial ${serial} -extfile ${name}.ext`;
      run(`${signed} -out ${name}.pem -days ${days}`);
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
    },
    issueSelfSigned(host) {
      const altName = `-addext subjectAltName=DNS:${host}`;
      run(`req -x509 ${newKey} -keyout self.key -out self.pem -days 30 -subj /CN=${host} ${altName}`);
      return { key: read('self.key'), cert: read('self.pem') };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
