import { drawSentences } from './draw-sentences.ts';

const textsOf = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind, place: `${kind}:${index}`, text: `Text ${index} of ${kind}.` }));

describe('a draw of sentences', () => {
  it('has equally many of each kind', () => {
    const drawn = drawSentences([...textsOf('comment', 500), ...textsOf('console', 20)], 20, '1');
    expect(drawn.filter(({ kind }) => kind === 'console')).toHaveLength(10);
    expect(drawn.filter(({ kind }) => kind === 'comment')).toHaveLength(10);
  });

  it('is the same for the same seed, and another for another seed', () => {
    const texts = textsOf('comment', 500);
    expect(drawSentences(texts, 10, '1')).toEqual(drawSentences(texts.toReversed(), 10, '1'));
    expect(drawSentences(texts, 10, '1')).not.toEqual(drawSentences(texts, 10, '2'));
  });

  it('splits texts into sentences, keeps abbreviations together, and has each sentence once', () => {
    const text = 'Reads a file, e.g. JSON. Answers `null`\nwithout one.\n\nPermission: `view_flows`';
    const drawn = drawSentences(
      [
        { kind: 'api', place: 'first', text },
        { kind: 'api', place: 'second', text },
      ],
      9,
      '1',
    );
    expect(drawn.map((sentence) => sentence.text).sort()).toEqual([
      'Answers `null` without one.',
      'Permission: `view_flows`',
      'Reads a file, e.g. JSON.',
    ]);
  });
});
