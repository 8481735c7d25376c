import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const PATH = '/api/v1/runtime-sessions/settings/titles';
const BY_MODEL = { title_model: 'namer', title_model_enabled: true };
const BY_RULE = { title_model: null, title_model_enabled: null };

describe('the source of session titles, on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answer: object, status = 200) {
    service = await startService(() => [status, answer]);
    const out = await runHere(service.url, ['sessions', 'titles', ...args]).catch(
      (error: Error) => `! ${error.message}`,
    );
    const sent = service.requests.map(({ method, path, body }) => [method, path, body.toString()]);
    return { out, sent };
  }

  it.each([
    [BY_RULE, 'titled by their first words\n'],
    [BY_MODEL, 'titled by the model namer\n'],
    [
      { ...BY_MODEL, title_model_enabled: false },
      'titled by the model namer  (disabled: by their first words until it is enabled)\n',
    ],
  ])('is shown: %p', async (answer, expected) => {
    const { out, sent } = await run([], answer);
    expect([out, sent]).toEqual([expected, [['GET', PATH, '']]]);
  });

  it('is set to a model, or to the rule', async () => {
    const model = await run(['--model', 'namer'], BY_MODEL);
    expect([model.out, model.sent]).toEqual([
      'titled by the model namer\n',
      [['PUT', PATH, JSON.stringify({ title_model: 'namer' })]],
    ]);
    await service.close();
    const rule = await run(['--rule', '--json'], BY_RULE);
    expect([JSON.parse(rule.out), rule.sent]).toEqual([
      BY_RULE,
      [['PUT', PATH, JSON.stringify({ title_model: null })]],
    ]);
  });

  it('shows the reason of a refusal, and accepts only one of the two', async () => {
    const refusal = { detail: { code: 'invalid_request', message: 'It is disabled.' }, request_id: 'r' };
    expect((await run(['--model', 'off'], refusal, 422)).out).toContain('It is disabled.');
    await service.close();
    const { out, sent } = await run(['--model', 'namer', '--rule'], BY_MODEL);
    expect([out, sent]).toEqual([expect.stringContaining('cannot be used with'), []]);
  });
});
