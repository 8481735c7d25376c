import { parseTarget } from './parse-target.ts';

const ID = '0190b5a4-0000-7000-8000-000000000000';

describe('the target of a trigger', () => {
  it.each([
    [`https://s.example/webhooks/flows/${ID}/flw_x`, 'https://s.example', `/webhooks/flows/${ID}/flw_x`],
    [`http://h:8000/api/v1/webhooks/flows/${ID}/flw_x/`, 'http://h:8000', `/api/v1/webhooks/flows/${ID}/flw_x`],
    [
      `https://s.example/steward/webhooks/flows/${ID}/flw_x`,
      'https://s.example/steward',
      `/webhooks/flows/${ID}/flw_x`,
    ],
  ])('accepts the webhook URL %s', (url, baseUrl, path) => {
    expect(parseTarget(url)).toEqual({ kind: 'webhook', baseUrl, path, secret: 'flw_x' });
  });

  it.each(['review', ID, 'a flow: with/slashes'])('accepts "%s" as a name or id', (text) => {
    expect(parseTarget(text)).toEqual({ kind: 'flow', nameOrId: text });
  });

  it.each([
    'https://s.example/hook/hunter2hunter2',
    'https://u:hunter2hunter2@s.example/webhooks/flows/a/b',
    'https://hunter2hunter2 /',
  ])('refuses another URL without repeating it', (url) => {
    expect(() => parseTarget(url)).toThrow(/^(?!.*hunter2)/);
  });
});
