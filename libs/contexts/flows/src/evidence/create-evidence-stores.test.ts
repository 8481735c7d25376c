import { loadSettings, SettingsError } from '@steward/process';
import { createEvidenceStores } from './create-evidence-stores.ts';
import { evidenceSettings } from './evidence-settings.ts';

const S3 = {
  EVIDENCE_STORE: 's3',
  EVIDENCE_S3_ENDPOINT: 'https://s3.example.test',
  EVIDENCE_S3_BUCKET: 'evidence',
  EVIDENCE_S3_ACCESS_KEY_ID: 'the-key-id',
  EVIDENCE_S3_SECRET_ACCESS_KEY: 'the-secret-key',
};
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    createEvidenceStores(loadSettings(evidenceSettings, environment));
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

describe('the evidence store', () => {
  it('is a folder by default; archives in the folder are still found after the setting changes', () => {
    const transports = (environment: Record<string, string>): string[] =>
      createEvidenceStores(loadSettings(evidenceSettings, environment)).all.map(({ transport }) => transport);
    expect(transports({})).toEqual(['local']);
    expect(transports(S3)).toEqual(['s3', 'local']);
  });

  it('reports every missing S3 setting in a separate line', () => {
    expect(problemsOf({ EVIDENCE_STORE: 's3' })).toEqual(
      ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map(
        (name) => `EVIDENCE_S3_${name} is not set, and EVIDENCE_STORE=s3 needs it`,
      ),
    );
  });

  it.each([
    ['EVIDENCE_STORE', 'ftp'],
    ['EVIDENCE_S3_ENDPOINT', 's3.example.test'],
    ['EVIDENCE_S3_ENDPOINT', 'https://user:the-password@s3.example.test'],
    ['EVIDENCE_S3_ENDPOINT', 'https://s3.example.test/?x=1'],
    ['EVIDENCE_S3_ENDPOINT', 'http://s3.example.test'],
    ['EVIDENCE_S3_ENDPOINT', 'http://127.0.0.1.example.test'],
    ['EVIDENCE_S3_BUCKET', '../other'],
    ['EVIDENCE_S3_REGION', 'eu central'],
    ['EVIDENCE_S3_PREFIX', 'no-slash-at-the-end'],
    ['EVIDENCE_S3_PREFIX', '../'],
  ])('refuses %s=%s, naming the setting in one line without any secret', (variable, value) => {
    const problems = problemsOf({ ...S3, [variable]: value });
    expect(problems).toEqual([expect.stringMatching(`^${variable} must`)]);
    expect(problems.join()).not.toMatch(/the-(?:password|secret-key|key-id)/);
  });

  it.each([
    { EVIDENCE_S3_ENDPOINT: 'http://127.0.0.1:9000' },
    { EVIDENCE_S3_ENDPOINT: 'http://[::1]:9000' },
    { EVIDENCE_S3_ENDPOINT: 'http://store.internal:9000', EVIDENCE_S3_ALLOW_HTTP: 'true' },
    { EVIDENCE_S3_PREFIX: 'steward/evidence-1/', EVIDENCE_S3_REGION: 'eu-central-1' },
  ])('accepts %o', (more) => {
    expect(problemsOf({ ...S3, ...more })).toEqual([]);
  });
});
