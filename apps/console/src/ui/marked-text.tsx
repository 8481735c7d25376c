import { readMarks } from './read-marks.ts';

/** A snippet with its matches marked. */
export function MarkedText({ snippet }: { readonly snippet: string }) {
  return readMarks(snippet).map(({ text, isMatch }, index) =>
    // Pieces have no other name than their place, and never move.
    isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  );
}
