/**
 * A model provider on this machine: a real HTTP server that responds like OpenAI and Anthropic, fails like them, and
 * records requests. For tests and benchmarks of provider clients. Its responses are invented.
 */
export { type Behaviour } from './behaviour.ts';
export { startFakeProvider, type FakeProvider } from './start-fake-provider.ts';
export { type RecordedRequest } from './recorded-request.ts';
