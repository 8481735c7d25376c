import type { AppError } from '@steward/contracts';
import { refuseOversizedText, TEXT_FIELD_LIMIT_BYTES } from './text-limit.ts';

const LARGE = TEXT_FIELD_LIMIT_BYTES * 2;

describe('the limit of one text field (LIM-17)', () => {
  it.each<[string, unknown]>([
    ['exactly 2 MiB', { content: 'x'.repeat(TEXT_FIELD_LIMIT_BYTES) }],
    ['2 MiB of two-byte characters', { content: 'é'.repeat(TEXT_FIELD_LIMIT_BYTES / 2) }],
    ['many texts that exceed it only together', { messages: Array.from({ length: 4 }, () => 'x'.repeat(1_000_000)) }],
    ['numbers, null and nothing', { a: 1, b: null, c: [] }],
  ])('accepts %s', (_case, body) => {
    expect(() => refuseOversizedText(body, LARGE)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['one byte more', { content: 'x'.repeat(TEXT_FIELD_LIMIT_BYTES + 1) }, 'content'],
    ['fewer characters but more bytes', { content: 'é'.repeat(TEXT_FIELD_LIMIT_BYTES / 2) + 'x' }, 'content'],
    [
      'a text at depth',
      { request: { messages: ['a', { text: 'x'.repeat(TEXT_FIELD_LIMIT_BYTES + 1) }] } },
      'request.messages.1.text',
    ],
  ])('refuses %s and names the field, the limit and the size', (_case, body, field) => {
    const refusal = catchError(() => refuseOversizedText(body, LARGE));
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      status: 422,
      detail: { field, limit: TEXT_FIELD_LIMIT_BYTES, actual: TEXT_FIELD_LIMIT_BYTES + 1, overage: 1 },
    });
  });
});

function catchError(work: () => void): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was refused');
}
