/**
 * Name of the variable that passes the servers of the run from the global set-up to the workers that run the test
 * files.
 */
export const TEST_ENVIRONMENT = 'STEWARD_TEST_ENVIRONMENT';

export interface TestEnvironment {
  readonly adminUrl: string;
  readonly template: string;
  readonly rolePasswords: Readonly<Record<string, string>>;
}

export function writeTestEnvironment(environment: TestEnvironment): void {
  process.env[TEST_ENVIRONMENT] = JSON.stringify(environment);
}

export function readTestEnvironment(): TestEnvironment {
  const text = process.env[TEST_ENVIRONMENT];
  if (text === undefined)
    throw new Error('no test servers: run integration tests with jest --config jest.int.config.js');
  return JSON.parse(text) as TestEnvironment;
}
