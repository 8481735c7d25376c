import { maskJson } from './mask-json.ts';

const HIDDEN = '[redacted]';

describe('credentials in JSON values', () => {
  it.each([
    ['a token of npm', { _authToken: 'abcdef' }, { _authToken: HIDDEN }],
    ['an entry of npm', { _auth: 'dG9rZW5vbmx5', email: 'a@b.c' }, { _auth: HIDDEN, email: 'a@b.c' }],
    ['a token of ngrok', { version: '2', authtoken: 'abcd' }, { version: '2', authtoken: HIDDEN }],
    [
      'headers',
      { headers: { 'x-api-key': 'abc123', accept: '*/*' } },
      { headers: { 'x-api-key': HIDDEN, accept: '*/*' } },
    ],
    ['a header that came twice', { 'x-auth-token': ['abc1', 'abc2'] }, { 'x-auth-token': [HIDDEN, HIDDEN] }],
    ['a name beside its value', { name: 'DB_PASSWORD', value: 'hunter2' }, { name: 'DB_PASSWORD', value: HIDDEN }],
    ['a key beside its value', { key: 'X-Api-Key', value: 'abc123' }, { key: 'X-Api-Key', value: HIDDEN }],
    [
      'the header of a collection',
      [{ header: 'Authorization', value: 'Basic YTpiY2Rl' }],
      [{ header: 'Authorization', value: HIDDEN }],
    ],
    [
      'pairs',
      [
        ['X-Api-Key', 'abc123'],
        ['Accept', '*/*'],
      ],
      [
        ['X-Api-Key', HIDDEN],
        ['Accept', '*/*'],
      ],
    ],
    ['a flat list of headers', ['Host', 'x', 'X-Api-Key', 'abc123'], ['Host', 'x', 'X-Api-Key', HIDDEN]],
  ])('hides %s', (_what, value, masked) => {
    expect(maskJson(value)).toEqual(masked);
  });

  it.each([
    [{ name: 'region', value: 'eu-west-1' }],
    [{ name: 'password', value: '${DB_PASSWORD}' }],
    [{ required: ['username', 'password', 'token'] }],
    [{ key: 'Enter', value: 'submit' }],
    [['password', 'username']],
    [{ _authToken: '${NPM_TOKEN}', authtoken: '' }],
    [{ password: null, token: 17, secret: true }],
  ])('leaves %j unchanged', (value) => {
    expect(maskJson(value)).toEqual(value);
  });
});
