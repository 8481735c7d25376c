import fc from 'fast-check';
import { AppError } from '@steward/contracts';
import { listSecretForms, redactText } from './redact-text.ts';
import { redact } from './redact.ts';

const CANARY = 'canary-3fTq9ZxW';
const asText = (value: unknown, secrets?: readonly string[]) => JSON.stringify(redact(value, secrets));

describe('redaction by field name', () => {
  it.each([
    ['password'],
    ['PASSWORD'],
    ['db_password'],
    ['dbPassword'],
    ['token'],
    ['access_token'],
    ['accessToken'],
    ['api_key'],
    ['apiKey'],
    ['x-api-key'],
    ['client_secret'],
    ['webhookSecret'],
    ['secrets'],
    ['SECRET_KEY'],
    ['Authorization'],
    ['proxy-authorization'],
    ['cookie'],
    ['set-cookie'],
    ['private_key'],
    ['X-Steward-Signature'],
    ['credentials'],
    ['_auth'],
    ['npmAuthIdent'],
    ['authtoken'],
    ['AccountKey'],
    ['smtp_pass'],
  ])('the value of %s is never printed, at any depth', (name) => {
    expect(asText({ [name]: CANARY })).not.toContain(CANARY);
    expect(asText({ a: [{ b: { [name]: CANARY } }] })).not.toContain(CANARY);
    expect(asText({ [name]: { inner: [CANARY] } })).not.toContain(CANARY);
    expect(asText(new Map([[name, CANARY]]))).not.toContain(CANARY);
  });

  it.each([
    ['token_count', 12],
    ['input_tokens', 12],
    ['output_tokens', 12],
    ['secret_hint', 'ab12'],
    ['secret_version', 3],
    ['api_key_id', '0198c3b0-0000-7000-8000-000000000000'],
    ['password_changed_at', '2026-01-01T00:00:00Z'],
    ['idempotency_key', 'k-1'],
    ['key', 'name'],
    ['tokenizer', 'o200k'],
    ['has_secret', true],
    ['cookie_count', 0],
  ])('the ordinary field %s is not changed', (name, value) => {
    expect(redact({ [name]: value })).toEqual({ [name]: value });
  });

  it('a value that only shows whether a secret is set remains visible', () => {
    expect(redact({ password: null, token: true, secret: undefined })).toEqual({
      password: null,
      token: true,
      secret: undefined,
    });
  });
});

