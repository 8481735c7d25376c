import { fitResult, fitToObject } from './fit-result.ts';

const text = (said: string) => ({ type: 'text', text: said });

describe('structured content that is not an object, for clients that accept only objects (TOOL-16)', () => {
  it.each([
    [[1], [text('done')], [text('done'), text('[1]')]],
    [[1], [text('[ 1 ]')], [text('[ 1 ]')]],
    ['x', [], [text('"x"')]],
    [7, [text('"7"')], [text('"7"'), text('7')]],
  ])('is passed on as text unless a text item contains it: %j next to %j', (structuredContent, content, wanted) => {
    expect(fitToObject(fitResult({ content, structuredContent }))).toEqual({ content: wanted });
  });
});
