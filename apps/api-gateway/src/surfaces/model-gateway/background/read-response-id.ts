import { createJsonScanner } from '@steward/model-calls';
import { isPlain } from '../answers/is-plain.ts';
import { isEventStream } from '../answers/is-event-stream.ts';
import { readBeginning } from '../answers/read-beginning.ts';
import type { ProviderAnswer } from '../call-providers.ts';

const MAX_READ_BYTES = 1024 * 1024;
const MAX_ID = 255;

/**
 * Reads the id that a provider assigned to a response, before the client gets the response. The returned id is
 * undefined if there is none.
 * @throws if the response is aborted before its id was read
 */
export async function readResponseId(
  answer: ProviderAnswer,
): Promise<{ readonly id: string | undefined; readonly answer: ProviderAnswer }> {
  if (answer.statusCode >= 300 || !isPlain(answer)) return { id: undefined, answer };
  const isStream = isEventStream(answer);
  let id: string | undefined;
  let seen = 0;
  const find = isStream ? findInEvents : createFindInBody();
  const { answer: whole } = await readBeginning(answer, MAX_READ_BYTES, (text) => {
    id = find(text, seen);
    seen = text.length;
    return id !== undefined;
  });
  const isName = id !== undefined && id.length > 0 && id.length <= MAX_ID && !id.includes('\0');
  return { id: isName ? id : undefined, answer: whole };
}

/** Returns the id from the first complete event that has one. */
function findInEvents(text: string): string | undefined {
  const events = text.split(/\r?\n\r?\n/).slice(0, -1);
  for (const event of events) {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length));
    const response = readObject(data.join('\n'))['response'];
    const { id } = (response ?? {}) as { id?: unknown };
    if (typeof id === 'string') return id;
  }
  return undefined;
}

function createFindInBody() {
  let id: string | undefined;
  const scanner = createJsonScanner({
    paths: new Set(['id']),
    textNames: new Set(),
    onMember(_path, json) {
      const { id: found } = readObject(`{"id":${json}}`);
      if (typeof found === 'string') id ??= found;
    },
  });
  return (text: string, seen: number): string | undefined => {
    const bytes = Buffer.from(text.slice(seen), 'latin1');
    scanner.read(bytes, 0, bytes.byteLength);
    return id;
  };
}

function readObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