describe('redaction by pattern', () => {
  it('text without a possible match is the same whether or not it is searched', () => {
    const ids = fc.stringMatching(/^[0-9a-f.:-]*$/);
    const words = fc.stringMatching(/^[A-Za-z0-9_.-]{0,10}$/);
    fc.assert(
      fc.property(fc.oneof(ids, words), (text) => {
        // A string with a trailing space is searched.
        expect(redactText(`${text} `, [])).toBe(`${redactText(text, [])} `);
      }),
      { numRuns: 2000 },
    );
    expect(redactText('sk_12345678', [])).toBe('[redacted]');
    expect(redactText('deadbeef', ['deadbeef'])).toBe('[redacted]');
  });

  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.3fTq9ZxW3fTq9ZxW';
  it.each([
    ['our API key', 'key stw_canary3fTq9ZxW refused', 'key [redacted] refused'],
    ['a webhook secret', 'with whsec_canary/3fTq+9ZxW==', 'with [redacted]'],
    ['a flow secret in a path', 'POST /hooks/flw_canary3fTq9ZxW', 'POST /hooks/[redacted]'],
    ['a provider key', 'sk-proj-canary3fTq9ZxW', '[redacted]'],
    ['a GitHub token', 'clone with github_pat_11ABCcanary_3fTq', 'clone with [redacted]'],
    ['a bearer token', 'Authorization: Bearer canary.3fTq9ZxW', 'Authorization: [redacted]'],
    ['a bearer token in small letters', 'authorization: bearer canary.3fTq9ZxW', 'authorization: [redacted]'],
    ['basic credentials', 'Basic Y2FuYXJ5OmNhbmFyeQ==', '[redacted]'],
    ['a JSON Web Token', `sent ${jwt}.`, 'sent [redacted].'],
    ['user and password of a URL', 'connect postgres://app:canary@db:5432/x', 'connect postgres://[redacted]db:5432/x'],
    ['a password with an @ in it', 'nats://app:can@ry@broker:4222', 'nats://[redacted]broker:4222'],
    ['a token in a query', 'GET /x?page=2&token=canary&a=b', 'GET /x?page=2&token=[redacted]&a=b'],
    ['a connection string', 'host=db password=canary port=5', 'host=db password=[redacted] port=5'],
  ])('%s is removed from a text', (_title, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact([{ note: text }])).toEqual([{ note: expected }]);
    expect(redact({ [text]: 1 })).toEqual({ [expected]: 1 });
  });

  it.each([
    'GET /api/v1/flows answered 200 in 12 ms',
    'https://example.com/path?page=2#top',
    'mail to someone@example.com',
    'https://example.com/users/someone@example.com',
    'task_scheduler and risk-assessment-report',
    'the token was refused, the password too',
    '0198c3b0-0000-7000-8000-000000000000',
  ])('the ordinary text %j is not changed', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('redaction by exact value', () => {
  it('a configured secret is removed wherever it occurs', () => {
    const value = { note: `a ${CANARY} b`, list: [CANARY], [`key ${CANARY}`]: new Error(CANARY) };
    expect(asText(value, [CANARY])).not.toContain(CANARY);
  });

  it('a secret is removed completely, even if part of it matches a pattern or is another secret', () => {
    const secrets = listSecretForms(['stw_12345678!tail', 'abcdef', 'abcdef-longer']);
    expect(redact('x stw_12345678!tail y', secrets)).toBe('x [redacted] y');
    expect(redact('abcdef-longer', secrets)).toBe('[redacted]');
  });

  it('one search for all secrets finds the same as one search for each', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab.*(|)[\\^$é'), maxLength: 40 });
    const secrets = fc.array(fc.string({ unit: fc.constantFrom(...'ab.*(|)[\\^$é'), minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(text, secrets, (given, list) => {
        let expected = given;
        for (const secret of list) expected = expected.replaceAll(secret, '[redacted]');
        expect(redactText(given, list)).toBe(redactText(expected, []));
      }),
      { numRuns: 2000 },
    );
  });

  it('a secret of any size is removed whole, and texts that only begin like it are not changed', () => {
    const [large, other] = ['key of many lines\n'.repeat(20_000), 'another value'];
    const secrets = listSecretForms([large, other]);
    expect(redact(`a ${large} b ${other}`, secrets)).toBe('a [redacted] b [redacted]');
    expect(redact(large.slice(0, 100), secrets)).toBe(large.slice(0, 100));
  });

  it('the password of a configured address is hidden separately, plain and percent-encoded', () => {
    const secrets = listSecretForms(['postgres://app:p%40ss-word@db/x']);
    expect(redact('password authentication failed for p@ss-word and p%40ss-word', secrets)).not.toMatch(/ss-word/);
  });

  it('a very short value is not hidden, because ordinary words would be removed', () => {
    expect(listSecretForms(['abc'])).toEqual([]);
  });
});

describe('errors', () => {
  it('message, stack, cause and inner errors are redacted and otherwise unchanged', () => {
    const cause = Object.assign(new Error(`cause Bearer ${CANARY}`), { code: 'ECONNREFUSED' });
    const error = new AggregateError([new Error(`inner ${CANARY}`)], `outer postgres://u:${CANARY}@h/`, { cause });
    const shown = redact({ error }, [CANARY]);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(shown).toMatchObject({
      error: {
        name: 'AggregateError',
        message: 'outer postgres://[redacted]h/',
        stack: expect.stringContaining('redact.test') as string,
        cause: { message: 'cause Bearer [redacted]', code: 'ECONNREFUSED' },
        errors: [{ message: 'inner [redacted]' }],
      },
    });
  });

  it('an AppError includes its internal details, redacted', () => {
    const error = new AppError('not_found', { internal: { row: 7, token: CANARY } });
    expect(redact(error)).toMatchObject({ internal: { row: 7, token: '[redacted]' } });
  });

  it('other properties of an error (such as rows and parameters of a database driver) are not printed', () => {
    const error = Object.assign(new Error('duplicate key'), { detail: CANARY, parameters: [CANARY] });
    expect(asText(error)).not.toContain(CANARY);
  });
});

describe('any value', () => {
  it('is printed: bytes as a size, dates as ISO strings, unusual values by their type', () => {
    const value = {
      a: Buffer.from(CANARY),
      b: new Date(0),
      c: new Date(Number.NaN),
      d: 7n,
      e: () => 1,
      f: new Set([1]),
    };
    expect(redact(value)).toEqual({
      a: '[15 bytes]',
      b: '1970-01-01T00:00:00.000Z',
      c: 'Invalid Date',
      d: '7',
      e: '[function]',
      f: [1],
    });
  });

  it('with many circular references is printed quickly', () => {
    const loop: Record<string, unknown> = {};
    for (let index = 0; index < 50; index += 1) loop[`key${index}`] = [loop, loop];
    const before = process.cpuUsage();
    expect(asText(loop).length).toBeLessThan(1_000_000);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });

  it('is printed up to eight levels', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 'bottom' : { a: nest(levels - 1) });
    expect(asText(nest(7))).toContain('bottom');
    expect(asText(nest(50))).toContain('[too deep]');
  });

  it('does not abort the code that logs it if reading it throws', () => {
    const hostile = {
      get trap(): never {
        throw new Error('no');
      },
    };
    expect(redact({ hostile, ok: 1 })).toEqual({ hostile: '[unreadable]', ok: 1 });
  });

  it('is not changed', () => {
    const value = { password: CANARY, list: [{ token: CANARY }] };
    redact(value);
    expect(value).toEqual({ password: CANARY, list: [{ token: CANARY }] });
  });

  it.each([
    '-eyJ',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.aaaaaaaa ',
    'sk_',
    'sk-a ',
    'Bearer ',
    '://a',
    '://a@',
    ':',
    '@',
    '&token=',
    '_',
    'a',
  ])('takes linear time for a megabyte of repetitions of %j', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const before = process.cpuUsage();
    redact(text, ['not-in-there']);
    redact({ [text]: 1 });
    // The limit detects a quadratic scan, which takes minutes for this length.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});

describe('repeated strings', () => {
  it('are redacted every time, also after strings without a secret', () => {
    const secrets = [CANARY];
    for (const _each of [1, 2, 3]) {
      expect(asText({ route: '/things/{thing_id}', text: `see ${CANARY}`, key: 'sk-abcdefgh12345678' }, secrets)).toBe(
        '{"route":"/things/{thing_id}","text":"see [redacted]","key":"[redacted]"}',
      );
    }
  });

  it('are cached separately for each list of secrets', () => {
    expect(asText({ a: 'a plain sentence' }, ['other-secret'])).toContain('a plain sentence');
    expect(asText({ a: 'a plain sentence' }, ['plain sentence'])).not.toContain('plain');
  });

  it('do not fill the memory if all of them are different', () => {
    const secrets = [CANARY];
    for (let n = 0; n < 5000; n += 1) redactText(`text number ${n}`, secrets);
    expect(redactText(`text ${CANARY}`, secrets)).not.toContain(CANARY);
  });

  it('retain a field named `__proto__`', () => {
    expect(asText(JSON.parse('{"__proto__":{"a":1},"b":2}'))).toBe('{"__proto__":{"a":1},"b":2}');
  });
});
