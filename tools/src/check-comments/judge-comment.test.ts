import { judgeComment } from './judge-comment.ts';

describe('the text of a comment', () => {
  it.each([
    'Returns the sessions of an account, newest first.',
    'Undefined without a login.',
    'By default the connection uses plans for any values.',
    'Routes of one surface; further surfaces are passed as `doors`.',
    'Assumes an open connection. @throws AppError',
  ])('is accepted: %s', (text) => {
    expect(judgeComment(text)).toBeUndefined();
  });

  it.each([
    ['Of the answer; the rest is not read.', 'begins with "Of"'],
    ['What it costs.', 'begins with "What"'],
    ['Whoever asks first gets it.', 'begins with "Whoever"'],
    ['The one who asks first, whoever it is.', 'says "whoever"'],
    ['Ends at every door.', 'name the API surface'],
    ['The patience of a caller.', 'timeout'],
  ])('is refused: %s', (text, fault) => {
    expect(judgeComment(text)).toContain(fault);
  });
});
