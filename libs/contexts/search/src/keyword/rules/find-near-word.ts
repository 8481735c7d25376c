const SHORTEST = 4;
/** Maximum length of the endings in which two forms of a word may differ. */
const LONGEST_ENDING = 3;
/** Minimum length of a word that may contain two wrong letters. */
const LONG = 8;

/**
 * Returns the word of the vocabulary that is most similar to a word that matches nothing: another form of this word, or
 * its likely correct spelling. Returns the first one if several are equally similar, and undefined if none is similar,
 * if the word has fewer than four letters, or if the vocabulary contains the word itself.
 */
export function findNearWord(word: string, vocabulary: readonly string[]): string | undefined {
  const asked = word.toLowerCase();
  if (asked.length < SHORTEST || vocabulary.includes(asked)) return undefined;
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const each of vocabulary) {
    const distance = measure(asked, each);
    if (distance !== undefined && distance < (best?.distance ?? Infinity)) best = { word: each, distance };
  }
  return best?.word;
}

function measure(asked: string, word: string): number | undefined {
  if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) return undefined;
  if (Math.abs(asked.length - word.length) > LONGEST_ENDING) return undefined;
  const most = asked.length >= LONG ? 2 : 1;
  const edits = countEdits(asked, word);
  if (edits <= most) return edits;
  return isOtherForm(asked, word) ? edits : undefined;
}

function isOtherForm(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same >= SHORTEST && one.length - same <= LONGEST_ENDING && other.length - same <= LONGEST_ENDING;
}

/** Returns the number of inserted, omitted, changed or swapped letters. */
function countEdits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const isSame = one[at - 1] === other[place - 1];
      const isSwapped = at > 1 && place > 1 && one[at - 1] === other[place - 2] && one[at - 2] === other[place - 1];
      next[place] = Math.min(
        (row[place] ?? 0) + 1,
        (next[place - 1] ?? 0) + 1,
        (row[place - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[place - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? Infinity;
}
