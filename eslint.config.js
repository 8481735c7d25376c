import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { BETWEEN_SURFACES, BROKER_CLIENT, depConstraints } from './eslint.borders.js';

/** Modules that open connections. Importing their types is always allowed. */
const OUTBOUND = [
  ...['undici', 'got', 'nodemailer', 'node:http', 'node:https', 'node:tls', 'node:net'].map((name) => ({
    name,
    allowTypeImports: true,
    ...(name === 'node:net' ? { importNames: ['connect', 'createConnection', 'Socket'] } : {}),
    ...(name === 'node:http' ? { importNames: ['request', 'get', 'Agent'] } : {}),
  })),
].map((one) => ({ ...one, message: 'Use @steward/egress for outgoing connections: it checks their destination.' }));

/** A SQL statement, in any of the notations used in this repository. */
const SQL = [
  "TaggedTemplateExpression[tag.name='sql']",
  "TaggedTemplateExpression[tag.expression.name='sql']",
  "CallExpression[callee.property.name='query']",
  'CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]',
].map((selector) => ({ selector, message: 'SQL belongs in a *.store.ts file.' }));
const VIEWS = {
  selector: 'TSAsExpression > TSTypeReference[typeName.name=/^(Transaction|Kysely)$/]',
  message: 'A store uses its tables through the slice’s `tables()`; all other code takes an AnyTransaction.',
};

/**
 * Modules that code under this rule must not use, so that the same input always gives the same result, in every
 * process.
 */
const IMPURE = [
  ...['fs', 'net', 'dns', 'http', 'https', 'child_process', 'timers', 'worker_threads'].flatMap((name) => [
    `node:${name}`,
    `node:${name}/promises`,
  ]),
  'pg',
  'kysely',
  'undici',
  'got',
].map((name) => ({ name, message: 'Rules must not perform I/O.' }));
const UNREPEATABLE = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
  { object: 'performance', property: 'now' },
].map((one) => ({ ...one, message: 'Pass the time and random values in.' }));
const MODULE_STATE = [
  ...['Program', 'ExportNamedDeclaration'].flatMap((place) => [
    `${place} > VariableDeclaration[kind='let']`,
    `${place} > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|WeakMap|LRUCache)$/]:not([arguments.length>0])`,
  ]),
].map((selector) => ({ selector, message: 'Rules must not keep state between calls.' }));

/** The globals that the console and the SDK use; TypeScript checks all others. */
const NAMES =
  'document localStorage navigator fetch setTimeout clearTimeout crypto Response AbortSignal URLSearchParams';
