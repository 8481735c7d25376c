import { keepProduction } from './keep-production.ts';

const component = (name: string) => ({ name, version: '1.0.0', 'bom-ref': `${name}@1.0.0` });
const uses = (name: string, ...others: readonly string[]) => ({
  ref: `${name}@1.0.0`,
  dependsOn: others.map((other) => `${other}@1.0.0`),
});

describe('the bill of materials', () => {
  it('omits packages that only developers need, and build tools with their own dependencies', () => {
    const names = ['app', 'library', 'vite', '@vitejs/plugin-react', 'only-vite', 'deep', 'shared'];
    const kept = keepProduction({
      components: [
        ...names.map(component),
        { ...component('jest'), properties: [{ name: 'cdx:npm:package:development', value: 'true' }] },
      ],
      dependencies: [
        uses('suite', 'app'),
        uses('app', 'library', 'vite', '@vitejs/plugin-react', 'jest'),
        uses('jest', 'only-vite', 'library'),
        uses('library', 'shared'),
        uses('vite', 'only-vite', 'shared'),
        uses('@vitejs/plugin-react', 'vite'),
        uses('only-vite', 'deep'),
        uses('deep'),
        uses('shared'),
      ],
    });
    expect(kept.components.map(({ name }) => name)).toEqual(['app', 'library', 'shared']);
    expect(kept.dependencies).toEqual([
      uses('suite', 'app'),
      uses('app', 'library'),
      uses('library', 'shared'),
      uses('shared'),
    ]);
  });
});
