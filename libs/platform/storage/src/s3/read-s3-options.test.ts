import { SettingsError } from '@steward/process';
import { readS3Options, type S3SettingValues } from './read-s3-options.ts';

const VALUES: S3SettingValues = {
  endpoint: 'https://s3.example.test',
  allowHttp: false,
  bucket: 'audit',
  region: 'us-east-1',
  prefix: '',
  accessKeyId: 'the-key-id',
  secretAccessKey: 'the-secret-key',
  sessionToken: undefined,
  pathStyle: true,
  encryption: 'bucket',
  timeoutSeconds: 10,
};

function problemsOf(values: Partial<S3SettingValues>): readonly string[] {
  try {
    readS3Options({ ...VALUES, ...values }, { variables: 'OTHER_S3', neededBy: 'OTHER_S3_ENDPOINT' });
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe('the settings of a bucket', () => {
  it('become options of the store', () => {
    const names = { variables: 'OTHER_S3', neededBy: 'OTHER_S3_ENDPOINT' };
    expect(readS3Options({ ...VALUES, prefix: 'steward/audit/' }, names)).toMatchObject({
      prefix: 'steward/audit/',
      encryption: undefined,
      timeoutMs: 10_000,
    });
  });

  it.each([
    [{ bucket: undefined }, /^OTHER_S3_BUCKET is not set, and OTHER_S3_ENDPOINT needs it$/],
    [{ secretAccessKey: undefined }, /^OTHER_S3_SECRET_ACCESS_KEY is not set/],
    [{ endpoint: 'http://s3.example.test' }, /^OTHER_S3_ENDPOINT must start with https:.*OTHER_S3_ALLOW_HTTP=true/],
    [{ endpoint: 'https://user:the-password@s3.example.test' }, /^OTHER_S3_ENDPOINT must be a URL/],
    [{ bucket: '../other' }, /^OTHER_S3_BUCKET must/],
    [{ region: 'eu central' }, /^OTHER_S3_REGION must/],
    [{ prefix: 'no-slash-at-the-end' }, /^OTHER_S3_PREFIX must/],
  ])('are refused with one line that names the setting, without any secret: %o', (values, problem) => {
    const problems = problemsOf(values);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toMatch(/the-(?:password|secret-key|key-id)/);
  });

  it('may be those of an unencrypted server on this machine, or one that is allowed', () => {
    expect(problemsOf({ endpoint: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(problemsOf({ endpoint: 'http://store.internal:9000', allowHttp: true })).toEqual([]);
  });
});
