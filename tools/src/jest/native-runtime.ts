import { createRequire, flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import type jestRuntime from 'jest-runtime';

// The types of the package describe the result of `require`.
const { default: JestRuntime } = createRequire(import.meta.url)('jest-runtime') as typeof jestRuntime;

/** Message with which jest ends a worker. */
const END = 2;
const EXIT_CODE_OF_SIGTERM = 143;

// When a worker ends, it has half a second before jest kills it and prints a warning. Node would spend that time on
// releasing its memory, and what the files of the worker share would keep it running. A worker whose memory exceeds the
// limit receives SIGTERM.
if (process.send !== undefined) {
  process.on('message', (message) => {
    if (Array.isArray(message) && message[0] === END) process.exit();
  });
  process.once('SIGTERM', () => process.exit(EXIT_CODE_OF_SIGTERM));
}

type Args = ConstructorParameters<typeof JestRuntime>;
type Globals = Parameters<InstanceType<typeof JestRuntime>['setGlobalsForRuntime']>[0];

/**
 * Modules of jest that are the same for every file; they are loaded once, because compiling them in the context of each
 * file takes 40 ms.
 */
const LOADED_ONCE = new Set([
  '@jest/expect',
  '@jest/test-result',
  'co',
  'dedent',
  'expect',
  'is-generator-fn',
  'jest-each',
  'jest-matcher-utils',
  'jest-message-util',
  'jest-snapshot',
  'jest-util',
  'p-limit',
  'pretty-format',
  'pure-rand',
  'slash',
  'stack-utils',
]);

/** Names of globals that matchers compare by identity: `expect.any(String)` refers to the String of the test. */
const COMPARED = [
  ...['Array', 'BigInt', 'Boolean', 'Date', 'Error', 'Function', 'Map'],
  ...['Number', 'Object', 'Promise', 'RegExp', 'Set', 'String', 'Symbol'],
];

/**
 * Runtime in which test files are loaded by Node itself, as the apps are in production, and the modules that they
 * import are loaded only once per worker. Jest itself would load and compile all modules again in a separate context
 * for each file, which takes twice the CPU time for this suite. Jest's runner, matchers, time limits and reports are
 * unchanged. The changes that one file makes to the process (environment variables, listeners, prototypes) are visible
 * to the next file, so a test has to revert what it changed. There is no `jest` object: fakes are plain functions, and
 * fake timers come from `withFakeTimers`.
 */
export default class NativeRuntime extends JestRuntime {
  constructor(...args: Args) {
    super(...args);
    const [, environment] = args;
    for (const name of COMPARED) Reflect.set(environment.global, name, Reflect.get(globalThis, name));
    // The output of a test is part of its report.
    globalThis.console = environment.global.console;
  }

  override requireInternalModule<T = unknown>(from: string, to?: string): T {
    return to !== undefined && LOADED_ONCE.has(to)
      ? (createRequire(from)(to) as T)
      : super.requireInternalModule<T>(from, to);
  }

  override setGlobalsForRuntime(globals: Globals): void {
    super.setGlobalsForRuntime(globals);
    Object.assign(globalThis, globals);
  }

  override async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href);
  }

  override teardown(): void {
    super.teardown();
    // The cache is written here, because the time at the end of a worker is too short to write everything.
    flushCompileCache();
  }
}
