import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Provides an empty folder for each test, removed after the test. Call it before the hooks that use it; inside hooks
 * and tests, the returned function returns the path with symbolic links resolved.
 */
export function useFolder(): () => string {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-test-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}
