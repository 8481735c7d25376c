/**
 * A provider of models on this machine: a real HTTP server that answers as OpenAI and Anthropic do, fails as they fail, and
 * remembers what arrived. For tests and benchmarks of whatever calls a provider. It knows nothing: answers are made up.
 */
export { type Behaviour } from './behaviour.ts';
export { startFakeProvider, type FakeProvider } from './start-fake-provider.ts';
export { type RecordedRequest } from './recorded-request.ts';
