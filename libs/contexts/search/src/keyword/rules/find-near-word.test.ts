import { findNearWord } from './find-near-word.ts';

const VOCABULARY = ['deploy', 'deployed', 'deployment', 'error', 'errors', 'permission', 'timeout', 'x1y2', 'kiwi'];

describe('the nearest word to a word without matches (SRCH-79)', () => {
  it.each([
    ['deploying', 'deploy'],
    ['Deploys', 'deploy'],
    ['permissions', 'permission'],
    ['permisison', 'permission'],
    ['premisson', 'permission'],
    ['tiemout', 'timeout'],
    ['kiwis', 'kiwi'],
  ])('%s is %s', (word, near) => {
    expect(findNearWord(word, VOCABULARY)).toBe(near);
  });

  it.each(['error', 'Errors', 'err', 'wombat', 'dploi', 'x1y3', ''])(
    '%j has no similar word, or already exists',
    (word) => {
      expect(findNearWord(word, VOCABULARY)).toBeUndefined();
    },
  );
});
