import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Who may import whom: apps -> slices -> platform -> contracts, apps never apps, tests may use the testing libs. */
const depConstraints = [
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:testing'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:testing', 'type:migrations'],
  },
  {
    sourceTag: 'type:slice',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:slice', 'type:testing'],
  },
  {
    sourceTag: 'type:migrations',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:slice', 'type:testing'],
  },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:slice', 'type:testing'],
  },
  // Published to receivers: its tests hold it against the sender, its code depends on nothing (below).
  { sourceTag: 'type:client', onlyDependOnLibsWithTags: ['type:contracts', 'type:slice', 'type:testing'] },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['*'] },
  { sourceTag: 'scope:search', onlyDependOnLibsWithTags: ['scope:shared', 'scope:search'] },
  { sourceTag: 'scope:webhooks', onlyDependOnLibsWithTags: ['scope:shared', 'scope:webhooks'] },
  // The gateway is the only HTTP door: its app calls every slice, its slice writes chunks and emits events.
  {
    sourceTag: 'scope:flows',
    onlyDependOnLibsWithTags: ['scope:shared', 'scope:flows', 'scope:gateway', 'scope:webhooks', 'scope:search'],
  },
  {
    sourceTag: 'scope:backfill',
    onlyDependOnLibsWithTags: ['scope:shared', 'scope:backfill', 'scope:gateway', 'scope:search'],
  },
];

const only = (files, names, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { paths: names.map((name) => ({ name, message })) }] },
});

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/out-tsc/**',
      '**/node_modules/**',
      '.nx/**',
      '.local/**',
      'coverage/**',
      'tmp/**',
      '**/__generated__/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts', '**/*.js'],
    plugins: { '@nx': nx },
    languageOptions: { globals: { process: 'readonly', Buffer: 'readonly', URL: 'readonly', console: 'readonly' } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { enforceBuildableLibDependency: false, allow: [], depConstraints, banTransitiveDependencies: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/jest*.config.js', 'jest.preset.js'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // Configuration is read once, in config.ts, and passed in.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [
      'apps/*/src/main.ts',
      'apps/*/src/testing/**',
      'libs/testing/**',
      'libs/local-servers/**',
      '**/*.test.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings in config.ts and pass them in.' },
      ],
    },
  },
  only(
    ['apps/**/*.ts', 'libs/**/*.ts'].map((pattern) => pattern),
    ['nats', '@nats-io/transport-node', '@nats-io/jetstream'],
    'Only libs/platform/broker/src/nats-client.ts knows the NATS client.',
  ),
  { files: ['libs/platform/broker/src/nats-client.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['libs/webhook-verify/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!\\./|node:crypto$)', message: 'The published package has no dependencies.' }] },
      ],
    },
  },
  {
    files: ['**/*.test.ts', 'libs/testing/**/*.ts'],
    rules: { 'max-lines': ['error', 700], '@typescript-eslint/no-non-null-assertion': 'off', complexity: 'off' },
  },
  { files: ['tools/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['docs/receivers/**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', Buffer: 'readonly', console: 'readonly', setImmediate: 'readonly' },
    },
  },
);
