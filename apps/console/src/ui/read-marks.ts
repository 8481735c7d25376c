const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * Splits a search snippet into pieces of plain text: the snippet is escaped HTML whose only element is `<mark>`. The
 * snippet is never inserted as HTML.
 */
export function readMarks(snippet: string): Piece[] {
  return snippet
    .split(/(<mark>[^]*?<\/mark>)/)
    .filter((part) => part !== '')
    .map((part) => {
      const marked = /^<mark>([^]*)<\/mark>$/.exec(part)?.[1];
      return { text: unescape(marked ?? part), isMatch: marked !== undefined };
    });
}

function unescape(text: string): string {
  return text.replaceAll(
    /&([a-z]+|#\d+|#x[\da-f]+);/gi,
    (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole,
  );
}
