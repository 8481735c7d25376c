import { warnOfOpenSettings, type OpenSettings } from './warn-of-open-settings.ts';

const OPEN: OpenSettings = {
  host: '0.0.0.0',
  trustedProxies: [],
  webhookBlockPrivateTargets: false,
  registrationEnabled: 'true',
};

function listWarnings(settings: Partial<OpenSettings>): unknown[] {
  const variables: unknown[] = [];
  warnOfOpenSettings({ ...OPEN, ...settings }, { warn: (_event, fields) => void variables.push(fields?.['variable']) });
  return variables;
}

describe('the warnings at the start of a gateway', () => {
  const [targets, registration] = ['WEBHOOK_BLOCK_PRIVATE_TARGETS', 'REGISTRATION_ENABLED'];

  it.each<[string, Partial<OpenSettings>, string[]]>([
    ['warns of open targets and open registration at a public address', {}, [targets, registration]],
    [
      'warns of both behind a proxy on the same machine',
      { host: '127.0.0.1', trustedProxies: ['::1'] },
      [targets, registration],
    ],
    ['does not warn at a loopback address', { host: '127.0.0.1' }, []],
    ['warns only of open registration if targets are guarded', { webhookBlockPrivateTargets: true }, [registration]],
    ['does not warn of registration that closes with the first account', { registrationEnabled: 'first' }, [targets]],
    ['does not warn if both are closed', { webhookBlockPrivateTargets: true, registrationEnabled: 'false' }, []],
  ])('%s', (_title, settings, expected) => {
    expect(listWarnings(settings)).toEqual(expected);
  });
});
