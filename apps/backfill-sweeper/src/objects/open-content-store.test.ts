import { loadSettings, SettingsError } from '@steward/process';
import { backfillSweeperSettings } from '../config.ts';
import { listContentSecrets, openContentBox } from './open-content-store.ts';

const SERVERS = { DATABASE_URL: 'postgres://localhost/steward', NATS_URL: 'nats://localhost' };
const KEY = '0123456789abcdef'.repeat(4);
const load = (environment: Readonly<Record<string, string>>) =>
  loadSettings(backfillSweeperSettings, { ...SERVERS, ...environment });

describe('the settings of the object store for content (PROC-25)', () => {
  it('are not needed, and move nothing by default', () => {
    const settings = load({});
    expect([settings.contentObjectBytes, openContentBox(settings)]).toEqual([0, undefined]);
  });

  it.each(['1', '16383', '-1', '70000000'])('refuse a size of %s bytes', (bytes) => {
    expect(() => load({ SESSION_CONTENT_OBJECT_BYTES: bytes })).toThrow(/SESSION_CONTENT_OBJECT_BYTES/);
  });

  it('require a size to have a bucket, and a bucket to have a key', () => {
    const sizes = load({ SESSION_CONTENT_OBJECT_BYTES: '16384' });
    expect(() => openContentBox(sizes)).toThrow(
      new SettingsError(['SESSION_CONTENT_S3_ENDPOINT is not set, and SESSION_CONTENT_OBJECT_BYTES needs it']),
    );
    const bucket = load({ SESSION_CONTENT_S3_ENDPOINT: 'https://s3.example.test' });
    expect(() => openContentBox(bucket)).toThrow(
      new SettingsError(['CONTENT_SECRET_KEY is not set, and SESSION_CONTENT_S3_ENDPOINT needs it']),
    );
  });

  it('contain secrets that no log line may contain', () => {
    const settings = load({ CONTENT_SECRET_KEY: KEY, SESSION_CONTENT_S3_SECRET_ACCESS_KEY: 'of-the-bucket' });
    expect(listContentSecrets(settings)).toEqual([KEY, 'of-the-bucket']);
  });
});
