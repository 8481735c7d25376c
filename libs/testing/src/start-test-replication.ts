import { makeScratchDirectory, readServerChoices, startReplicatedPostgres } from '@steward/local-servers';
import { readTestEnvironment } from './test-environment.ts';
import { logInAs, type TestDatabase } from './create-test-database.ts';

/** A database on a separate server with a standby. It is empty until the test migrates it. */
export interface TestReplication {
  readonly database: TestDatabase;
  /** Passwords of the roles, to be passed to `migrateAll`. */
  readonly rolePasswords: Readonly<Record<string, string>>;
  /** Returns the URL of the same database on the standby, with the role of an app. */
  standbyUrlForRole(role: string): string;
  /** URL of the same database on the standby, with the superuser. */
  readonly standbyUrl: string;
  /** Stops the standby and starts it again. */
  restartStandby(): Promise<void>;
  stopStandby(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestReplication(): Promise<TestReplication> {
  const { rolePasswords } = readTestEnvironment();
  const { allowInstall } = readServerChoices(process.env);
  const directories = { primary: makeScratchDirectory('primary'), standby: makeScratchDirectory('standby') };
  const servers = await startReplicatedPostgres({ directories, allowInstall, progress: () => undefined });
  const { primary, standby } = servers;
  return {
    database: {
      url: primary.url,
      urlForRole: (role) => logInAs(role, primary.url, rolePasswords),
      drop: () => Promise.resolve(),
    },
    rolePasswords,
    standbyUrl: standby.url,
    standbyUrlForRole: (role) => logInAs(role, standby.url, rolePasswords),
    restartStandby: () => standby.restart(),
    stopStandby: () => standby.stop(),
    close: () => servers.stop(),
  };
}