const CLIENT_GLOBALS = Object.fromEntries(NAMES.split(' ').map((name) => [name, 'readonly']));

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
    files: ['**/*.ts', '**/*.tsx', '**/*.js'],
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
      'max-lines': ['error', 300],
      complexity: ['error', 15],
      'max-lines-per-function': ['error', 80],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/jest*.config.js', 'jest.preset.js'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // These are separate packages, which the project graph does not contain.
    files: ['tools/{api-types,bench,embedding-server,manifests}/**/*.ts', 'libs/local-servers/src/docker/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { enforceBuildableLibDependency: false, allow: [], depConstraints, banTransitiveDependencies: false },
      ],
    },
  },
  {
    // Configuration is read once, in config.ts, and passed in.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [
      'apps/*/src/main.ts',
      'apps/backfill-sweeper/src/by-hand/main.ts',
      'apps/*/src/testing/**',
      'apps/console/vite.config.ts',
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
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/platform/broker/src/nats/**'],
    rules: { 'no-restricted-imports': ['error', { paths: BROKER_CLIENT }] },
  },
  ...BETWEEN_SURFACES,
  {
    // Only one module connects to addresses that users supply (ADR 0032).
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [
      'libs/platform/egress/**',
      // Uses the guarded connector of egress, with options that only deliveries need.
      'apps/webhook-dispatcher/src/http/create-poster.ts',
      // Connects only to targets that the operator configured: the mail server, the evidence store, the API of the
      // cluster.
      'apps/webhook-dispatcher/src/smtp/smtp-channel.ts',
      'libs/platform/storage/src/s3/send-request.ts',
      'apps/flow-trigger/src/runner/kubernetes/kubernetes-client.ts',
      // Connects on behalf of the programs of runs; the egress guard checks the addresses (ADR 0058).
      'apps/flow-trigger/src/network/{dial,egress-proxy}.ts',
      'apps/console/**',
      // Code that runs on users' machines.
      'libs/sdk/**',
      '**/*.test.ts',
      '**/testing/**',
      'libs/local-servers/**',
      'libs/testing/**',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: OUTBOUND }],
      'no-restricted-globals': ['error', { name: 'fetch', message: OUTBOUND[0].message }],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/testing/**/*.ts', 'tools/src/**/*.ts'],
    ignores: ['libs/platform/async/src/testing/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: '@sinonjs/fake-timers',
          message: 'Use withFakeTimers of @steward/async/testing: it leaves the timers of other files of the process.',
        },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [
      '**/*.store.ts',
      '**/*.test.ts',
      '**/testing/**',
      '**/migrations/**',
      'libs/platform/database/**',
      'libs/local-servers/**',
      'libs/testing/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...SQL, VIEWS] },
  },
  {
    files: ['**/migrations/**/*.ts'],
    ignores: [
      'libs/contexts/budgets/migrations/000{6,7,8}_*.ts',
      'libs/contexts/flows/migrations/001{2,4}_*.ts',
      'libs/platform/database/**',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportSpecifier[imported.name="changeFunction"]',
          message: 'Write the whole function: its current definition is in docs/reference/schema.',
        },
      ],
    },
  },
  {
    files: ['**/rules/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '\\.store\\.ts$', allowTypeImports: true, message: 'Rules must not perform I/O.' }] },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...BROKER_CLIENT,
            ...IMPURE,
            {
              name: 'node:crypto',
              importNames: ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync'],
              message: 'Pass the time and random values in.',
            },
          ],
        },
      ],
      'no-restricted-properties': ['error', ...UNREPEATABLE],
      'no-restricted-syntax': ['error', ...SQL, VIEWS, ...MODULE_STATE],
    },
  },
  {
    files: ['libs/{sdk,webhook-verify}/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    languageOptions: { globals: CLIENT_GLOBALS },
    rules: {
      'no-restricted-imports': [
        'error',
        {
          // The package of the SDK contains the verifier of webhooks.
          patterns: [{ regex: '^(?!\\.{1,2}/|node:crypto$|@steward/webhook-verify$)', message: 'No dependencies.' }],
        },
      ],
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx,js}'],
    ...jsxA11y.flatConfigs.strict,
    plugins: { ...jsxA11y.flatConfigs.strict.plugins, 'react-hooks': reactHooks },
    languageOptions: { ...jsxA11y.flatConfigs.strict.languageOptions, globals: CLIENT_GLOBALS },
    rules: {
      ...jsxA11y.flatConfigs.strict.rules,
      ...reactHooks.configs.recommended.rules,
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'require', '__dirname'].map((name) => ({
          name,
          message: 'This code runs in a browser.',
        })),
      ],
      'no-restricted-imports': ['error', { patterns: [{ regex: '^node:', message: 'This code runs in a browser.' }] }],
      'no-restricted-syntax': [
        'error',
        {
          // Functions that scroll or focus may return a promise, which React would treat as a cleanup function.
          selector: "CallExpression[callee.name='useEffect'] > ArrowFunctionExpression[body.type!='BlockStatement']",
          message: 'Write the body of an effect in braces, so that it does not return a value by accident.',
        },
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Never parse strings as markup here.',
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'libs/testing/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      complexity: 'off',
    },
  },
  {
    // A model call and a tool call are each handled in one function, from their decision to their record.
    files: ['apps/api-gateway/src/surfaces/{model-gateway/pass-call,mcp/calls/call-tool}.ts'],
    rules: { 'max-lines-per-function': ['error', 60] },
  },
  // These functions may be long: they are sequential lists, and a migration is never changed.
  { files: ['**/testing/**', '**/migrations/**'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['tools/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['docs/use/receivers/**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', Buffer: 'readonly', console: 'readonly', setImmediate: 'readonly' },
    },
  },
);
