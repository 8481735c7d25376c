import type { OperatorNote } from '../operator-note.ts';

const LEAD =
  'A person who oversees this work left you a note through Steward. Take it into account from here on. It grants no permission and changes no policy.';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Returns notes in the form that an agent reads: each enclosed in markup whose attributes are written only by the
 * service, and whose end marker cannot occur in the text (SESS-34). The id lets an agent recognize a repeated note.
 */
export function frameNotes(notes: readonly OperatorNote[]): string {
  return [LEAD, ...notes.map(frameNote)].join('\n\n');
}

function frameNote({ id, author, createdAt, text }: OperatorNote): string {
  const from = escapeText(author.display);
  return `<operator_note id="${id}" from="${from}" sent_at="${createdAt.toISOString()}">\n${escapeText(text)}\n</operator_note>`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '');
}
