import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { APPS, WORKSPACE_ROOT } from '../../workspace.ts';

const read = (path: string): string => readFileSync(resolve(WORKSPACE_ROOT, path), 'utf8');

describe('the containers of compose', () => {
  it.each(APPS)('have a configurable memory limit, so that no app can use up the memory of the machine: %s', (name) => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { mem_limit?: string }>;
    };
    const variable = `${name.replaceAll('-', '_').toUpperCase()}_MEMORY`;
    expect(services[name]?.mem_limit).toMatch(new RegExp(`^\\$\\{${variable}:-\\dg\\}$`));
    expect(read('deploy/env/.env.example')).toContain(`# ${variable}=`);
  });
});
