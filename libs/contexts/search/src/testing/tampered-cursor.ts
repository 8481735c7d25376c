import fc from 'fast-check';

/** Checks that a reader of cursors either refuses a modified cursor with its error, or still returns a cursor. */
export function expectNoHarmByTampering<Cursor>(
  anyCursor: fc.Arbitrary<Cursor>,
  code: { readonly encode: (cursor: Cursor) => string; readonly decode: (text: string) => unknown },
): void {
  fc.assert(
    fc.property(anyCursor, fc.nat(), fc.string({ maxLength: 3 }), (cursor, place, put) => {
      const text = code.encode(cursor);
      const at = place % text.length;
      try {
        code.decode(text.slice(0, at) + put + text.slice(at + 1));
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request', detail: { field: 'cursor' } });
      }
    }),
  );
}
