import { fitResult, fitToObject } from './fit-result.ts';

const text = (said: string) => ({ type: 'text', text: said });

describe('structured content that is no object, for clients that take objects alone (TOOL-16)', () => {
  it.each([
    [[1], [text('done')], [text('done'), text('[1]')]],
    [[1], [text('[ 1 ]')], [text('[ 1 ]')]],
    ['x', [], [text('"x"')]],
    [7, [text('"7"')], [text('"7"'), text('7')]],
  ])('is told as a text unless one says it: %j beside %j', (structuredContent, content, wanted) => {
    expect(fitToObject(fitResult({ content, structuredContent }))).toEqual({ content: wanted });
  });
});
