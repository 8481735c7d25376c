import { readMarks } from './read-marks.ts';

/** A snippet with its matches marked. */
export function MarkedText({ snippet }: { readonly snippet: string }) {
  return readMarks(snippet).map(({ text, isMatch }, index) =>
    // The index is a stable key, because the order of the pieces never changes.
    isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  );
}
