import { maskCredentials } from './mask-credentials.ts';

/** Put together here, so that no scanner of repositories takes the test for a leak. */
const join = (...parts: string[]): string => parts.join('');

describe('credentials in free text', () => {
  it.each([
    ['a model provider’s key', join('key sk-', 'proj-abc123def456ghi789 ok'), 'key [redacted] ok'],
    ['a code host’s token', join('ghp', '_abcdefghijklmnopqrstuvwxyz0123'), '[redacted]'],
    ['a chat token', join('xoxb', '-123456789012-abcdefghij'), '[redacted]'],
    ['a cloud access key', join('AKIA', 'ABCDEFGHIJKLMNOP'), '[redacted]'],
    ['our own API key', join('stw', '_abcdefgh12345678'), '[redacted]'],
    ['a URL’s user and password', 'git clone https://bot:pa55@host/x.git', 'git clone https://[redacted]host/x.git'],
    ['a bearer token', 'Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted]'],
    ['an assigned password', 'PGPASSWORD=x DB_PASSWORD=hunter2 run', 'PGPASSWORD=x DB_PASSWORD=[redacted] run'],
    [
      'a password without a separator',
      'PGPASSWORD=hunter2 SMTP_PASS=hunter2',
      'PGPASSWORD=[redacted] SMTP_PASS=[redacted]',
    ],
    ['a password on a command line', 'login --password hunter2 -v', 'login --password [redacted] -v'],
    ['a quoted one with quotes in it', String.raw`{"password": "a\"b c d"}`, '{"password": "[redacted]"}'],
    [
      'a password in JSON inside of a text',
      String.raw`"{\"password\":\"hunter 2\"}"`,
      String.raw`"{\"password\":\"[redacted]\"}"`,
    ],
    ['an opaque token', '{"token": "abcdefgh1234ijklmnop"}', '{"token": "[redacted]"}'],
    [
      'a password in JSON',
      '{"password": "correct horse", "user": "dana"}',
      '{"password": "[redacted]", "user": "dana"}',
    ],
    ['a labelled secret in YAML', 'client_secret: 8fj2-kd9s\nname: x', 'client_secret: [redacted]\nname: x'],
    ['an api key in a query', '/v1?api_key=k123456&page=2', '/v1?api_key=[redacted]&page=2'],
    [
      'a private key, whole',
      'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----\nb',
      'a\n[redacted]\nb',
    ],
    ['a private key, cut off', 'a\n-----BEGIN PRIVATE KEY-----\nMIIEabc', 'a\n[redacted]'],
  ])('masks %s', (_what, text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
  });

  it.each([
    'the password: required',
    '"max_tokens": 4096, token: 17, next token: tomorrow, --token count',
    'pass: 1234 of 5678',
    'password reset link sent to dana@example.com',
    'password = ${DB_PASSWORD}',
    'api_key: {{ secrets.KEY }}',
    'pk_customer_id, sk-learn-contrib-package and risk-assessment',
    'import { tokenize } from "./tokenizer.ts"; const secretHandshake = 3;',
    'https://example.com/a@b?x=1',
    '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----',
    'Basic understanding of Bearer shares',
  ])('leaves %j alone', (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  it('masks what is masked already only once', () => {
    const once = maskCredentials('DB_PASSWORD=hunter2 https://u:p@h');
    expect(maskCredentials(once)).toBe(once);
  });

  it.each([
    ['dashes', '-'],
    ['key starts', 'sk-'],
    ['PEM starts', '-----BEGIN '],
    ['labels', 'password_'],
    ['tokens', 'eyJa.'],
    ['URL starts', 'a://'],
    ['bearers', 'Bearer '],
    ['blanks', ' '],
  ])('reads a megabyte of %s in time that grows with its length only', (_what, part) => {
    const time = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length));
      const startedAt = performance.now();
      maskCredentials(text);
      return performance.now() - startedAt;
    };
    time(50_000);
    // A quadratic scan of a megabyte of this kind takes minutes.
    expect(time(1_000_000)).toBeLessThan(2000);
  });
});
