import { captureOutput, eventually } from '@steward/testing';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { useModelGateway } from '../../../testing/model-gateway-tests.ts';

const readOutput = captureOutput();
const gateway = useModelGateway({ MODEL_GATEWAY_CAPTURE_CONTENT: 'false', LOG_LEVEL: 'debug' });

it('no text of a call is in the database or the log if content is not captured (GW-14)', async () => {
  const paths = ['/openai/v1/chat/completions', '/openai/v1/responses', '/anthropic/v1/messages'];
  for (const path of paths) {
    for (const [stream, status] of [[true], [false], [true, 500]] as const) {
      const model = path.startsWith('/anthropic') ? 'claude' : 'smart';
      gateway
        .provider()
        .behave({ text: 'yttrium', ...(status === undefined ? {} : { status }) }, status === undefined ? 1 : 3);
      const body = {
        model,
        stream,
        max_tokens: 9,
        messages: [{ role: 'user', content: 'xylograph' }],
        input: 'xylograph',
      };
      await (await gateway.post(path, JSON.stringify(body))).text();
    }
  }
  const rows = await gateway.readUsage(9);
  const sessionId = rows[0]!['runtime_session_id'] as string;
  const timeline = `/runtime-sessions/${sessionId}/timeline`;
  await eventually(async () => (await gateway.people.call('GET', timeline, gateway.token())).body.items.length === 9);
  const { url } = gateway.people.gateway().database;
  for (const word of ['xylograph', 'yttrium']) {
    expect(await findInDatabase(url, word)).toEqual([]);
    expect(readOutput()).not.toContain(word);
  }
});
