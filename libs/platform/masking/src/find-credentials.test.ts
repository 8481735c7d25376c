import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMAND_RULES } from './command-rules.ts';
import { CONTEXT_RULES } from './context-rules.ts';
import { findCredentials, maskCredentials } from './find-credentials.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** Joins parts of a credential here, so that repository scanners do not take the test for a leak. */
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
    [
      'a token behind an escaped line break',
      join(String.raw`"a\nghp`, '_abcdefghijklmnopqrstuvwxyz0123'),
      String.raw`"a\n[redacted]`,
    ],
    [
      'a password with an equals sign as an escape',
      String.raw`password\u003dhunter2`,
      String.raw`password\u003d[redacted]`,
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
    'const password = readPassword(); const secret = settings.secretKey;',
    'withCredentials: true, credentials: "same-origin", type: "password"',
    "password: 'Enter the password you chose when you registered.'",
    'docker compose -p steward up -d && mkdir -p a/b/c',
    'docker run -p 8080:80 -u 1000:1000 image',
    'cacheKey: abcdef0123456789abcdef0123456789',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'integrity sha512-kE3+3lbVJ5hUQm5r0pVQbfuBzqXVxXyyRAbxCE7nOJ6Pv8HUjyhSJ==',
    'C:\\new\\table\\readme.txt',
    'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return true; // and more words after it',
    '//registry.npmjs.org/:_authToken=${NPM_TOKEN}',
    '_auth=${NPM_AUTH} always-auth=true registry=https://npm.example.com/',
    'npm config set //npm.example.com/:_authToken $NPM_TOKEN',
    'POST /api/v1/webhooks/flows/{flow_id}/{webhook_secret} and /webhooks/flows/<id>/<secret>',
    'GET /approval/0198c3b0-0000-7000-8000-000000000000 and /approval/{token}',
    'run ngrok authtoken once, or ngrok config add-authtoken $NGROK_AUTHTOKEN',
    'ngrok http 8080 --url=https://app.example.com',
    'sumOfExposures = 3Kof2VffNQ0QgYIhXUPJosVlCaQKm2hfpWE6F1fT9YGY74blQBIPsrkCcf1TwKE5;',
    'publicToken = "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit"',
    'curl -u dana https://api.example.com/x',
    'curl -u "dana:${PASSWORD}" https://api.example.com/x',
    "const names = ['password', 'username', 'token', 'session-secret-name-of-the-app'];",
    'apiVersion: v1\nkind: ConfigMap\ndata:\n  level: debug-and-more',
    'apiVersion: v1\nkind: Secret\ndata:\n  level: ${LEVEL}\nmetadata:\n  name: the-name-of-it',
    'nix: sha256 = "0mhc5lm5qw9k2cmzl5w2q8a4rk5vq8p8d6y7xw0zk1fa1j3b9n2c";',
    'sha256:7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
    `data: ${Buffer.from('a text with the word password in it and more').toString('base64')}`,
    'https://example.com/?q=how%20to%20reset%20a%20password%3F&page=2',
    'the 52 letters abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz end',
    'https://example.com/xoxo-indieweb and favicon.ico-7a388b69018576d24b59331fd60aab0c.png',
  ])('leaves %j unchanged', (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  it('does not change a text that is already masked', () => {
    const once = maskCredentials('DB_PASSWORD=hunter2 https://u:p@h');
    expect(maskCredentials(once)).toBe(once);
  });

  it('returns each value once, decoded, with the matching rule', () => {
    const token = join('ghp', '_abcdefghijklmnopqrstuvwxyz0123');
    const text = String.raw`{"a":"x\n${token}\n","password":"one\"two"} ${token} postgres://app:hunter2@db/x`;
    expect(findCredentials(text).credentials).toEqual([
      { rule: 'github', secret: token },
      { rule: 'labelled', secret: 'one"two' },
      { rule: 'url-credentials', secret: 'hunter2' },
    ]);
  });

  it('returns the decoded value of an encoded text (MASK-15)', () => {
    const line = 'DB_PASSWORD=hunter2';
    const labelled = [{ rule: 'labelled', secret: 'hunter2' }];
    const base64 = Buffer.from(`${line}\nNODE_ENV=production\n`).toString('base64');
    expect(findCredentials(`data: ${base64} end`)).toEqual({ text: 'data: [redacted] end', credentials: labelled });
    const twice = Buffer.from(`{"data": "${base64}"}`).toString('base64');
    const lines = Buffer.from(`# ${'-'.repeat(50)}\n${line}\n`)
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\n');
    expect(lines).toContain('\n');
    expect(findCredentials(`data:\n${lines}`)).toEqual({ text: 'data:\n[redacted]', credentials: labelled });
    expect(findCredentials(twice)).toEqual({ text: '[redacted]', credentials: labelled });
    const percents = `/x?env=${encodeURIComponent(`${line}\nA=1`)}&page=2`;
    expect(findCredentials(percents)).toEqual({
      text: '/x?env=DB_PASSWORD%3D[redacted]%0AA%3D1&page=2',
      credentials: labelled,
    });
  });

  it('does not hide text between two encoded passages', () => {
    expect(maskCredentials('/a?password%3D%27hun1 and these words stay, and /b%27ter too')).toContain(
      'and these words stay',
    );
  });

  it('returns the same value for a private key in any line format', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIEabcd\nefgh\n-----END PRIVATE KEY-----\n';
    const [plain] = findCredentials(pem).credentials;
    const [escaped] = findCredentials(JSON.stringify({ pem })).credentials;
    expect(plain?.secret).toContain('MIIEabcdefgh');
    expect(escaped).toEqual(plain);
  });

  const starts = [
    ...TOKEN_RULES.flatMap((rule) => rule.starts),
    ...CONTEXT_RULES.flatMap((rule) => rule.keywords),
    ...COMMAND_RULES.flatMap((rule) => rule.commands),
    ...['password', 'token', 'secret', '_key', 'eyJa.', '-eyJ', 'a://', 'Bearer ', '-', '_', ' ', '\\', '"', '/', '='],
    ...['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\na\n', '</', '<password>'],
  ];
  it('scans a text that consists only of prefixes in linear time', () => {
    const measure = (part: string): number => {
      const text = part.repeat(Math.ceil(100_000 / part.length));
      const before = process.cpuUsage();
      maskCredentials(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const slow = starts
      .flatMap((start) => ['', 'a', '="', ' -p ', ' = ', '-'].map((rest) => `${start}${rest}`))
      .map((part) => ({ part, ms: measure(part) }))
      // The limit detects a quadratic scan, which takes seconds for a text of this length; the slowest pattern takes
      // about 30 ms.
      .filter(({ ms }) => ms > 1000);
    expect(slow).toEqual([]);
  });

  const runs = [
    ...[
      'a',
      'A',
      '7',
      'f0',
      'aB3',
      '-',
      '_',
      '.',
      ':',
      '=',
      '/',
      '+',
      '@',
      '#',
      '&',
      '<',
      '>',
      '{',
      '(',
      ',',
      '|',
      '?',
    ],
    ...['"', "'", '`', ' ', '\t', '\n', '\r\n', '\\', '\\"', '\0', '%', '%4', '%41', '%25', '%41 ', 'a%3D', 'a=%22 '],
    ...[
      'cGFz',
      'cGFzc3dvcmQgaXMgaGVyZSBh\n',
      'cGFzc3dvcmQgaXMgaGVyZSBh \n',
      'cGFzc3dvcmQgaXMgaGVyZSA ',
      'kind: Secret\n',
      'kind: Secret\ndata:\n a: |\n',
      ' data:\n',
      'a: b\n',
      '---\n',
    ],
    ...[
      '_auth=',
      'telegram ',
      'telegram 12345:A',
      'ngrok authtoken ',
      'npm config set a_auth ',
      'x-auth-token ',
      'curl -H "a; ',
      '("token", "',
    ],
  ];
  it.each(runs)('scans 256 KiB that consist only of %j in bounded time', (part) => {
    const text = part.repeat(Math.ceil(262_144 / part.length));
    const before = process.cpuUsage();
    for (const whole of [text, `kind: Secret\ndata:\n ${text}`, `"${text}`]) maskCredentials(whole);
    const { user, system } = process.cpuUsage(before);
    // The limit detects a quadratic scan, which would take minutes; the slowest text takes about 100 ms.
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  it('scans one endless token in linear time', () => {
    const text = 'ghp_'.repeat(500_000);
    const before = process.cpuUsage();
    expect(findCredentials(text)).toMatchObject({ text: '[redacted]' });
    const { user, system } = process.cpuUsage(before);
    // The limit detects a scan that reads each part of the longest text, of 2 MB, to the end, which would take 30 s.
    expect((user + system) / 1000).toBeLessThan(10_000);
  });

  it('hides fewer than two of a thousand lines of ordinary code', () => {
    const folder = resolve(import.meta.dirname, '../../../..');
    const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?:apps|libs)\/.*\/src\/.*\.ts$/.test(name))
      .filter((name) => !/node_modules|out-tsc|test|masking|credential/.test(name))
      .flatMap((name) => readFileSync(resolve(folder, name), 'utf8').split('\n'));
    const hidden = lines.filter((line) => maskCredentials(line) !== line);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(hidden.length / lines.length).toBeLessThan(0.002);
  });
});
