import { readServerChoices } from './server-choices.ts';

describe('the source of local servers', () => {
  it.each([
    [{}, { source: 'auto', allowInstall: true }],
    [{ STEWARD_LOCAL_SERVERS: '' }, { source: 'auto', allowInstall: true }],
    [{ STEWARD_LOCAL_SERVERS: ' docker ' }, { source: 'docker', allowInstall: true }],
    [
      { STEWARD_LOCAL_SERVERS: 'local', STEWARD_NO_INSTALL: '1' },
      { source: 'local', allowInstall: false },
    ],
  ])('%j means %j', (environment, choices) => {
    expect(readServerChoices(environment)).toEqual(choices);
  });

  it('refuses a misspelled choice and lists the valid ones', () => {
    expect(() => readServerChoices({ STEWARD_LOCAL_SERVERS: 'podman' })).toThrow(
      'the allowed values are auto, local, docker',
    );
  });
});
