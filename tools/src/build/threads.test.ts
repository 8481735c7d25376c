import { build } from 'esbuild';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { THREADS } from './bundle-apps.ts';

describe('a thread of an app', () => {
  it.each(Object.values(THREADS).flat())('loads neither database, HTTP nor broker: %s', async (file) => {
    const { metafile } = await build({
      entryPoints: [file],
      absWorkingDir: WORKSPACE_ROOT,
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
    });
    const loaded = Object.keys(metafile.inputs);
    expect(loaded).toContain(file);
    expect(loaded.filter((path) => /node_modules\/(kysely|pg|express|undici|@nats-io)\//.test(path))).toEqual([]);
  });
});
